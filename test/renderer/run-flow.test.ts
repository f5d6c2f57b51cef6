// What a walk through the Flow view does and reports, against a running sandbox. No component is rendered.

import { describe, expect, test, vi } from 'vitest';
import { messageInWords } from '../../src/renderer/sequence/message.ts';
import {
  calledBy,
  withMember,
  withPresented,
  type WalkDocument,
} from '../../src/renderer/views/flow/flow-document.ts';
import { tokenRead, withGrant } from '../../src/renderer/views/flow/flow-state.ts';
import { reasonNotRun } from '../../src/renderer/views/flow/meaning.ts';
import { messageOf } from '../../src/renderer/views/flow/messages.ts';
import { mistakesAt, PLACES } from '../../src/scenario/mistakes/index.ts';
import type { Mistake } from '../../src/scenario/mistakes/mistake.ts';
import {
  WALK_STEP_IDS,
  WALK_STEPS,
  WALKS,
  type WalkGrant,
  type WalkStepId,
} from '../../src/scenario/walks.ts';
import { freePort } from '../support/free-port.ts';
import { CREDENTIALS, REDIRECT_URI, startHarness } from '../support/harness.ts';
import { openPage } from '../support/page.ts';
import { expectPasses } from '../support/scenarios.ts';

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const GRANTS = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'password',
  DEVICE,
  JWT_BEARER,
  EXCHANGE,
] as WalkGrant[];
const CODE_ONLY = { redirect_uris: [REDIRECT_URI], grant_types: ['authorization_code'] } as const;

/** A page and its Flow view. The sandbox clock follows the machine, since a walk sometimes waits. */
async function walker(
  clients: readonly object[],
  settings: object = {},
  { issuer, ...members }: { readonly issuer?: string; readonly apis?: readonly object[] } = {},
) {
  const workspace = {
    clients: [...clients] as never,
    users: [{ sub: 'ada', email: 'ada@example.test', password: 'right' }],
    settings,
    ...(members as object),
  };
  const engine = { now: () => Date.now(), ...(issuer === undefined ? {} : { issuer }) };
  const harness = await startHarness({ workspace, engine });
  const page = await openPage(harness);
  const { nextStep, ...running } = await import('../../src/renderer/views/flow/run-flow.ts');
  const { control: operations } = await import('../../src/renderer/connection/control.ts');
  const { obstacleAt, placeOf, runMistake, runMistakes } =
    await import('../../src/renderer/views/flow/mistakes.ts');
  const { record } = await import('../../src/renderer/views/flow/export-scenario.ts');
  const { flow, changeFlow, changeDocument, currentChoice } =
    await import('../../src/renderer/views/flow/flow-store.ts');
  const exchangeOfEvent = (id: number | null) => {
    const event = flow.getState().events.find((one) => one.id === id);
    return event?.kind === 'exchange' ? event.exchange : null;
  };
  return {
    ...harness,
    ...page,
    ...running,
    /** The operations of the page's connection. */
    operations,
    changeDocument,
    change: (change: Partial<WalkDocument>) =>
      changeDocument((document) => ({ ...document, ...change })),
    /** Calls back once the first message is drawn, while its step still runs. */
    onceDrawn: (act: () => void) => {
      const stop = flow.subscribe(({ events }) => {
        if (events.length === 0) return;
        stop();
        act();
      });
    },
    choice: currentChoice,
    state: flow.getState,
    subscribe: flow.subscribe,
    next: () => nextStep(flow.getState(), currentChoice()),
    /** Types into a field of a card. */
    type: (step: WalkStepId, path: readonly string[], value: unknown) =>
      changeDocument((document) => withMember(document, step, path, value)),
    outcome: (step: WalkStepId) => flow.getState().steps[step],
    selectedExchange: () => exchangeOfEvent(flow.getState().selected),
    /** Adds the key of the page to the client, as its button does. */
    addKey: async () => {
      const { addPageKey } = await import('../../src/renderer/views/flow/page-key.ts');
      const { client } = currentChoice();
      expect(client !== null && (await addPageKey(client))).toBe(true);
    },
    /** Runs the recorded walk as `grantbench run` does. Returns the recording. */
    recorded: async () => {
      const text = JSON.stringify(await record('Recorded', true), null, 2);
      await expectPasses(text);
      return text;
    },
    chooseGrant: (grant: WalkGrant) => {
      changeFlow((state) => withGrant(state, grant, null));
      changeDocument((document) =>
        withMember(document, 'password', ['token', 'fields', 'password'], 'right'),
      );
    },
    /**
     * Makes these mistakes of a step, or every available one. Returns which matched, and the actual response of the
     * others.
     */
    mistakesOf: async (step: WalkStepId, ...ids: readonly string[]) => {
      const place = placeOf(step);
      if (place === null) throw new Error('This step cannot be broken.');
      const mistakes = ids.length > 0 ? ids.map((id) => mistakeAt(step, id)) : mistakesAt(place);
      await runMistakes(
        step,
        mistakes.filter((mistake) => obstacleAt(step, mistake) === null),
      );
      const results = flow.getState().mistake_run?.results ?? [];
      return new Map(
        results.map(({ id, verdict, ...result }) => {
          if (verdict === null) return [id, 'reason' in result ? result.reason : ''] as const;
          return [id, verdict.passed ? verdict.expected : `differs: ${verdict.actual}`] as const;
        }),
      );
    },
    obstacle: (step: WalkStepId, id: string) => obstacleAt(step, mistakeAt(step, id)),
    /** Makes one mistake of a step. */
    mistake: (step: WalkStepId, id: string) => runMistake(step, mistakeAt(step, id)),
  };
}

