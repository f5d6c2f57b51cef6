// A walk through the flow as a scenario: recorded from real exchanges, and run green by the runner.

import { describe, expect, test } from 'vitest';
import type { Device, Exchange, IssueCode, SendRequest } from '../../src/control/schemas.ts';
import { deviceOf, redirectAnswerOf } from '../../src/renderer/exchange/answer.ts';
import type { DecisionEvent, FlowEvent } from '../../src/renderer/views/flow/flow-state.ts';
import { liveSandbox } from '../../src/renderer/sending/live-sandbox.ts';
import { mistakesAt, PLACES } from '../../src/scenario/mistakes/index.ts';
import { expectedIn, type Place } from '../../src/scenario/mistakes/mistake.ts';
import {
  makeMistake,
  obstacleTo,
  type Requester,
} from '../../src/scenario/mistakes/run-mistakes.ts';
import { performStep } from '../../src/scenario/actions/index.ts';
import { createRun } from '../../src/scenario/runner/create-run.ts';
import type { JsonObject } from '../../src/json.ts';
import { createProofKey } from '../../src/oauth/dpop.ts';
import {
  deviceAuthorizationRequest,
  DEVICE_CODE_GRANT,
  TOKEN_EXCHANGE_GRANT,
  TOKEN_TYPES,
  tokenRequest,
} from '../../src/oauth/token-request.ts';
import type { Fields } from '../../src/oauth/fields.ts';
import { requestUriOf } from '../../src/renderer/recording/recording.ts';
import { recordScenario } from '../../src/renderer/recording/scenario.ts';
import { approval, signInFormOf, type SignInForm } from '../../src/scenario/sign-in-form.ts';
import { openSandbox } from '../../src/renderer/views/flow/open-sandbox.ts';
import { parseScenarioInUse } from '../../src/scenario/parse.ts';
import { runScenario } from '../../src/scenario/runner/run-steps.ts';
import type { Scenario } from '../../src/scenario/schema.ts';
import {
  authorizeRequest,
  fieldsOf,
  pushRequest,
  userinfoRequest,
} from '../support/client-requests.ts';
import { givenWorkspace, startEngine } from '../support/engine.ts';
import { expectPassed, expectPasses } from '../support/scenarios.ts';

const REDIRECT = 'http://localhost:3000/callback';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

const GRANTS = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'password',
  DEVICE_CODE_GRANT,
  TOKEN_EXCHANGE_GRANT,
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

/**
 * A user of the Flow view, with an engine whose machine time stands still: each request becomes an event, as in the
 * view.
 */
