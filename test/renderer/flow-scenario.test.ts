// A walk through the flow as a scenario: recorded from real exchanges, and run green by the runner.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readScenario, runInOwnSandbox } from '../../src/cli/commands/run/own-sandbox.ts';
import type { ControlClient } from '../../src/control/client.ts';
import type { Exchange, IssueCode, SendRequest } from '../../src/control/schemas.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { takeGivenWorkspace } from '../../src/engine/workspace/given.ts';
import { deviceOf } from '../../src/renderer/exchange/device-answer.ts';
import type { DecisionEvent, FlowEvent } from '../../src/renderer/views/flow/flow-state.ts';
import { expectationOf, verdictOf } from '../../src/renderer/views/flow/mistakes/verdict.ts';
import {
  WITHOUT_PROOFS,
  type Material,
  type Mistake,
} from '../../src/renderer/views/flow/mistakes/mistake.ts';
import { MISTAKES, type BreakableStep } from '../../src/renderer/views/flow/mistakes/by-step.ts';
import {
  authorizeFields,
  authorizeRequest,
  DEVICE_AUTHORIZATION_PATH,
  deviceAuthorizationRequest,
  pushedFields,
  pushRequest,
  userinfoRequest,
} from '../../src/oauth/endpoint-requests.ts';
import type { Fields } from '../../src/oauth/fields.ts';
import {
  DEVICE_CODE_GRANT,
  deviceCodeFields,
  exchangeFields,
  passwordFields,
  refreshFields,
  TOKEN_EXCHANGE_GRANT,
  TOKEN_PATH,
  tokenExchangeFields,
  tokenRequest,
} from '../../src/oauth/token-request.ts';
import { redirectAnswerOf } from '../../src/renderer/exchange/answer.ts';
import { requestUriOf } from '../../src/renderer/recording/asked-parameters.ts';
import { recordScenario } from '../../src/renderer/recording/scenario.ts';
import { approval, signInFormOf, type SignInForm } from '../../src/scenario/sign-in-form.ts';
import { openLiveSandbox } from '../../src/renderer/views/flow/replay/live-sandbox.ts';
import { parseScenarioInUse } from '../../src/scenario/reader/in-use.ts';
import { runScenario, type ScenarioResult } from '../../src/scenario/runner/run.ts';
import type { Scenario } from '../../src/scenario/schema.ts';

const REDIRECT = 'http://localhost:3000/callback';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

const GRANTS = [
  ...(['authorization_code', 'refresh_token', 'password'] as const),
  ...([DEVICE_CODE_GRANT, TOKEN_EXCHANGE_GRANT] as const),
];

const SECOND = {
  client_id: 'second',
  client_secret: 'second-secret',
  redirect_uris: [REDIRECT],
  grant_types: [...GRANTS],
};
const FIRST = {
  client_id: 'demo-app',
  client_secret: 'demo-secret',
  client_name: 'Demo application',
  redirect_uris: [REDIRECT],
  grant_types: [...GRANTS],
};

type Settings = Record<string, unknown>;