function mistakeAt(step: WalkStepId, id: string): Mistake {
  const place = PLACES.find((one) => one.id === step);
  const mistake = place && mistakesAt(place).find((one) => one.id === id);
  if (mistake === undefined) throw new Error(`There is no mistake ${id} at ${step}.`);
  return mistake;
}

/** A mistake that got another response than expected, or that was not made. */
const isSurprise = ([, result]: readonly [id: string, result: string]) =>
  !/^(accepted$|[2345]\d\d)/.test(result);

const CAN_ALL = { ...CREDENTIALS, redirect_uris: [REDIRECT_URI], grant_types: GRANTS };

describe('a grant that no client may use', () => {
  test('the step says that no client may use the grant, and what to do', async () => {
    const walk = await walker([
      { ...CREDENTIALS, ...CODE_ONLY },
      { client_id: 'other', client_secret: 'x', ...CODE_ONLY },
    ]);
    const grants = [DEVICE, EXCHANGE, JWT_BEARER, 'password', 'client_credentials'] as WalkGrant[];
    for (const grant of grants) {
      walk.chooseGrant(grant);
      await walk.runAll();
      expect(walk.outcome('client'), grant).toMatchObject({
        status: 'rejected',
        text: `No client may use the grant “${WALKS[grant].title}”. Allow it for a client, or register one.`,
      });
    }
  });

  test.for([
    [DEVICE, 'decide', { badge: 'approved', text: 'as ada' }, '"approve_device"'],
    [EXCHANGE, 'subject', { badge: 'issued', text: 'for ada' }, '"issue_tokens"'],
    [JWT_BEARER, 'assertion', { text: 'for ada, as demo-app' }, '"path": "/userinfo"'],
    ['password', 'password', { badge: '200' }, '"grant": "password"'],
    ['client_credentials', 'token', { badge: 'verified' }, '"grant": "client_credentials"'],
  ] as const)(
    '%s: the walk completes all steps once a client may use the grant, and its recording passes',
    async ([grant, step, outcome, recorded]) => {
      const walk = await walker([{ ...CREDENTIALS, ...CODE_ONLY }]);
      const { allowGrant } = await import('../../src/renderer/actions/sandbox.ts');
      const { page } = await import('../../src/renderer/connection/state.ts');
      const { registrableKeys } = await import('../../src/renderer/views/flow/page-key.ts');
      walk.chooseGrant(grant);
      expect(walk.choice().client).toBeNull();
      const [client] = page.getState().clients;
      if (client === undefined) throw new Error('There is no client.');
      const more = grant === JWT_BEARER ? { jwks: await registrableKeys(client) } : {};
      expect(await allowGrant(client, grant, more)).toBe(true);
      await walk.runAll();
      const failed = Object.entries(walk.state().steps).filter(
        ([, { status }]) => status === 'rejected',
      );
      expect(failed).toEqual([]);
      expect(walk.next()).toBeNull();
      expect(walk.outcome(step)).toMatchObject(outcome);
      if (grant !== 'client_credentials') expect(walk.outcome('api').text).toContain('sub ada');
      expect(await walk.recorded()).toContain(recorded);
    },
  );

  test('the step says when no client is registered', async () => {
    const walk = await walker([]);
    await walk.runAll();
    expect(walk.outcome('client').text).toBe('No client is registered');
  });

  test('the result of a step is announced to screen readers once, in sentences with one full stop', async () => {
    const { newResult } = await import('../../src/renderer/views/flow/StepList.tsx');
    const walk = await walker([{ ...CREDENTIALS, ...CODE_ONLY }]);
    walk.chooseGrant('password');
    const { steps } = walk.state();
    await walk.runAll();
    const ended = walk.state();
    expect(newResult(ended, steps)).toMatch(/^Client: failed\. .* register one\.$/);
    expect(newResult(ended, ended.steps)).toBe('');
  });
});