async function walker(settings: Settings = {}) {
  const members = { clients: [FIRST, SECOND], settings };
  const now = Date.now();
  const { control, issuer } = await startEngine(await givenWorkspace(members), { now: () => now });
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
    const device = deviceOf(await send(deviceAuthorizationRequest(deviceMembers)));
    if (device === null) throw new Error('no device code came');
    return device;
  };
  const pollFields = (device_code: string) =>
    fieldsOf({ grant_type: DEVICE_CODE_GRANT, ...credentials, device_code });
  const decide = async (user_code: string, decision: DecisionEvent['decision']) =>
    drawDecided(decision, await control.devices[decision]({ id: user_code }));
  const drawDecided = async (decision: DecisionEvent['decision'], device: Device) => {
    const { user_code, client_id, sub, granted_scope } = device;
    const { now: at } = await control.clock.get();
    const scope = granted_scope ?? '';
    const event = { kind: 'decision', at, decision, user_code, client_id, sub, scope } as const;
    events.push({ id: events.length + 1, ...event });
  };
  const fieldsFor = (code: string, code_verifier: string | null = null) =>
    fieldsOf({
      grant_type: 'authorization_code',
      ...credentials,
      audience: issuer,
      redirect_uri: REDIRECT,
      code,
      code_verifier,
    });
  const body = ({ response }: Exchange) => JSON.parse(response.body) as Record<string, string>;

  return {
    issuer,
    control,
    events,
    /** Runs it in the current sandbox. */
    runHere: async (scenario: Scenario) => {
      const former = await control.workspace.get();
      const read = await parseScenarioInUse(JSON.stringify(scenario), former);
      if ('problems' in read) throw new Error(JSON.stringify(read.problems, null, 2));
      const ports = { onStep: () => undefined };
      const result = await runScenario('saved', read, () =>
        openSandbox(read, { control, former, ...ports }),
      );
      expectPassed(result, JSON.stringify(scenario, null, 2));
    },
    send,
    issue,
    deviceMembers,
    requestDevice,
    pollFields,
    decide,
    fieldsFor,
    passwordFields: (password = 'any-password') =>
      fieldsOf({
        grant_type: 'password',
        ...credentials,
        username: 'ada',
        password,
        audience: issuer,
      }),
    swapFields: (subject_token: string) =>
      fieldsOf({
        grant_type: TOKEN_EXCHANGE_GRANT,
        ...credentials,
        subject_token,
        subject_token_type: TOKEN_TYPES.access_token,
        audience: issuer,
      }),
    authorizeFields: (more: Parameters<typeof fieldsOf>[0] = {}) =>
      fieldsOf({
        response_type: 'code',
        client_id: 'demo-app',
        redirect_uri: REDIRECT,
        scope: 'openid profile',
        audience: issuer,
        state: 'f00d',
        login_hint: 'ada',
        ...more,
      }),
    exchange: async (code: string, verifier: string | null = null) =>
      body(await send(tokenRequest(fieldsFor(code, verifier)))),
    refreshRequest: (refresh_token: string) =>
      tokenRequest(fieldsOf({ grant_type: 'refresh_token', ...credentials, refresh_token })),
    scenario: async (with_workspace = true, proof_key?: JsonObject): Promise<Scenario> => {
      const sandbox = { issuer, ...(await control.workspace.get()) };
      const proofs = proof_key === undefined ? {} : { proof_key };
      return recordScenario({
        name: 'A recorded walk',
        events,
        sandbox,
        with_workspace,
        ...proofs,
      });
    },
    /** The requester that makes deliberate mistakes, and a run in which every step becomes an event. */
    requester: async (profile: Requester['profile']) => {
      const { access_token: former_token } = await control.tokens.mint({ client_id: 'demo-app' });
      await control.reset({});
      const { clients, users, settings: inForce } = await control.workspace.get();
      const [client, other_client = null] = clients;
      if (client === undefined) throw new Error('There is no client.');
      const sandbox = liveSandbox({
        control,
        issuer,
        clients,
        users,
        onExchange: (exchange) =>
          events.push({
            id: events.length + 1,
            kind: 'exchange',
            step: 'api',
            exchange,
            verdict: null,
          }),
        onIssued: async (request, issued) => {
          const { now: at } = await control.clock.get();
          const event = {
            ...issued,
            id: events.length + 1,
            kind: 'issue',
            at,
            request,
            sub: 'ada',
          };
          events.push(event as FlowEvent);
        },
        onDecided: drawDecided,
        onMinted: async (request, { access_token, refresh_token }) => {
          const { now: at } = await control.clock.get();
          const minted = { at, request, access_token, refresh_token } as const;
          events.push({ id: events.length + 1, kind: 'minted', step: 'api', ...minted });
        },
        onEnded: async (how, value) => {
          const { now: at } = await control.clock.get();
          events.push({ id: events.length + 1, kind: 'ended', step: 'api', at, how, value });
        },
      });
      const requester: Requester = {
        client,
        other_client,
        profile,
        former_token,
        settings: inForce,
        user: { sub: 'ada', has_password: users[0]?.password !== null },
        proves: false,
        pushes: false,
        signing_client: null,
        other_audience: 'https://orders.example/api',
        api: null,
      };
      return { requester, run: createRun(sandbox) };
    },
  };
}

type Walker = Awaited<ReturnType<typeof walker>>;

function formOf(exchange: Exchange): SignInForm {
  const form = signInFormOf(exchange);
  if (form === null) throw new Error('nobody was asked to sign in');
  return form;
}

/** Runs it as `grantbench run` does, after it was written to a file and read back. */
async function run(scenario: Scenario) {
  const text = JSON.stringify(scenario, null, 2);
  await expectPasses(text);
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
    if (event.kind === 'decision' || event.kind === 'ended') return [];
    if (event.kind === 'minted') return [event.access_token, event.refresh_token ?? []].flat();
    const { request, response, path } = event.exchange;
    const sent = [path, request.body, response.body, ...request.headers.flat()].map((text) =>
      text.replaceAll(/code_verifier\W{1,3}[\w-]{43}/g, ''),
    );
    return sent.flatMap((text) => text.match(/eyJ[\w.-]{40,}|(?<![\w-])[\w-]{43}(?![\w-])/g) ?? []);
  });

