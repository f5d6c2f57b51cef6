// Steps of a client as the Flow view draws them: recorded as a scenario without secrets, and run green by the runner.
// test/renderer/traffic-scenario.test.ts records the requests of an app.

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import { createProofKey } from '../../src/oauth/dpop.ts';
import { DEVICE_CODE_GRANT, TOKEN_EXCHANGE_GRANT } from '../../src/oauth/token-request.ts';
import { boundKeys } from '../../src/renderer/exchange/answer.ts';
import { recordScenario } from '../../src/renderer/recording/scenario.ts';
import { liveSandbox } from '../../src/renderer/sending/live-sandbox.ts';
import type { FlowEvent, NewEvent } from '../../src/renderer/views/flow/flow-state.ts';
import { openSandbox } from '../../src/renderer/views/flow/open-sandbox.ts';
import type { Run } from '../../src/scenario/actions/action.ts';
import type { Answer } from '../../src/scenario/actions/answer.ts';
import { performStep } from '../../src/scenario/actions/index.ts';
import { saveValues } from '../../src/scenario/comparison.ts';
import { mistakesAt, PLACES } from '../../src/scenario/mistakes/index.ts';
import { expectedIn, type Place } from '../../src/scenario/mistakes/mistake.ts';
import { makeMistake, obstacleTo } from '../../src/scenario/mistakes/run-mistakes.ts';
import type { Requester } from '../../src/scenario/mistakes/needs.ts';
import { parseScenarioInUse } from '../../src/scenario/parse.ts';
import { createRun } from '../../src/scenario/runner/create-run.ts';
import { runScenario } from '../../src/scenario/runner/run-steps.ts';
import type { Scenario, ScenarioStep } from '../../src/scenario/schema.ts';
import { givenWorkspace, startEngine } from '../support/engine.ts';
import { expectPassed, expectPasses } from '../support/scenarios.ts';

const REDIRECT = 'http://localhost:3000/callback';
const CODE: ScenarioStep = { token: { grant: 'authorization_code' } };
const REFRESH: ScenarioStep = { token: { grant: 'refresh_token' } };

const registered = (client_id: string) => ({
  client_id,
  client_secret: `${client_id}-secret`,
  redirect_uris: [REDIRECT],
  grant_types: [
    'authorization_code',
    'refresh_token',
    'client_credentials',
    'password',
    DEVICE_CODE_GRANT,
    TOKEN_EXCHANGE_GRANT,
  ],
});
const CLIENTS = [registered('demo-app'), registered('second')];

/**
 * A user of the Flow view, with an engine whose machine time stands still: what each step sends becomes an event, as in
 * the view.
 */