/** Somebody at the Flow view of an engine whose machine time stands still: what is sent becomes events, as there. */
async function walker(settings: Settings = {}) {
  const members = { clients: [FIRST, SECOND], settings };
  const base = await takeGivenWorkspace({ members, signing_alg: 'ES256' }, 'test');
  const now = Date.now();
  const engine = await createEngine({ port: 0, version: 'test', base, now: () => now });
  const { issuer } = await engine.start();
  onTestFinished(engine.close);
  const control: ControlClient = await engine.getControl();
  const events: FlowEvent[] = [];
  const credentials = { client_id: 'demo-app', client_secret: 'demo-secret' };

  const send = async (request: SendRequest, step: 'exchange' | 'code' = 'exchange') => {
    const exchange = await control.requests.send({ ...request, secrets: true });
    events.push({ id: events.length + 1, kind: 'exchange', step, exchange, verdict: null });
    return exchange;
  };
  const issue = async (more: Partial<IssueCode> = {}) => {
    const request = { client_id: 'demo-app', redirect_uri: REDIRECT, audience: issuer, ...more };
    const issued = await control.codes.create(request);
    const { now: at } = await control.clock.get();
    const event = { ...issued, id: events.length + 1, kind: 'issue', at, request, sub: 'ada' };
    events.push(event as FlowEvent);
    return issued.code;
  };
  const deviceMembers: Fields = [
    ['client_id', 'demo-app'],
    ['client_secret', 'demo-secret'],
    ['audience', issuer],
    ['scope', 'openid'],
  ];
  const requestDevice = async () => {
    const device = deviceOf(await send(deviceAuthorizationRequest(deviceMembers)), 'demo-app');
    if (device === null) throw new Error('no device code came');
    return device;
  };
  const pollFields = (device_code: string) => deviceCodeFields({ ...credentials, device_code });
  const decide = async (user_code: string, decision: DecisionEvent['decision']) => {
    const { client_id, sub, granted_scope } = await control.devices[decision]({ id: user_code });
    const { now: at } = await control.clock.get();
    const scope = granted_scope ?? '';
    const event = { kind: 'decision', at, decision, user_code, client_id, sub, scope } as const;
    events.push({ id: events.length + 1, ...event });
  };
  const fieldsFor = (code: string, code_verifier: string | null = null) =>
    exchangeFields({
      ...credentials,
      code,
      redirect_uri: REDIRECT,
      audience: issuer,
      code_verifier,
    });
  const body = ({ response }: Exchange) => JSON.parse(response.body) as Record<string, string>;

  return {
    issuer,
    control,
    events,
    /** Runs it in this very sandbox. */
    runHere: async (scenario: Scenario) => {
      const former = await control.workspace.get();
      const read = await parseScenarioInUse(JSON.stringify(scenario), former);
      if ('problems' in read) throw new Error(JSON.stringify(read.problems, null, 2));
      const nothing = () => undefined;
      const ports = { onStep: nothing, onExchange: nothing, onIssued: nothing, onDecided: nothing };
      const result = await runScenario('saved', read, () =>
        openLiveSandbox(read, { control, former, ...ports, isStopped: () => false }),
      );
      expect(failuresOf(result), JSON.stringify(scenario, null, 2)).toEqual([]);
    },
    send,
    issue,
    deviceMembers,
    requestDevice,
    pollFields,
    decide,
    fieldsFor,
    passwordFields: (password = 'any-password') =>
      passwordFields({ ...credentials, username: 'ada', password, audience: issuer }),
    swapFields: (subject_token: string) =>
      tokenExchangeFields({ ...credentials, subject_token, audience: issuer }),
    authorizeFields: (more: Partial<Parameters<typeof authorizeFields>[0]> = {}) =>
      authorizeFields({
        client_id: 'demo-app',
        redirect_uri: REDIRECT,
        scope: 'openid profile',
        audience: issuer,
        state: 'f00d',
        challenge: null,
        login_hint: 'ada',
        ...more,
      }),
    exchange: async (code: string, verifier: string | null = null) =>
      body(await send(tokenRequest(fieldsFor(code, verifier)))),
    refreshRequest: (refresh_token: string) =>
      tokenRequest(refreshFields({ ...credentials, refresh_token, scope: '' })),
    scenario: async (takes_along = true): Promise<Scenario> => {
      const sandbox = { issuer, ...(await control.workspace.get()) };
      return recordScenario({ name: 'A recorded walk', events, sandbox, takes_along });
    },
  };
}

type Walker = Awaited<ReturnType<typeof walker>>;

function formOf(exchange: Exchange): SignInForm {
  const form = signInFormOf(exchange);
  if (form === null) throw new Error('nobody was asked to sign in');
  return form;
}

function failuresOf({ steps }: ScenarioResult) {
  return steps
    .filter(({ verdict }) => verdict === 'failed')
    .map(({ title, failure }) => ({ title, ...failure }));
}