/** Expects no secret, neither in plain text nor in base64. PKCE values belong to one run, so they may occur. */
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
  test('from the sign-in page to userinfo becomes a scenario that reads as if written by hand', async () => {
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

  test('contains the provider shape and all settings of the service', async () => {
    const walk = await walker();
    await walk.control.shape.set({ provider: 'auth0' });
    await walk.exchange(await walk.issue({ sub: 'ada', scope: 'openid' }));
    const scenario = await walk.scenario();
    const { shape, settings } = await walk.control.workspace.get();
    expect(scenario.workspace).toMatchObject({ shape: { provider: 'auth0' }, settings });
    expect(scenario.workspace?.shape).toEqual(shape);
    await run(scenario);
  });

  test('uses the verifier of its own run after a code was issued directly with PKCE', async () => {
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

  test('records a throttled burst as one repeating step, with the moves of the clock', async () => {
    const walk = await walker({ throttle: { limit: 3 } });
    await walk.control.clock.update({ frozen: true });
    const { refresh_token = '' } = await walk.exchange(await walk.issue());
    const refresh = walk.refreshRequest(refresh_token);
    const again = () => walk.control.requests.send({ ...refresh, secrets: true });
    const { number: first } = await again();
    await again();
    const exchange = await again();
    walk.events.push({ id: 9, kind: 'burst', step: 'refresh', count: 3, first, exchange });
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

  test('uses dates after the clock was set back', async () => {
    const walk = await walker();
    const { refresh_token = '' } = await walk.exchange(await walk.issue());
    await walk.control.clock.update({ now: '2020-01-01T00:00:00Z' });
    await walk.send(walk.refreshRequest(refresh_token));
    const scenario = await walk.scenario();
    expect(scenario.steps.filter(({ clock }) => clock?.now !== undefined)).toHaveLength(2);
    await run(scenario);
  });

  test.each(['throttled_twice', 'lost', 'broken_json'])(
    'arms the fault %s again for the one request that it affected',
    async (preset) => {
      const walk = await walker();
      const code = await walk.issue();
      await walk.control.faults.create({ preset, times: 1 });
      await walk.send(tokenRequest(walk.fieldsFor(code)));
      await walk.send(tokenRequest(walk.fieldsFor(code)));
      await run(await walk.scenario());
    },
  );

  test('names its clients when saved, contains none of their secrets, and leaves the clock alone', async () => {
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

  test('moves the clock when saved only if the user moved it', async () => {
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

  test('turns a pushed request and its push into one step without a secret', async () => {
    const walk = await walker();
    const fields = walk.authorizeFields({ scope: 'openid' });
    const pushed = await walk.send(
      pushRequest(fields, { client_id: 'demo-app', client_secret: 'demo-secret' }),
      'code',
    );
    const link = authorizeRequest(
      fieldsOf({ client_id: 'demo-app', request_uri: requestUriOf(pushed) }),
    );
    const done = await walk.send(approval(formOf(await walk.send(link, 'code')), 'ada'), 'code');
    await walk.exchange(redirectAnswerOf(done)?.get('code') ?? '');
    const scenario = await walk.scenario();
    expect(scenario.steps.flatMap(({ authorize }) => authorize ?? [])).toEqual([
      { user: 'ada', parameters: { scope: 'openid' }, push: true },
    ]);
    expectNoSecrets(await run(scenario), walk);
    await walk.runHere(await walk.scenario(false));
  });

  test('records a request object as one that the run signs again', async () => {
    const walk = await walker({ profile: 'interop' });
    const { run: sent } = await walk.requester('interop');
    const key = await createProofKey();
    const { sandbox } = sent;
    const registered = { ...key.public_jwk, kty: 'EC' as const, kid: 'k1', alg: key.alg };
    await walk.control.clients.update({ client_id: 'demo-app', jwks: { keys: [registered] } });
    const parameters = { scope: 'openid', nonce: 'n-1' };
    const signing = { ...sandbox, assertionKey: () => Promise.resolve({ ...key, kid: 'k1' }) };
    const request_object = { claims: { max_age: 600 } };
    const step = { authorize: { user: 'ada', parameters, request_object, push: true } };
    await performStep(step, { ...sent, sandbox: signing });
    await performStep({ token: { grant: 'authorization_code' } }, sent);
    const scenario = await walk.scenario();
    const [authorization] = scenario.steps.flatMap(({ authorize }) => authorize ?? []);
    expect(authorization).toEqual({
      user: 'ada',
      parameters: { scope: 'openid', nonce: 'scenario', max_age: '600' },
      push: true,
      request_object: {},
    });
    expectNoSecrets(await run(scenario), walk);
    await walk.runHere(await walk.scenario(false));
    expect((await walk.control.clients.get({ client_id: 'demo-app' })).jwks?.keys).toEqual([
      registered,
    ]);
  });

  test('turns a rejected push into a request step', async () => {
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

  test('of the device flow reads as if written by hand, and waits between polls', async () => {
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

  test('contains the password of a user who has one, unless it is saved', async () => {
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

  test('of a token exchange issues its subject token again and exchanges it', async () => {
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

  test('is rejected without any request', async () => {
    const walk = await walker();
    await expect(walk.scenario()).rejects.toThrow('No requests yet');
  });
});

describe('behaviour 1 and 3: every mistake of the flow', () => {
  /** As the password card sends it for a user without a password. */
  const ownPlace = (place: Place): Place => {
    const { token } = place.step;
    if (token?.grant !== 'password') return place;
    const fields = { ...token.fields, password: 'any-password' };
    return { ...place, step: { token: { ...token, fields } } };
  };

  // Exports leave out what is wrongly signed with a key that only the page has.
  const ALL = PLACES.filter(({ id }) => id !== 'bearer').flatMap((place) =>
    mistakesAt(place)
      .filter(({ id, needs = [] }) => {
        const isSigned =
          needs.includes('request_object_key') || id === 'client_unregistered_method';
        return !isSigned && place.id !== 'registration';
      })
      .map((mistake) => ({ step: place.id, id: mistake.id, place, mistake })),
  );

  const PROFILES = ['interop', 'documented', 'strict'] as const;
  const RUNS = ALL.flatMap((one) =>
    PROFILES.filter((profile, rank) => {
      const earlier = PROFILES.slice(0, rank).map((other) => expectedIn(one.mistake, other));
      return !earlier.includes(expectedIn(one.mistake, profile));
    }).map((profile) => ({ profile, ...one })),
  );

  test('the interop profile can make every one that another profile can make', async () => {
    const { requester } = await (await walker()).requester('documented');
    const canMake = (profile: Requester['profile']) =>
      ALL.filter(
        ({ place, mistake }) => obstacleTo(place, mistake, { ...requester, profile }) === null,
      );
    const inInterop = new Set(canMake('interop'));
    const missing = [...canMake('documented'), ...canMake('strict')].filter(
      (one) => !inInterop.has(one),
    );
    expect(missing).toEqual([]);
  });

  const STEPS = PROFILES.flatMap((profile) =>
    PLACES.map(({ id: step }) => ({
      profile,
      step,
      mistakes: RUNS.filter((one) => one.profile === profile && one.step === step),
    })),
  ).filter(({ mistakes }) => mistakes.length > 0);

  // Recording does not depend on the profile, only on the response.
  test.each(STEPS)(
    '$step in the $profile profile: matches, is recorded, and the scenario passes',
    async ({ profile, mistakes }) => {
      const walk = await walker({ profile });
      for (const { step, id, place, mistake } of mistakes) {
        const password = id === 'wrong_password' ? 'correct horse' : null;
        await walk.control.users.update({ sub: 'ada', password });
        walk.events.length = 0;
        const { requester, run: live } = await walk.requester(profile);
        const result = await makeMistake(ownPlace(place), mistake, requester, live);
        expect(result.skipped, `${step} ${id}`).toBe(obstacleTo(place, mistake, requester));
        if (result.skipped !== null) continue;
        expect(result).toMatchObject({ step, id, passed: true });
        const proof_key = (await live.prover.key()).public_jwk;
        expectNoSecrets(await run(await walk.scenario(true, proof_key)), walk);
        const saved = await walk.scenario(false, proof_key);
        expectNothingSecret(saved, walk);
        await walk.runHere(saved);
      }
    },
  );
});