async function walker(settings: object = {}, clients: readonly object[] = CLIENTS) {
  const now = Date.now();
  const workspace = await givenWorkspace({ clients, settings });
  const { control, issuer } = await startEngine(workspace, { now: () => now });
  const events: FlowEvent[] = [];
  const draw = (event: NewEvent) => {
    events.push({ id: events.length + 1, ...event });
  };
  const drawNow = async (eventAt: (at: string) => NewEvent) =>
    draw(eventAt((await control.clock.get()).now));
  const open = async (): Promise<Run> => {
    const { clients: known, users } = await control.workspace.get();
    const step = 'api';
    const sandbox = liveSandbox({
      control,
      issuer,
      clients: known,
      users,
      onExchange: (exchange) => draw({ kind: 'exchange', step, exchange, verdict: null }),
      onIssued: (request, issued) =>
        drawNow((at) => ({ ...issued, kind: 'issue', at, request, sub: 'ada' })),
      onDecided: (decision, { user_code, client_id, sub, granted_scope }) => {
        const scope = granted_scope ?? '';
        return drawNow((at) => ({
          kind: 'decision',
          ...{ at, decision, user_code, client_id, sub, scope },
        }));
      },
      onMinted: (request, { access_token, refresh_token }) =>
        drawNow((at) => ({ kind: 'minted', at, step, request, access_token, refresh_token })),
      onEnded: (how, value) => drawNow((at) => ({ kind: 'ended', at, step, how, value })),
    });
    return createRun(sandbox);
  };
  const run = await open();
  /** @param proof_key of proofs in the recorded events; by default that of the first proof */
  const record = async (with_workspace: boolean, proof_key = {}): Promise<Scenario> => {
    const sandbox = { issuer, ...(await control.workspace.get()) };
    return recordScenario({ name: 'A walk', events, sandbox, with_workspace, ...proof_key });
  };
  return {
    control,
    events,
    run,
    open,
    record,
    /** Performs the steps. Returns their responses. */
    walk: async (...steps: readonly ScenarioStep[]): Promise<Answer[]> => {
      const answers: Answer[] = [];
      for (const step of steps) {
        const answer = await performStep(step, run);
        if (answer === null) continue;
        saveValues(step.save ?? {}, answer, run.variables);
        answers.push(answer);
      }
      return answers;
    },
    /** Records the walk, and runs it as `grantbench run` does. */
    passes: async (proof_key = {}): Promise<Scenario> => {
      const scenario = await record(true, proof_key);
      const text = JSON.stringify(scenario, null, 2);
      await expectPasses(text);
      for (const event of events) {
        if (event.kind === 'issue') expect(text).not.toContain(event.code);
      }
      expect(text).not.toMatch(/eyJ[\w-]+\./);
      expect(text).not.toContain('demo-app-secret');
      return scenario;
    },
    /** Runs the scenario in the current sandbox. */
    passesHere: async (scenario: Scenario) => {
      const former = await control.workspace.get();
      const read = await parseScenarioInUse(JSON.stringify(scenario), former);
      if ('problems' in read) throw new Error(JSON.stringify(read.problems, null, 2));
      const ports = { control, former, onStep: () => undefined };
      const result = await runScenario('saved', read, () => openSandbox(read, ports));
      expectPassed(result, JSON.stringify(scenario, null, 2));
    },
    /** The requester that makes deliberate mistakes, and a run of its own. */
    requester: async (profile: Requester['profile']) => {
      const { access_token: former_token } = await control.tokens.mint({ client_id: 'demo-app' });
      await control.reset({});
      const { clients, users, settings: inForce } = await control.workspace.get();
      const [client, other_client = null] = clients;
      if (client === undefined) throw new Error('There is no client.');
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
      return { requester, live: await open() };
    },
  };
}

const withoutClock = ({ steps }: Scenario) => steps.filter(({ clock }) => clock === undefined);

/** The challenge of RFC 7636 B, which deliberate mistakes send. */
const EXAMPLE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** The codes and tokens in the messages. A PKCE verifier belongs to one run, so it may occur. */
const credentialsIn = (events: readonly FlowEvent[]): string[] =>
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

/** Expects no secret, neither in plain text nor in base64. */
function expectNothingSecret(scenario: Scenario, events: readonly FlowEvent[]) {
  const text = JSON.stringify(scenario);
  expect(scenario.workspace).toBeUndefined();
  for (const { client_id, client_secret } of CLIENTS) {
    expect(text).not.toContain(client_secret);
    expect(text).not.toContain(btoa(`${client_id}:${client_secret}`));
  }
  for (const value of credentialsIn(events)) {
    if (value !== EXAMPLE) expect(text).not.toContain(value);
  }
}