test('a walk through client_credentials gets a token for the client itself, without user scopes', async () => {
  const walk = await walker([{ ...CREDENTIALS, grant_types: ['client_credentials'] }]);
  walk.chooseGrant('client_credentials');
  await walk.runAll();
  expect(walk.outcome('client_credentials')).toMatchObject({ status: 'ok', badge: '200' });
  expect(walk.outcome('token')).toMatchObject({ status: 'ok', badge: 'verified' });
  const { decodeJwt } = await import('../../src/oauth/jwt.ts');
  const claims = decodeJwt(String(walk.state().variables['access_token']))?.payload;
  expect(claims).toMatchObject({ sub: 'demo-app', client_id: 'demo-app' });
  expect(claims).not.toHaveProperty('scope');
});

test('behaviour 7.23, 7.31: a signed request gets an ID token with the code, and its recording signs it again', async () => {
  const walk = await walker(
    [{ ...CAN_ALL, grant_types: [...GRANTS, 'implicit'], require_signed_request_object: true }],
    { profile: 'interop' },
  );
  await walk.addKey();
  walk.type('code', ['authorize', 'parameters', 'response_type'], 'code id_token');
  walk.type('code', ['authorize', 'parameters', 'nonce'], 'n-1');
  walk.type('code', ['authorize', 'request_object'], {});
  await walk.runAll();
  expect(walk.outcome('code').text).toBe('for ada');
  expect(walk.outcome('api').text).toContain('sub ada');
  const recorded = await walk.recorded();
  expect(recorded).toContain('"request_object"');
  expect(recorded).toContain('"code id_token"');
});

test('RFC 9449 8: a walk with bound tokens and a required nonce is recorded, and its recording passes', async () => {
  const walk = await walker([CAN_ALL], { profile: 'interop', dpop: { require_nonce: true } });
  walk.change({ dpop: true });
  await walk.runAll();
  expect(walk.outcome('api').text).toContain('sub ada');
  await walk.mistake('api', 'as_bearer');
  expect(await walk.recorded()).toContain('"dpop": true');
});

test('a walk is not recorded where it could not be run: its client has gone since', async () => {
  const walk = await walker([CAN_ALL, { ...CAN_ALL, client_id: 'second' }]);
  const { clients } = walk.operations;
  walk.change({ client_id: 'second' });
  await walk.runAll();
  await clients.remove({ client_id: 'second' });
  await expect(walk.recorded()).rejects.toThrow('second is no longer registered');
});

test('a walk is recorded with the sandbox of its run, whatever has changed since', async () => {
  const walk = await walker([CAN_ALL]);
  const { client_id } = CAN_ALL;
  const effect = { kind: 'answer', status: 503 } as const;
  const match = { path: '/userinfo' };
  const { id } = await walk.operations.faults.create({ when: 'instead', match, effect });
  await walk.refresh();
  await walk.runAll();
  await walk.operations.faults.update({ id, effect: { kind: 'drop' } });
  await walk.operations.shape.set({ provider: 'okta' });
  await walk.operations.users.remove({ sub: 'ada' });
  await walk.operations.settings.update({ require_pushed_authorization_requests: true });
  await walk.operations.clients.update({ client_id, grant_types: ['client_credentials'] });
  await walk.refresh();
  expect(await walk.recorded()).toContain('"status": 503');
});

test('a walk in which the settings changed is recorded with a notice, one in which another user was added without', async () => {
  const { notifications, notificationsStore } = await import('@mantine/notifications');
  const { record } = await import('../../src/renderer/views/flow/export-scenario.ts');
  const walk = await walker([CAN_ALL]);
  const noticesAfter = async (change: () => Promise<unknown>) => {
    notifications.clean();
    await change();
    await walk.refresh();
    await walk.runStep('refresh');
    await record('Recorded', true);
    return notificationsStore.getState().notifications.map(({ message }) => message);
  };
  const { users, settings } = walk.operations;
  await walk.runStep('exchange');
  expect(await noticesAfter(() => users.create({ sub: 'bob' }))).toEqual([]);
  walk.change({ sub: 'ada' });
  const shorter = { lifetimes: { access_token: 60 } };
  expect(await noticesAfter(() => settings.update(shorter))).toEqual([
    'The sandbox changed between these requests, so a replay may differ.',
  ]);
});