/** Runs it as `grantbench run` does, after the way through a file. */
async function run(scenario: Scenario) {
  const text = JSON.stringify(scenario, null, 2);
  const read = await readScenario(text);
  if ('problems' in read) throw new Error(`${JSON.stringify(read.problems, null, 2)}\n${text}`);
  const result = await runInOwnSandbox('recorded.json', read, 'test');
  expect(failuresOf(result), text).toEqual([]);
  return text;
}

function expectNoSecrets(text: string, { events }: Walker) {
  for (const event of events) {
    if (event.kind === 'issue') expect(text).not.toContain(event.code);
  }
  expect(text).not.toMatch(/eyJ[\w-]+\./);
  expect(text).not.toContain('demo-secret');
}

const credentialsIn = ({ events }: Walker): string[] =>
  events.flatMap((event) => {
    if (event.kind === 'issue') return [event.code];
    if (event.kind === 'decision') return [];
    const { request, response, path } = event.exchange;
    const sent = [path, request.body, response.body, ...request.headers.flat()];
    return sent.flatMap((text) => text.match(/eyJ[\w.-]{40,}|(?<![\w-])[\w-]{43}(?![\w-])/g) ?? []);
  });

/** Neither in the clear nor in base64; what PKCE sends is of one run only. */
function expectNothingSecret(scenario: Scenario, walk: Walker) {
  const text = JSON.stringify(scenario);
  expect(scenario.workspace).toBeUndefined();
  for (const { client_id, client_secret } of [FIRST, SECOND]) {
    expect(text).not.toContain(client_secret);
    expect(text).not.toContain(btoa(`${client_id}:${client_secret}`));
  }
  for (const value of credentialsIn(walk)) {
    if (value !== CHALLENGE && value !== VERIFIER) expect(text).not.toContain(value);
  }
}