describe('a recorded walk', () => {
  test('from the sign-in page to userinfo becomes a scenario that reads as if written by hand', async () => {
    const { walk, passes } = await walker();
    await walk(
      { authorize: { user: 'ada', parameters: { scope: 'openid profile' } } },
      { ...CODE, save: { first: 'body.access_token' } },
      REFRESH,
      { request: { path: '/userinfo', headers: { authorization: 'Bearer {{first}}' } } },
      { request: { path: '/userinfo', form: { access_token: '{{first}}' } } },
    );
    const { steps } = await passes();
    expect(steps).toMatchObject([
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
    expect(steps[2]?.token).toEqual({ grant: 'authorization_code' });
  });

  test('contains the provider shape and all settings of the service', async () => {
    const { control, open, passes } = await walker();
    await control.shape.set({ provider: 'auth0' });
    const run = await open();
    await performStep({ issue_code: { user: 'ada', scope: 'openid' } }, run);
    await performStep(CODE, run);
    const { workspace } = await passes();
    const { shape, settings } = await control.workspace.get();
    expect(workspace).toMatchObject({ shape: { provider: 'auth0' }, settings });
    expect(workspace?.shape).toEqual(shape);
  });

  test('uses the verifier of its own run after a code was issued directly with PKCE', async () => {
    const { walk, passes } = await walker();
    const issue_code = { pkce: 'S256', scope: 'openid', user: 'ada' } as const;
    await walk({ issue_code }, CODE);
    const [, issued, token] = (await passes()).steps;
    expect(issued?.issue_code).toEqual(issue_code);
    expect(token?.token).toEqual({ grant: 'authorization_code' });
  });

  test('records a throttled burst as one repeating step, with the moves of the clock', async () => {
    const { walk, events, passes } = await walker({ throttle: { limit: 3 } });
    await walk({ clock: { frozen: true } }, { issue_code: {} }, CODE, REFRESH, REFRESH, REFRESH);
    const [first, , last] = events.splice(-3);
    if (first?.kind !== 'exchange' || last?.kind !== 'exchange') throw new Error('Not exchanges.');
    const { number } = first.exchange;
    events.push({ ...last, kind: 'burst', count: 3, first: number });
    await walk(REFRESH, { clock: { advance_seconds: 60 } }, REFRESH);
    const { workspace, steps } = await passes();
    expect(workspace?.settings).toEqual({ signing_alg: 'ES256', throttle: { limit: 3 } });
    expect(steps.slice(3)).toMatchObject([
      { repeat: 3, expect: { status: 200 } },
      { expect: { status: 429, error: 'too_many_requests', failed_check: 'throttle' } },
      { clock: { advance_seconds: 60 } },
      { expect: { status: 200 } },
    ]);
  });

  test('uses dates after the clock was set back', async () => {
    const { walk, passes } = await walker();
    await walk({ issue_code: {} }, CODE, { clock: { now: '2020-01-01T00:00:00Z' } }, REFRESH);
    const { steps } = await passes();
    expect(steps.filter(({ clock }) => clock?.now !== undefined)).toHaveLength(2);
  });

  test.each(['throttled_twice', 'lost', 'broken_json'])(
    'arms the fault %s again for the one request that it affected',
    async (preset) => {
      const { control, walk, passes } = await walker();
      await walk({ issue_code: {} });
      await control.faults.create({ preset, times: 1 });
      await walk(CODE, CODE);
      await passes();
    },
  );

  test('names its clients when saved, contains none of their secrets, and leaves the clock alone', async () => {
    const { walk, record, events } = await walker();
    const form = {
      token: '{{access_token}}',
      client_id: 'second',
      client_secret: 'second-secret',
    };
    const authorization = `Basic ${btoa('second:second-secret')}`;
    const json = { token: '{{access_token}}', typed_in: 'A'.repeat(43) };
    await walk(
      { issue_code: {} },
      CODE,
      { request: { path: '/oauth/revoke', form } },
      { request: { path: '/oauth/introspect', headers: { authorization }, json } },
    );
    const scenario = await record(false);
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
    expectNothingSecret(scenario, events);
    expect(JSON.stringify(scenario)).not.toContain('A'.repeat(43));
  });

  test('moves the clock when saved only if the user moved it', async () => {
    const { walk, record, passesHere } = await walker();
    await walk({ issue_code: {} }, CODE, { clock: { advance_seconds: 3600 } }, REFRESH);
    const scenario = await record(false);
    expect(scenario.steps.flatMap(({ clock }) => clock ?? [])).toMatchObject([
      { frozen: true },
      { advance_seconds: expect.closeTo(3600, 0) as number },
    ]);
    await passesHere(scenario);
  });

  test('turns a pushed request and its push into one step without a secret', async () => {
    const { walk, passes, passesHere, record } = await walker();
    const authorize = { user: 'ada', parameters: { scope: 'openid' }, push: true } as const;
    await walk({ authorize }, CODE);
    const { steps } = await passes();
    expect(steps.flatMap((step) => step.authorize ?? [])).toEqual([authorize]);
    await passesHere(await record(false));
  });

  test('records a request object as one that the run signs again', async () => {
    const { control, run, passes, passesHere, record } = await walker({ profile: 'interop' });
    const key = await createProofKey();
    const own = { ...key.public_jwk, kty: 'EC' as const, kid: 'k1', alg: key.alg };
    await control.clients.update({ client_id: 'demo-app', jwks: { keys: [own] } });
    const assertionKey = () => Promise.resolve({ ...key, kid: 'k1' });
    const authorize = {
      user: 'ada',
      parameters: { scope: 'openid', nonce: 'n-1' },
      request_object: { claims: { max_age: 600 } },
      push: true,
    } as const;
    await performStep({ authorize }, { ...run, sandbox: { ...run.sandbox, assertionKey } });
    await performStep(CODE, run);
    const { steps } = await passes();
    expect(steps.flatMap((step) => step.authorize ?? [])).toEqual([
      {
        user: 'ada',
        parameters: { scope: 'openid', nonce: 'scenario', max_age: '600' },
        push: true,
        request_object: {},
      },
    ]);
    await passesHere(await record(false));
    expect((await control.clients.get({ client_id: 'demo-app' })).jwks?.keys).toEqual([own]);
  });

  test('turns a rejected push into a request step', async () => {
    const { walk, passes } = await walker();
    await walk({ authorize: { parameters: { scope: 'never:heard-of' }, push: true } });
    expect((await passes()).steps.at(-1)).toMatchObject({
      request: { path: '/oauth/par' },
      expect: { status: 400, error: 'invalid_scope' },
    });
  });

  test('of the device flow reads as if written by hand, and waits between polls', async () => {
    const { walk, run, passes, passesHere, record } = await walker();
    const grant = DEVICE_CODE_GRANT;
    const poll = { token: { grant } } as const;
    await walk(
      { authorize_device: { fields: { scope: 'openid' } } },
      poll,
      { clock: { advance_seconds: 5 } },
      poll,
      { approve_device: {} },
      poll,
    );
    const scenario = await passes();
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
    expect(JSON.stringify(scenario)).not.toContain(run.variables.filled('{{user_code}}'));
    await passesHere(await record(false));
  });

  test('contains the password of a user who has one, unless it is saved', async () => {
    const { control, walk, passes, record } = await walker();
    await control.users.update({ sub: 'ada', password: 'correct horse' });
    const [answer] = await walk({
      token: { grant: 'password', fields: { username: 'ada', password: 'correct horse' } },
    });
    expect(answer?.status).toBe(200);
    expect((await passes()).workspace?.users).toContainEqual(
      expect.objectContaining({ sub: 'ada', password: 'the-password-of-this-user' }),
    );
    expect(JSON.stringify(await record(false))).not.toContain('correct horse');
  });

  test('of a token exchange issues its subject token again and exchanges it', async () => {
    const { control, run, walk, passes, passesHere, record } = await walker();
    const wanted = { client_id: 'demo-app', scope: 'openid profile' };
    const { access_token } = await control.tokens.mint(wanted);
    run.variables.set('access_token', access_token);
    const fields = { audience: '{{issuer}}' };
    const [answer] = await walk({ token: { grant: TOKEN_EXCHANGE_GRANT, fields } });
    expect(answer?.status).toBe(200);
    const steps = withoutClock(await passes());
    expect(steps.map(({ issue_tokens, token }) => issue_tokens ?? token)).toMatchObject([
      { scope: 'openid profile' },
      { grant: TOKEN_EXCHANGE_GRANT },
    ]);
    expect(JSON.stringify(steps[1]?.token)).not.toContain('subject_token');
    await passesHere(await record(false));
  });

  test('is rejected without any request', async () => {
    const { record } = await walker();
    await expect(record(true)).rejects.toThrow('No requests yet');
  });
});

describe('RFC 9449: a walk with proofs', () => {
  const AUTHORIZE: ScenarioStep = {
    authorize: { user: 'ada', pkce: 'S256', dpop: true, parameters: { scope: 'openid' } },
  };
  const redeem = (dpop: true | { readonly key: string }): ScenarioStep => ({
    token: { grant: 'authorization_code', dpop },
  });
  const USERINFO: ScenarioStep = {
    request: {
      path: '/userinfo',
      headers: { authorization: 'DPoP {{access_token}}' },
      dpop: true,
    },
  };

  /** A user of a client, public unless it has a secret, who binds tokens to a key. */
  async function proving(client: object = { token_endpoint_auth_method: 'none' }, settings = {}) {
    const members = { profile: 'interop', authorize: 'auto', ...settings };
    const spa = { client_id: 'spa', redirect_uris: [REDIRECT], ...client };
    const { run, passes, record, ...rest } = await walker(members, [spa]);
    const proof_key = (await run.prover.key()).public_jwk;
    return {
      ...rest,
      run,
      passes: () => passes({ proof_key }),
      saved: () => record(false, { proof_key }),
    };
  }

  const dpopOf = ({ steps }: Scenario) =>
    steps.flatMap(({ authorize, token, request }) => (authorize ?? token ?? request)?.dpop ?? []);

  test('is recorded with dpop: true, including a required nonce, and binds the code', async () => {
    const { walk, events, passes } = await proving(undefined, { dpop: { require_nonce: true } });
    const refresh = { token: { grant: 'refresh_token', dpop: true } } as const;
    const answers = await walk(AUTHORIZE, redeem(true), refresh, USERINFO);
    expect(answers.at(-1)?.status).toBe(200);
    const demanded = events.filter(
      (event) => event.kind === 'exchange' && event.exchange.error === 'use_dpop_nonce',
    );
    expect(demanded).toHaveLength(1);
    const scenario = await passes();
    expect(dpopOf(scenario)).toEqual([true, true, true, true]);
    expect(JSON.stringify(scenario)).not.toContain('dpop_jkt');
  });

  test('sends the proof with the pushed request', async () => {
    const { walk, passes } = await proving({ client_secret: 'demo-app-secret' });
    const pushed = { authorize: { ...AUTHORIZE.authorize, push: true } };
    const [, stolen] = await walk(pushed, CODE);
    expect(stolen?.error).toBe('invalid_dpop_proof');
    const { steps } = await passes();
    const [authorize] = steps.flatMap((step) => step.authorize ?? []);
    expect(authorize).toMatchObject({ push: true, dpop: true });
  });

  test('is recorded with its own key when it begins with a mistake that uses another key', async () => {
    const { walk, passes } = await proving();
    const [, refused] = await walk(AUTHORIZE, redeem({ key: 'thief' }));
    expect(refused?.error).toBe('invalid_grant');
    expect(dpopOf(await passes())).toEqual([true, { key: 'key 2' }]);
  });

  test('is recorded with the other key when a public client refreshes with one', async () => {
    const { walk, passes } = await proving();
    const thief = { token: { grant: 'refresh_token', dpop: { key: 'thief' } } } as const;
    const [, , refused] = await walk(AUTHORIZE, redeem(true), thief);
    expect(refused?.error).toBe('invalid_grant');
    expect(dpopOf(await passes())).toEqual([true, true, { key: 'key 2' }]);
  });

  test('names the keys that tokens are bound to', async () => {
    const { walk, run } = await proving();
    const exchanges = (await walk(AUTHORIZE, redeem(true), USERINFO)).slice(1);
    const { jkt } = await run.prover.key();
    expect(exchanges.map(({ exchange }) => boundKeys(exchange as Exchange))).toEqual([
      [{ what: 'The access token in the response', jkt }],
      [{ what: 'The presented access token', jkt }],
    ]);
    expect((await createProofKey()).jkt).not.toBe(jkt);
  });

  test('is saved with neither a proof nor a token', async () => {
    const { walk, saved } = await proving();
    await walk(AUTHORIZE, redeem(true), USERINFO);
    const text = JSON.stringify(await saved());
    expect(text).not.toMatch(/eyJ|workspace/);
    expect(text).toContain('"authorization":"DPoP {{access_token}}"');
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
      const {
        control,
        events,
        requester: open,
        passes,
        passesHere,
        record,
      } = await walker({
        profile,
      });
      for (const { step, id, place, mistake } of mistakes) {
        const password = id === 'wrong_password' ? 'correct horse' : null;
        await control.users.update({ sub: 'ada', password });
        events.length = 0;
        const { requester, live } = await open(profile);
        const result = await makeMistake(ownPlace(place), mistake, requester, live);
        expect(result.skipped, `${step} ${id}`).toBe(obstacleTo(place, mistake, requester));
        if (result.skipped !== null) continue;
        expect(result).toMatchObject({ step, id, passed: true });
        const proof_key = (await live.prover.key()).public_jwk;
        await passes({ proof_key });
        const saved = await record(false, { proof_key });
        expectNothingSecret(saved, events);
        await passesHere(saved);
      }
    },
  );
});