test('a recorded walk expects only advisories that another sandbox gives, too', async () => {
  const walk = await walker([CAN_ALL]);
  await walk.runAll();
  await walk.refresh();
  expect(await walk.recorded()).toMatch(/"advisories": \[\s*"over_fetch"/);
  await walk.runAll();
  await walk.refresh();
  expect(await walk.recorded()).not.toContain('"advisories"');
});

test('RFC 9126 5: with required pushed requests, the walk and every mistake push theirs', async () => {
  const settings = { require_pushed_authorization_requests: true };
  const walk = await walker([CAN_ALL], settings);
  await walk.runAll();
  expect(walk.outcome('code')).toMatchObject({ status: 'ok', text: 'for ada' });
  const results = [...(await walk.mistakesOf('code'))];
  expect(results.filter(isSurprise)).toEqual([]);
});

test('RFC 9101 10.5: a client that must sign its requests makes no mistakes without a signature', async () => {
  const client = { ...CAN_ALL, require_signed_request_object: true };
  const walk = await walker([client], { profile: 'interop' });
  await walk.addKey();
  await walk.runAll();
  expect(walk.outcome('code')).toMatchObject({ status: 'ok', text: 'for ada' });
  expect(walk.obstacle('code', 'unknown_client')).toBe(
    'This client must sign its requests, and this mistake is made without a signature.',
  );
  const results = [...(await walk.mistakesOf('code'))].filter(([id]) => id.startsWith('request_'));
  expect(results.filter(isSurprise)).toEqual([]);
});

test('behaviour 7.28: a signed userinfo response is read like any other', async () => {
  const client = { ...CAN_ALL, userinfo_signed_response_alg: 'ES256' };
  const walk = await walker([client], { profile: 'interop' });
  await walk.runAll();
  expect(walk.outcome('api')).toMatchObject({ status: 'ok', badge: '200' });
  expect(walk.outcome('api').text).toContain('sub ada');
  await walk.recorded();
});

test('behaviour 7.12: with an issuer that has a path, every step sends its request below it', async () => {
  const walk = await walker([CAN_ALL], {}, { issuer: 'http://login.localhost/tenant' });
  await walk.runAll();
  const done = Object.entries(walk.state().steps).filter(([, { status }]) => status === 'ok');
  expect(done.map(([id]) => id).sort()).toEqual(
    ['client', 'code', 'exchange', 'token', 'refresh', 'api'].sort(),
  );
  const sent = walk
    .state()
    .events.flatMap((event) => (event.kind === 'exchange' ? event.exchange : []));
  expect(sent.map(({ path }) => path).filter((path) => !path.startsWith('/tenant/'))).toEqual([]);
  const statusOf = (path: string) => sent.find((one) => one.path === path)?.status;
  expect(statusOf('/tenant/userinfo')).toBe(200);
  expect(statusOf('/tenant/.well-known/jwks.json')).toBe(200);
});

test('behaviour 19.2: a token for the audience of a protected API is sent to that API', async () => {
  const audience = 'https://orders.example/api';
  const rules = [{ path: '/', methods: ['GET'], scopes: ['orders:read'] }];
  const walk = await walker(
    [{ ...CAN_ALL, default_audience: audience }],
    {},
    { apis: [{ name: 'orders', audience, rules }] },
  );
  await walk.runAll();
  expect(walk.outcome('api')).toMatchObject({ status: 'rejected', badge: '403' });
  walk.type('code', ['authorize', 'parameters', 'scope'], 'openid orders:read');
  await walk.runAll();
  expect(walk.outcome('api')).toMatchObject({ status: 'ok', badge: '200' });
  expect(walk.outcome('api').text).toContain('sub ada');
  expect(calledBy(walk.state().document, walk.choice())).toEqual({
    path: '/api/orders',
    typed: false,
  });
});

test('a device that was denied elsewhere is not approved by the step', async () => {
  const walk = await walker([CAN_ALL]);
  walk.chooseGrant(DEVICE);
  await walk.runStep('device');
  await walk.operations.devices.deny({ id: String(walk.state().variables['user_code']) });
  await walk.runStep('decide');
  expect(walk.outcome('decide').text).toContain('already decided');
  await walk.runStep('poll');
  expect(walk.outcome('poll')).toMatchObject({ status: 'rejected', badge: '400' });
});

describe('after a run of all steps', () => {
  test('a client that may not refresh is not offered the refresh step, which says why it was not run', async () => {
    const walk = await walker([{ ...CREDENTIALS, ...CODE_ONLY }]);
    await walk.runAll();
    expect(walk.outcome('api').status).toBe('ok');
    expect(walk.outcome('refresh').status).toBe('todo');
    expect(walk.next()).toBeNull();
    expect(reasonNotRun('refresh', walk.choice())).toBe(
      'Not run: this client may not use the refresh_token grant',
    );
    expect(reasonNotRun('api', walk.choice())).toBeNull();
  });

  test('“Read the token” and the selected message show the same token', async () => {
    const walk = await walker([CAN_ALL]);
    await walk.runAll();
    expect(walk.outcome('refresh').status).toBe('ok');
    const { active, tab, variables } = walk.state();
    expect([active, tab]).toEqual(['token', 'token']);
    // The decoded token came from the code. The refresh returned another token, which the walk now holds.
    const shown = walk.selectedExchange();
    expect(shown?.grant_type).toBe('authorization_code');
    expect(shown?.response.body).not.toContain(variables['access_token']);
    expect(shown?.response.body).toContain(tokenRead(walk.state()));
  });
});

describe('a step run by itself', () => {
  test.for([
    ['authorization_code', 'api', ['code', 'exchange', 'api']],
    [DEVICE, 'refresh', ['device', 'decide', 'poll', 'refresh']],
    [EXCHANGE, 'swap', ['subject', 'swap']],
    ['password', 'token', ['password', 'token']],
  ] as readonly [WalkGrant, WalkStepId, WalkStepId[]][])(
    '%s: %s first runs only the nearest steps that provide what it needs',
    async ([grant, step, done]) => {
      const walk = await walker([CAN_ALL]);
      walk.chooseGrant(grant);
      await walk.runStep(step);
      const ran = Object.entries(walk.state().steps).filter(([, { status }]) => status === 'ok');
      expect(ran.map(([id]) => id).sort()).toEqual([...done].sort());
    },
  );

  test('a redeemed code is replaced by a new code; a typed code is sent as it is', async () => {
    const walk = await walker([CAN_ALL]);
    await walk.runStep('exchange');
    const code = walk.state().variables['code'];
    await walk.runStep('exchange');
    expect(walk.outcome('exchange').status).toBe('ok');
    expect(walk.state().variables['code']).not.toBe(code);
    walk.type('exchange', ['token', 'fields', 'code'], code);
    await walk.runStep('exchange');
    expect(walk.outcome('exchange')).toMatchObject({ status: 'rejected', badge: '400' });
  });

  test('an issued code replaces a typed code', async () => {
    const walk = await walker([CAN_ALL]);
    walk.type('exchange', ['token', 'fields', 'code'], 'typed');
    await walk.runStep('code');
    await walk.runStep('exchange');
    expect(walk.outcome('exchange').status).toBe('ok');
  });

  test('a code of another user is not exchanged for the selected user', async () => {
    const walk = await walker([CAN_ALL]);
    await walk.operations.users.create({ sub: 'bob' });
    await walk.refresh();
    walk.change({ sub: 'ada' });
    await walk.runStep('code');
    walk.change({ sub: 'bob' });
    await walk.runStep('exchange');
    expect(walk.outcome('code').text).toBe('for bob');
  });

  test('the sign-in page does not open without a request by the user', async () => {
    const walk = await walker([CAN_ALL]);
    walk.change({ way: 'person' });
    await walk.runStep('exchange');
    expect(walk.outcome('exchange').text).toBe('No code was issued. Run step 2 first.');
    expect(walk.outcome('code').status).toBe('todo');
  });
});

test('a fault that only delays does not hide the response to a step', async () => {
  const walk = await walker([CAN_ALL]);
  for (const path of ['/authorize', '/oauth/device_authorization']) {
    const match = { path };
    await walk.operations.faults.create({
      when: 'after',
      delay_ms: 1,
      match,
      effect: { kind: 'truth' },
    });
  }
  await walk.runStep('exchange');
  expect(walk.outcome('exchange').status).toBe('ok');
  walk.chooseGrant(DEVICE);
  await walk.runStep('poll');
  expect(walk.outcome('device').status).toBe('ok');
  expect(walk.outcome('poll').text).toContain('checks');
});

describe('a client that is chosen while a step runs', () => {
  const clients = ['first', 'second'].map((client_id) => ({ ...CAN_ALL, client_id }));

  test.for([
    ['authorization_code', 'code', 'code'],
    ['client_credentials', 'client_credentials', 'access_token'],
  ] as [WalkGrant, WalkStepId, 'code' | 'access_token'][])(
    '%s: is not taken for the one that the credential was requested for',
    async ([grant, step, credential]) => {
      const walk = await walker(clients);
      walk.chooseGrant(grant);
      walk.change({ client_id: 'first', way: 'control' });
      walk.onceDrawn(() => walk.change({ client_id: 'second' }));
      await walk.runStep(step);
      expect(walk.choice().client?.client_id).toBe('second');
      expect(walk.outcome(step).status).toBe('ok');
      expect(walk.state().held[credential]?.client_id).toBe('first');
    },
  );
});

describe('a run of several steps', () => {
  test('starts at the chosen step: earlier steps run only to provide what it lacks', async () => {
    const walk = await walker([CAN_ALL]);
    await walk.runStep('code');
    const code = walk.state().variables['code'];
    await walk.runFrom('exchange');
    expect(walk.state().variables['code']).toBe(code);
    const { steps } = walk.state();
    expect([steps.exchange.status, steps.refresh.status, steps.api.status]).toEqual(
      Array(3).fill('ok'),
    );
  });

  test.for(['demo-app', 'bob'])(
    'ends at its next step when %s is deleted, and does not run an earlier one again',
    async (lost) => {
      const walk = await walker([CAN_ALL, { ...CAN_ALL, client_id: 'second' }]);
      const { page } = await import('../../src/renderer/connection/state.ts');
      await walk.operations.users.create({ sub: 'bob' });
      await walk.refresh();
      walk.change({ client_id: 'demo-app', sub: 'bob', way: 'control' });
      walk.onceDrawn(() => {
        const { clients, users } = page.getState();
        page.setState({
          clients: clients.filter(({ client_id }) => client_id !== lost),
          users: users.filter(({ sub }) => sub !== lost),
        });
      });
      await walk.runAll();
      expect(walk.outcome('exchange')).toEqual({
        status: 'rejected',
        badge: null,
        text: `${lost} was deleted, or another was chosen, during the run.`,
      });
      expect(walk.state().events).toHaveLength(1);
    },
  );

  test('stops at once: no further request is sent, and the step says so', async () => {
    const walk = await walker([CAN_ALL]);
    const release = walk.subscribe(({ steps }) => {
      if (steps.exchange.status === 'running') walk.stopRun();
    });
    await walk.runAll();
    release();
    expect(walk.outcome('code').status).toBe('ok');
    expect(walk.outcome('exchange')).toMatchObject({
      status: 'todo',
      text: 'Stopped before it finished.',
    });
    expect(walk.outcome('token').status).toBe('todo');
    expect(walk.state().running).toBeNull();
  });
});

test('behaviour 2: a reset of the sandbox stops the run, which stays the only one until then', async () => {
  const walk = await walker([CAN_ALL]);
  const { change, withReset } = await import('../../src/renderer/connection/state.ts');
  const running: unknown[] = [];
  walk.onceDrawn(() => {
    change(withReset);
    running.push(walk.state().running);
  });
  await walk.runAll();
  running.push(walk.state().running);
  expect(running).toEqual(['all', null]);
  expect(walk.outcome('code').text).toBe('Stopped before it finished.');
  expect(walk.state().held).toEqual({});
});

test('a sign-in in the browser ends when its client is deleted or the sign-in page moves, and says so', async () => {
  const redirect_uris = [`http://127.0.0.1:${await freePort()}/callback`];
  const walk = await walker([{ ...CAN_ALL, redirect_uris }]);
  walk.change({ way: 'person' });
  const { page } = await import('../../src/renderer/connection/state.ts');
  const { server } = page.getState();
  if (server === null) throw new Error('the server is not known');
  const authorization = 'http://localhost:1/authorize';
  const moved = { ...server, endpoints: { ...server.endpoints, authorization } };
  for (const [change, text] of [
    [{ server: moved }, `The sign-in page has moved to ${authorization}.`],
    [{ clients: [] }, 'demo-app was deleted during the sign-in.'],
  ] as const) {
    page.setState({ server });
    vi.stubGlobal('window', { open: () => page.setState(change) });
    await walk.runStep('code');
    expect(walk.outcome('code')).toEqual({ status: 'rejected', badge: null, text });
    expect(walk.state()).toMatchObject({ person: null, running: null });
  }
});

test('behaviour 2: a reset stops a deliberate mistake, or the run of all, whose step says so', async () => {
  const walk = await walker([CAN_ALL]);
  const { change, withReset } = await import('../../src/renderer/connection/state.ts');
  const runs = [
    () => walk.mistake('exchange', 'wrong_secret'),
    () => walk.mistakesOf('exchange', 'wrong_secret', 'get'),
  ];
  for (const run of runs) {
    walk.onceDrawn(() => change(withReset));
    await run();
    expect(walk.outcome('exchange')).toEqual({
      status: 'todo',
      badge: null,
      text: 'Stopped before it finished.',
    });
  }
});

describe('what a card sends', () => {
  const bodyOf = (walk: Awaited<ReturnType<typeof walker>>) =>
    walk.selectedExchange()?.request.body ?? '';

  test('is the request of the grant with the entered values', async () => {
    const walk = await walker([CAN_ALL]);
    walk.type('exchange', ['token', 'format'], 'form');
    walk.type('exchange', ['token', 'fields', 'client_secret'], 'wrong');
    await walk.runStep('exchange');
    expect(Object.fromEntries(new URLSearchParams(bodyOf(walk)))).toEqual({
      grant_type: 'authorization_code',
      client_id: 'demo-app',
      client_secret: 'wrong',
      redirect_uri: REDIRECT_URI,
      audience: walk.choice().issuer,
      code: walk.state().variables['code'],
    });
  });

  test('RFC 6750 2.2: carries the access token in the header or in a form', async () => {
    const walk = await walker([CAN_ALL]);
    walk.changeDocument((document) => withPresented(document, { typed: null, in_form: true }));
    await walk.runStep('api');
    expect(walk.outcome('api').status).toBe('ok');
    expect(bodyOf(walk)).toContain('access_token=');
  });

  test('behaviour 7.21: asks for a password that the page does not know', async () => {
    const walk = await walker([CAN_ALL]);
    walk.chooseGrant('password');
    walk.type('password', ['token', 'fields', 'password'], undefined);
    await walk.runStep('password');
    expect(walk.outcome('password').text).toBe(
      'ada has a password that this page does not know. Enter it.',
    );
  });
});

describe('deliberate mistakes', () => {
  test('the steps that offer them are those that have them', async () => {
    const { isBreakable } = await import('../../src/renderer/views/flow/BreakMenu.tsx');
    const steps = WALK_STEP_IDS.filter(isBreakable);
    const places = PLACES.map(({ id }) => id).filter((id) => id in WALK_STEPS);
    expect(steps.toSorted()).toEqual(places.toSorted());
  });

  const SECOND = { ...CAN_ALL, client_id: 'second' };
  // test/scenario/mistakes.test.ts and flow-scenario.test.ts make every mistake.
  const CAUSES: readonly (readonly [WalkGrant, WalkStepId, id: string, cause: string])[] = [
    ['authorization_code', 'code', 'request_other_key', 'registered key'],
    ['authorization_code', 'exchange', 'proof_other_uri', 'The proof was created for another URI.'],
    ['authorization_code', 'api', 'as_bearer', 'sent as a bearer token'],
    [DEVICE, 'decide', 'mistyped', 'No device is waiting for this code.'],
    [DEVICE, 'poll', 'other_client', 'presented by client'],
    [EXCHANGE, 'swap', 'unknown_token', 'subject_token'],
    [JWT_BEARER, 'bearer', 'used_assertion', 'used'],
    ['password', 'password', 'wrong_password', 'password'],
  ];

  test('the message of a mistake says why it was rejected', async () => {
    const walk = await walker([CAN_ALL, SECOND], { profile: 'interop' });
    walk.change({ client_id: 'demo-app' });
    await walk.addKey();
    for (const [grant, step, id, cause] of CAUSES) {
      walk.chooseGrant(grant);
      walk.change({ client_id: 'demo-app', dpop: true });
      await walk.mistake(step, id);
      expect(walk.state().verdicts[step]).toMatchObject({ id, passed: true });
      const why = walk.selectedExchange()?.why;
      expect(`${why?.summary} ${why?.detail}`, id).toContain(cause);
    }
  });

  test('behaviour 7: the user can deny at the sign-in page, and the app receives the error', async () => {
    const walk = await walker([CAN_ALL]);
    await walk.mistake('code', 'deny');
    expect(walk.state().verdicts.code).toMatchObject({ id: 'deny', passed: true });
    const answered = walk.state().events.at(-1);
    expect(answered && messageInWords(messageOf(answered), '10:00:00')).toContain(
      'POST /authorize · decision deny, 303 access_denied',
    );
  });

  test('expect the status and error of the current dialect', async () => {
    const walk = await walker([CAN_ALL], { dialect: 'auth0' });
    walk.change({ client_id: 'demo-app' });
    const results = await walk.mistakesOf('exchange', 'used_code', 'wrong_secret');
    expect(results.get('used_code')).toBe('403 invalid_grant');
    expect(results.get('wrong_secret')).toBe('401 access_denied');
  });

  test('send what was entered, get the expected responses, and do not change what the walk holds', async () => {
    const walk = await walker([CAN_ALL]);
    await walk.runStep('code');
    walk.type('exchange', ['token', 'fields', 'scope'], 'openid');
    const { variables, held } = walk.state();
    const results = [...(await walk.mistakesOf('exchange'))];
    expect(results.length).toBeGreaterThan(10);
    expect(results.filter(isSurprise)).toEqual([]);
    expect(walk.selectedExchange()?.request.body).toContain('openid');
    expect(walk.state()).toMatchObject({ variables, held });
    await walk.runStep('exchange');
    expect(walk.outcome('exchange').status).toBe('ok');
  });

  test('a mistake with another client is not tried with a client that may not use the grant', async () => {
    const walk = await walker([CAN_ALL, { ...CODE_ONLY, client_id: 'other', client_secret: 'x' }]);
    walk.change({ client_id: 'demo-app' });
    expect(walk.obstacle('exchange', 'other_client')).toBeNull();
    const needed = 'Needs a second client that may use the grant.';
    expect(walk.obstacle('refresh', 'other_client')).toBe(needed);
    walk.chooseGrant(DEVICE);
    expect(walk.obstacle('poll', 'other_client')).toBe(needed);
  });

  test('a mistake in a client assertion is made by a client that signs one, and by no other', async () => {
    const auth = { token_endpoint_auth_method: 'client_secret_jwt', client_secret: 'x'.repeat(32) };
    const walk = await walker([{ ...CAN_ALL, ...auth }, SECOND], { profile: 'interop' });
    walk.change({ client_id: 'demo-app' });
    const results = [...(await walk.mistakesOf('exchange', 'client_expired'))];
    expect(results).toEqual([['client_expired', '401 invalid_client']]);
    walk.change({ client_id: 'second' });
    expect(walk.obstacle('exchange', 'client_expired')).toContain('Needs a client that');
  });

  test('a mistake in a device authorization request keeps what was entered', async () => {
    const walk = await walker([CAN_ALL]);
    walk.chooseGrant(DEVICE);
    walk.type('device', ['authorize_device', 'fields', 'scope'], 'openid profile');
    await walk.mistake('device', 'unknown_client');
    expect(walk.state().verdicts.device).toMatchObject({ passed: true });
    expect(walk.selectedExchange()?.request.body).toContain('scope=openid+profile');
  });

  test.for([{}, { profile: 'interop', dpop_bound_access_tokens: true }])(
    'behaviour 3: all mistakes of a step together are not throttled, however few requests a credential may make: %j',
    async (members) => {
      const throttle = { limit: 2, window_seconds: 60 };
      const walk = await walker([{ ...CAN_ALL, ...members, throttle }, SECOND]);
      walk.change({ client_id: 'demo-app' });
      for (const step of ['exchange', 'refresh'] as const) {
        const results = [...(await walk.mistakesOf(step))];
        expect(results.length).toBeGreaterThan(10);
        expect([step, results.filter(isSurprise)]).toEqual([step, []]);
      }
    },
  );

  test('a mistake that a user’s counter throttles is reported as not tried', async () => {
    const walk = await walker([{ ...CAN_ALL, throttle: { limit: 1, window_seconds: 60 } }]);
    walk.chooseGrant('password');
    const results = await walk.mistakesOf('password', 'secret_in_query', 'wrong_password');
    expect(results.get('secret_in_query')).toBe('accepted');
    expect(results.get('wrong_password')).toBe(
      'The throttle rejected it, so nothing was tested. Reset the counter or raise the limit, and run it again.',
    );
  });

  test('the same status and error for another reason do not match', async () => {
    const walk = await walker([CAN_ALL]);
    const body = JSON.stringify({ error: 'invalid_grant' });
    const headers = [['Content-Type', 'application/json']] as [string, string][];
    await walk.operations.faults.create({
      when: 'instead',
      match: { path: '/oauth/token' },
      effect: { kind: 'answer', status: 400, headers, body },
    });
    const results = await walk.mistakesOf('exchange', 'wrong_verifier');
    expect(results.get('wrong_verifier')).toBe('differs: 400 invalid_grant, for another reason');
  });

  test('a mistake without a response says so in its verdict', async () => {
    const walk = await walker([CAN_ALL]);
    await walk.operations.faults.create({
      when: 'instead',
      match: { path: '/oauth/token' },
      effect: { kind: 'drop' },
    });
    const results = await walk.mistakesOf('exchange', 'unknown_code');
    expect(results.get('unknown_code')).toBe('differs: no response');
  });
});