describe('a recorded walk', () => {
  test('from the sign-in page to userinfo is a scenario that reads as one wrote it by hand', async () => {
    const walk = await walker();
    const page = await walk.send(authorizeRequest(walk.authorizeFields()), 'code');
    const answer = await walk.send(approval(formOf(page), 'ada'), 'code');
    const location =
      answer.response.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '';
    const code = new URL(location).searchParams.get('code') ?? '';
    const { access_token = '', refresh_token = '' } = await walk.exchange(code);
    await walk.send(walk.refreshRequest(refresh_token));
    await walk.send(userinfoRequest(access_token, 'header'));
    await walk.send(userinfoRequest(access_token, 'body'));

    const scenario = await walk.scenario();
    expect(scenario.steps).toMatchObject([
      { clock: { frozen: true } },
      {
        authorize: { user: 'ada', parameters: { scope: 'openid profile' } },
        expect: { status: 303, redirect: { code: { $type: 'string' }, iss: '{{issuer}}' } },
      },
      { token: { grant: 'authorization_code' }, save: { access_token_1: 'body.access_token' } },
      { token: { grant: 'refresh_token' }, expect: { advisories: ['over_fetch'] } },
      {
        request: { path: '/userinfo', headers: { authorization: 'Bearer {{access_token_1}}' } },
        expect: { status: 200, body: { sub: 'ada' } },
      },
      { request: { path: '/userinfo', form: { access_token: '{{access_token_1}}' } } },
    ]);
    expect(scenario.steps[2]?.token).toEqual({ grant: 'authorization_code' });
    expectNoSecrets(await run(scenario), walk);
  });

  test('of a service with a provider shape takes the shape along, with all settings', async () => {
    const walk = await walker();
    await walk.control.shape.set({ provider: 'auth0' });
    await walk.exchange(await walk.issue({ sub: 'ada', scope: 'openid' }));
    const scenario = await walk.scenario();
    const { shape, settings } = await walk.control.workspace.get();
    expect(scenario.workspace).toMatchObject({ shape: { provider: 'auth0' }, settings });
    expect(scenario.workspace?.shape).toEqual(shape);
    await run(scenario);
  });

  test('with PKCE, of a code issued directly, takes the verifier of its own run', async () => {
    const walk = await walker();
    const code = await walk.issue({
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      scope: 'openid',
      sub: 'ada',
    });
    await walk.exchange(code, VERIFIER);
    const scenario = await walk.scenario();
    expect(scenario.steps[1]?.issue_code).toEqual({ pkce: 'S256', scope: 'openid', user: 'ada' });
    expect(scenario.steps[2]?.token).toEqual({ grant: 'authorization_code' });
    await run(scenario);
  });

  test('throttled: the burst is one step that repeats, the clock moves as it did', async () => {
    const walk = await walker({ throttle: { limit: 3 } });
    await walk.control.clock.update({ frozen: true });
    const { refresh_token = '' } = await walk.exchange(await walk.issue());
    const refresh = walk.refreshRequest(refresh_token);
    const again = () => walk.control.requests.send({ ...refresh, secrets: true });
    const { number: first } = await again();
    await again();
    const exchange = await again();
    walk.events.push({ id: 9, kind: 'burst', count: 3, first, exchange });
    await walk.send(refresh);
    await walk.control.clock.update({ advance_seconds: 60 });
    await walk.send(refresh);
    const scenario = await walk.scenario();
    expect(scenario.workspace?.settings).toEqual({ signing_alg: 'ES256', throttle: { limit: 3 } });
    expect(scenario.steps.slice(3)).toMatchObject([
      { repeat: 3, expect: { status: 200 } },
      { expect: { status: 429, error: 'too_many_requests', failed_check: 'throttle' } },
      { clock: { advance_seconds: 60 } },
      { expect: { status: 200 } },
    ]);
    await run(scenario);
  });

  test('over a clock that was set back is told by dates', async () => {
    const walk = await walker();
    const { refresh_token = '' } = await walk.exchange(await walk.issue());
    await walk.control.clock.update({ now: '2020-01-01T00:00:00Z' });
    await walk.send(walk.refreshRequest(refresh_token));
    const scenario = await walk.scenario();
    expect(scenario.steps.filter(({ clock }) => clock?.now !== undefined)).toHaveLength(2);
    await run(scenario);
  });

  test.each(['throttled_twice', 'lost', 'broken_json'])(
    'into the fault %s arms it again for that one request',
    async (preset) => {
      const walk = await walker();
      const code = await walk.issue();
      await walk.control.faults.create({ preset, times: 1 });
      await walk.send(tokenRequest(walk.fieldsFor(code)));
      await walk.send(tokenRequest(walk.fieldsFor(code)));
      await run(await walk.scenario());
    },
  );

  test('that is saved names its clients, holds no secret of any, and leaves the clock alone', async () => {
    const walk = await walker();
    const { access_token = '' } = await walk.exchange(await walk.issue());
    const form = { token: access_token, client_id: 'second', client_secret: 'second-secret' };
    await walk.send({
      method: 'POST',
      path: '/oauth/revoke',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
    await walk.send({
      method: 'POST',
      path: '/oauth/introspect',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${btoa('second:second-secret')}`,
      },
      body: JSON.stringify({ token: access_token, typed_in: 'A'.repeat(43) }),
    });
    const scenario = await walk.scenario(false);
    expect(scenario.steps).toMatchObject([
      { issue_code: { client: 'demo-app' } },
      { token: { grant: 'authorization_code', client: 'demo-app' } },
      {
        request: {
          client: 'second',
          form: { client_id: 'second', client_secret: '{{client.client_secret}}' },
        },
      },
      { request: { path: '/oauth/introspect' } },
    ]);
    expectNothingSecret(scenario, walk);
    expect(JSON.stringify(scenario)).not.toContain('A'.repeat(43));
  });

  test('that is saved moves the clock only when somebody moved it', async () => {
    const walk = await walker();
    const { refresh_token = '' } = await walk.exchange(await walk.issue());
    await walk.control.clock.update({ advance_seconds: 3600 });
    await walk.send(walk.refreshRequest(refresh_token));
    const scenario = await walk.scenario(false);
    expect(scenario.steps.flatMap(({ clock }) => clock ?? [])).toMatchObject([
      { frozen: true },
      { advance_seconds: expect.closeTo(3600, 0) as number },
    ]);
    await walk.runHere(scenario);
  });

  test('a pushed request is one step with its push, and holds no secret', async () => {
    const walk = await walker();
    const fields = walk.authorizeFields({ scope: 'openid' });
    const pushed = await walk.send(
      pushRequest(fields, { client_id: 'demo-app', client_secret: 'demo-secret' }),
      'code',
    );
    const link = authorizeRequest(pushedFields('demo-app', requestUriOf(pushed) ?? ''));
    const done = await walk.send(approval(formOf(await walk.send(link, 'code')), 'ada'), 'code');
    await walk.exchange(redirectAnswerOf(done)?.get('code') ?? '');
    const scenario = await walk.scenario();
    expect(scenario.steps.flatMap(({ authorize }) => authorize ?? [])).toEqual([
      { user: 'ada', parameters: { scope: 'openid' }, push: true },
    ]);
    expectNoSecrets(await run(scenario), walk);
    await walk.runHere(await walk.scenario(false));
  });

  test('a rejected push is a request of its own', async () => {
    const walk = await walker();
    const fields = walk.authorizeFields({ scope: 'never:heard-of' });
    await walk.send(
      pushRequest(fields, { client_id: 'demo-app', client_secret: 'demo-secret' }),
      'code',
    );
    const scenario = await walk.scenario();
    expect(scenario.steps.at(-1)).toMatchObject({
      request: { path: '/oauth/par' },
      expect: { status: 400, error: 'invalid_scope' },
    });
    expectNoSecrets(await run(scenario), walk);
  });

  test('of a device reads as one wrote it by hand, and waits between its polls', async () => {
    const walk = await walker();
    const { device_code, user_code } = await walk.requestDevice();
    const poll = () => walk.send(tokenRequest(walk.pollFields(device_code)));
    await poll();
    await walk.control.clock.update({ advance_seconds: 5 });
    await poll();
    await walk.decide(user_code, 'approve');
    await poll();
    const scenario = await walk.scenario();
    const grant = DEVICE_CODE_GRANT;
    expect(scenario.steps).toMatchObject([
      { clock: { frozen: true } },
      { authorize_device: { fields: { scope: 'openid' } }, expect: { status: 200 } },
      { token: { grant }, expect: { error: 'authorization_pending', failed_check: 'consent' } },
      { clock: { advance_seconds: 5 } },
      { token: { grant }, expect: { error: 'authorization_pending' } },
      { approve_device: { user: 'ada', scope: 'openid' } },
      { token: { grant }, expect: { status: 200 } },
    ]);
    expect(scenario.steps[2]?.token).toEqual({ grant });
    const text = await run(scenario);
    expectNoSecrets(text, walk);
    expect(text).not.toContain(user_code);
    await walk.runHere(await walk.scenario(false));
  });

  test('with a password takes it along where the user has one, and a saved one holds none', async () => {
    const walk = await walker();
    await walk.control.users.update({ sub: 'ada', password: 'correct horse' });
    const answered = await walk.send(tokenRequest(walk.passwordFields('correct horse')));
    expect(answered.status).toBe(200);
    const scenario = await walk.scenario();
    expect(scenario.workspace?.users).toContainEqual(
      expect.objectContaining({ sub: 'ada', password: 'the-password-of-this-user' }),
    );
    await run(scenario);
    expect(JSON.stringify(await walk.scenario(false))).not.toContain('correct horse');
  });

  test('of a token exchange issues its subject token again, and exchanges it', async () => {
    const walk = await walker();
    const { access_token } = await walk.control.tokens.mint({
      client_id: 'demo-app',
      scope: 'openid profile',
    });
    const answered = await walk.send(tokenRequest(walk.swapFields(access_token)));
    expect(answered.status).toBe(200);
    const scenario = await walk.scenario();
    await run(scenario);
    const steps = scenario.steps.filter(({ clock }) => clock === undefined);
    expect(steps.map(({ issue_tokens, token }) => issue_tokens ?? token)).toMatchObject([
      { scope: 'openid profile' },
      { grant: TOKEN_EXCHANGE_GRANT },
    ]);
    expect(JSON.stringify(steps[1]?.token)).not.toContain('subject_token');
    await walk.runHere(await walk.scenario(false));
  });

  test('of nothing is refused', async () => {
    const walk = await walker();
    await expect(walk.scenario()).rejects.toThrow('No requests yet');
  });
});

async function decided(walk: Walker, decision: DecisionEvent['decision']) {
  const device = await walk.requestDevice();
  await walk.decide(device.user_code, decision);
  return device;
}

/** What the step would send, had nobody made a mistake. */
async function rightFields(
  walk: Walker,
  step: RecordableStep,
  { access_token, refresh_token }: Record<'access_token' | 'refresh_token', string>,
): Promise<Fields> {
  switch (step) {
    case 'code': {
      const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' } as const;
      return walk.authorizeFields({ challenge });
    }
    case 'exchange':
      return walk.fieldsFor(await walk.issue());
    case 'refresh': {
      const { client_id, client_secret } = FIRST;
      return refreshFields({ client_id, client_secret, refresh_token, scope: '' });
    }
    case 'device':
      return walk.deviceMembers;
    case 'decide':
      return [['user_code', (await decided(walk, 'approve')).user_code]];
    case 'poll':
      return walk.pollFields((await decided(walk, 'approve')).device_code);
    case 'password':
      return walk.passwordFields();
    case 'swap':
      return walk.swapFields(access_token);
    case 'api':
      return [];
  }
}

/** What a mistake needs before it can be made, as the flow gets it ready. */
async function prepare(walk: Walker, mistake: Mistake): Promise<Partial<Material>> {
  const { control, issuer } = walk;
  const mint = async (more: object = {}) =>
    (
      await control.tokens.mint({
        client_id: 'demo-app',
        audience: issuer,
        scope: 'openid',
        ...more,
      })
    ).access_token;
  const expireAfter = async (seconds: number) => {
    await control.clock.update({ advance_seconds: seconds });
  };
  const { prepare: how } = mistake;
  if (how === undefined) return {};
  switch (how) {
    case 'code_expired': {
      const spoilt = await walk.issue({ code_expires_in: 1 });
      await expireAfter(1.2);
      return { spoilt };
    }
    case 'code_redeemed': {
      const spoilt = await walk.issue();
      await walk.exchange(spoilt);
      return { spoilt };
    }
    case 'token_expired': {
      const spoilt = await mint({ access_token_expires_in: 1 });
      await expireAfter(1.2);
      return { spoilt };
    }
    case 'token_expired_by_hand': {
      const spoilt = await mint();
      const { items } = await control.tokens.list({ text: spoilt, limit: 1 });
      await control.tokens.expire({ id: items[0]?.id ?? '' });
      return { spoilt };
    }
    case 'token_revoked': {
      const spoilt = await mint();
      const form = { token: spoilt, client_id: 'demo-app', client_secret: 'demo-secret' };
      await walk.send({
        method: 'POST',
        path: '/oauth/revoke',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      });
      return { spoilt };
    }
    case 'device_requested':
      return { device: await walk.requestDevice() };
    case 'device_polled': {
      const device = await walk.requestDevice();
      await walk.send(tokenRequest(walk.pollFields(device.device_code)));
      return { device };
    }
    case 'device_denied':
      return { device: await decided(walk, 'deny') };
    case 'device_expired':
      return { device: await decided(walk, 'expire') };
    case 'device_approved':
      return { device: await decided(walk, 'approve') };
    case 'device_redeemed': {
      const device = await decided(walk, 'approve');
      await walk.send(tokenRequest(walk.pollFields(device.device_code)));
      return { device };
    }
    case 'proof_used':
      throw new Error('made in flow-dpop.test.ts');
    case 'assertion_used':
      throw new Error('made in flow-assertion.test.ts');
    case 'token_without_openid':
      return { spoilt: await mint({ scope: undefined }) };
    case 'sign_in_page':
      return { form: formOf(await walk.send(authorizeRequest(walk.authorizeFields()), 'code')) };
    case 'sign_in_form_sent': {
      const form = formOf(await walk.send(authorizeRequest(walk.authorizeFields()), 'code'));
      await walk.send(approval(form, 'ada'), 'code');
      return { form };
    }
  }
}

/** A scenario has no key to sign assertions with: flow-assertion.test.ts. */
type RecordableStep = Exclude<BreakableStep, 'bearer'>;

const RECORDABLE = (Object.keys(MISTAKES) as BreakableStep[]).filter(
  (step): step is RecordableStep => step !== 'bearer',
);

const ALL = RECORDABLE.flatMap((step) =>
  MISTAKES[step].flatMap(({ name, mistakes }) =>
    mistakes
      // Those of proofs are made in flow-dpop.test.ts.
      .filter(() => name !== 'DPoP proof')
      .map((mistake: Mistake) => ({ step, id: mistake.id, mistake })),
  ),
);

describe('every mistake of the flow', () => {
  let otherEpoch: string;

  beforeAll(async () => {
    const base = await takeGivenWorkspace({ members: {}, signing_alg: 'ES256' }, 'test');
    const now = Date.now();
    const engine = await createEngine({ port: 0, version: 'test', base, now: () => now });
    const control = await engine.getControl();
    ({ access_token: otherEpoch } = await control.tokens.mint({ client_id: 'demo-app' }));
    await engine.close();
  });

  describe.each(['documented', 'strict', 'interop'] as const)('under the profile %s', (profile) => {
    test.each(ALL)('$step $id: is recorded, and runs green', async ({ step, mistake }) => {
      const walk = await walker({ profile });
      const code = await walk.issue();
      const { access_token = '', refresh_token = '' } = await walk.exchange(code);
      const fields = await rightFields(walk, step, { access_token, refresh_token });
      const { clients } = await walk.control.workspace.get();
      if (mistake.id === 'wrong_password') {
        await walk.control.users.update({ sub: 'ada', password: 'correct horse' });
      }
      const prepared = await prepare(walk, mistake);
      const material: Material = {
        fields,
        credentials: { client_id: 'demo-app', client_secret: 'demo-secret' },
        format: step === 'exchange' ? 'json' : 'form',
        path: step === 'device' ? DEVICE_AUTHORIZATION_PATH : TOKEN_PATH,
        other_client: clients.find(({ client_id }) => client_id === 'second') ?? null,
        other_audience: 'https://orders.example/api',
        access_token,
        refresh_token,
        former_token: otherEpoch,
        spoilt: null,
        device: null,
        form: null,
        user_has_password: mistake.id === 'wrong_password',
        dpop: WITHOUT_PROOFS,
        frozen: false,
        mode: 'consent',
        ...prepared,
      };
      const exchange = await walk.send(
        mistake.build(material),
        step === 'code' ? 'code' : 'exchange',
      );
      const rules = { profile, dialect: 'rfc6749', mode: 'consent' } as const;
      expect(verdictOf(mistake, expectationOf(mistake, rules), exchange)).toMatchObject({
        came: true,
      });
      expectNoSecrets(await run(await walk.scenario()), walk);
      const saved = await walk.scenario(false);
      expectNothingSecret(saved, walk);
      await walk.runHere(saved);
    });
  });
});
