// What a walk through the Flow view does and reports, against a running sandbox. No component is rendered.

import { describe, expect, test } from 'vitest';
import type { WalkDocument } from '../../src/renderer/views/flow/flow-document.ts';
import { mistakesAt, PLACES } from '../../src/scenario/mistakes/index.ts';
import {
  WALK_STEP_IDS,
  WALK_STEPS,
  WALKS,
  type WalkGrant,
  type WalkStepId,
} from '../../src/scenario/walks.ts';
import { CREDENTIALS, REDIRECT_URI, startHarness } from '../support/harness.ts';
import { openPage } from '../support/page.ts';

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
async function walker(clients: readonly object[], settings: object = {}) {
  const workspace = {
    clients: [...clients] as never,
    users: [{ sub: 'ada', email: 'ada@example.test', password: 'right' }],
    settings,
  };
  const harness = await startHarness({ workspace, engine: { now: () => Date.now() } });
  const page = await openPage(harness);
  const { nextStep, runAll, runStep } = await import('../../src/renderer/views/flow/flow-run.ts');
  const { obstacleAt, placeOf, runMistakes } =
    await import('../../src/renderer/views/flow/mistakes.ts');
  const { flow, changeFlow, changeDocument, currentChoice } =
    await import('../../src/renderer/views/flow/flow-store.ts');
  const { withGrant } = await import('../../src/renderer/views/flow/flow-state.ts');
  const { withMember } = await import('../../src/renderer/views/flow/flow-document.ts');

  const words = await import('../../src/renderer/views/flow/meaning.ts');
  const exchangeOfEvent = (id: number | null) => {
    const event = flow.getState().events.find((one) => one.id === id);
    return event?.kind === 'exchange' ? event.exchange : null;
  };
  return {
    ...harness,
    ...page,
    words,
    runAll,
    runStep,
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
    next: () => nextStep(flow.getState(), currentChoice()),
    /** Types into a field of a card. */
    type: (step: WalkStepId, path: readonly string[], value: unknown) =>
      changeDocument((document) => withMember(document, step, path, value)),
    outcome: (step: WalkStepId) => flow.getState().steps[step],
    selectedExchange: () => exchangeOfEvent(flow.getState().selected),
    chooseGrant: (grant: WalkGrant) => {
      changeFlow((state) => withGrant(state, grant, null));
      changeDocument((document) =>
        withMember(document, 'password', ['token', 'fields', 'password'], 'right'),
      );
    },
    /** Makes every available mistake of a step. Returns which matched, and the actual response of the others. */
    mistakesOf: async (step: WalkStepId) => {
      const place = placeOf(step);
      if (place === null) throw new Error('This step cannot be broken.');
      await runMistakes(
        step,
        mistakesAt(place).filter((mistake) => obstacleAt(step, mistake) === null),
      );
      const results = flow.getState().mistake_run?.results ?? [];
      return new Map(
        results.map(({ id, verdict, ...result }) => {
          if (verdict === null) return [id, 'reason' in result ? result.reason : ''] as const;
          return [id, verdict.passed ? verdict.expected : `differs: ${verdict.actual}`] as const;
        }),
      );
    },
    obstacle: (step: WalkStepId, id: string) => {
      const place = placeOf(step);
      const mistake = place && mistakesAt(place).find((one) => one.id === id);
      return mistake === null || mistake === undefined ? null : obstacleAt(step, mistake);
    },
  };
}

const CAN_ALL = { ...CREDENTIALS, redirect_uris: [REDIRECT_URI], grant_types: GRANTS };

describe('a grant that no client may use', () => {
  test.for([DEVICE, EXCHANGE, JWT_BEARER, 'password', 'client_credentials'] as WalkGrant[])(
    '%s: the step says that no client may use the grant, and what to do',
    async (grant) => {
      const walk = await walker([
        { ...CREDENTIALS, ...CODE_ONLY },
        { client_id: 'other', client_secret: 'x', ...CODE_ONLY },
      ]);
      walk.chooseGrant(grant);
      await walk.runAll();
      expect(walk.outcome('client')).toMatchObject({
        status: 'rejected',
        text: `No client may use the grant “${WALKS[grant].title}”. Allow it for a client, or register one.`,
      });
    },
  );

  test('the walk completes all steps once a client may use the grant', async () => {
    const walk = await walker([{ ...CREDENTIALS, ...CODE_ONLY }]);
    const { allowGrant } = await import('../../src/renderer/actions/sandbox.ts');
    const { page } = await import('../../src/renderer/connection/state.ts');
    const { registrableKeys } = await import('../../src/renderer/views/flow/page-key.ts');
    for (const grant of [DEVICE, EXCHANGE, JWT_BEARER, 'password', 'client_credentials']) {
      walk.chooseGrant(grant as WalkGrant);
      expect(walk.choice().client).toBeNull();
      const [client] = page.getState().clients;
      if (client === undefined) throw new Error('There is no client.');
      const more = grant === JWT_BEARER ? { jwks: await registrableKeys(client) } : {};
      expect(await allowGrant(client, grant as WalkGrant, more)).toBe(true);
      await walk.runAll();
      const failed = Object.entries(walk.state().steps).filter(
        ([, { status }]) => status === 'rejected',
      );
      expect([grant, failed]).toEqual([grant, []]);
      expect(walk.next()).toBeNull();
    }
  });

  test('the step says when no client is registered', async () => {
    const walk = await walker([]);
    await walk.runAll();
    expect(walk.outcome('client').text).toBe('No client is registered');
  });

  test('an announcement for screen readers ends with exactly one full stop', async () => {
    const { sentencesOf } = await import('../../src/renderer/views/flow/StepList.tsx');
    expect(sentencesOf(['Client: failed', 'There is none.', null])).toBe(
      'Client: failed. There is none.',
    );
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

describe('after a run of all steps', () => {
  test('a client that may not refresh is not offered the refresh step, which says why it was not run', async () => {
    const walk = await walker([{ ...CREDENTIALS, ...CODE_ONLY }]);
    await walk.runAll();
    expect(walk.outcome('api').status).toBe('ok');
    expect(walk.outcome('refresh').status).toBe('todo');
    expect(walk.next()).toBeNull();
    expect(walk.words.reasonNotRun('refresh', walk.choice())).toBe(
      'Not run: this client may not use the refresh_token grant',
    );
    expect(walk.words.reasonNotRun('api', walk.choice())).toBeNull();
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
    const { control } = await import('../../src/renderer/connection/control.ts');
    await control.users.create({ sub: 'bob' });
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
  const { control } = await import('../../src/renderer/connection/control.ts');
  for (const path of ['/authorize', '/oauth/device_authorization']) {
    const match = { path };
    await control.faults.create({ when: 'after', delay_ms: 1, match, effect: { kind: 'truth' } });
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
    const { runFrom } = await import('../../src/renderer/views/flow/flow-run.ts');
    await walk.runStep('code');
    const code = walk.state().variables['code'];
    await runFrom('exchange');
    expect(walk.state().variables['code']).toBe(code);
    const { steps } = walk.state();
    expect([steps.exchange.status, steps.refresh.status, steps.api.status]).toEqual(
      Array(3).fill('ok'),
    );
  });

  test('stops at once: no further request is sent, and the step says so', async () => {
    const walk = await walker([CAN_ALL]);
    const { stopRun } = await import('../../src/renderer/views/flow/flow-run.ts');
    const { flow } = await import('../../src/renderer/views/flow/flow-store.ts');
    const release = flow.subscribe(({ steps }) => {
      if (steps.exchange.status === 'running') stopRun();
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

  test('names the chosen audience and scope, or omits them', async () => {
    const walk = await walker([CAN_ALL]);
    walk.chooseGrant('client_credentials');
    walk.type('client_credentials', ['token', 'fields', 'audience'], null);
    await walk.runStep('client_credentials');
    expect(bodyOf(walk)).not.toMatch(/audience|scope/);
  });

  test('RFC 6750 2.2: carries the access token in the header or in a form', async () => {
    const walk = await walker([CAN_ALL]);
    const { changeDocument } = await import('../../src/renderer/views/flow/flow-store.ts');
    const { withPresented } = await import('../../src/renderer/views/flow/flow-document.ts');
    changeDocument((document) => withPresented(document, { typed: null, in_form: true }));
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

  /** A client that may use none of the grants of the walks but client_credentials. */
  const NARROW = { client_id: 'narrow', client_secret: 'x', grant_types: ['client_credentials'] };
  const SECOND = { ...CAN_ALL, client_id: 'second' };
  const WALKED: readonly (readonly [WalkGrant, readonly WalkStepId[]])[] = [
    ['authorization_code', ['code', 'exchange', 'refresh', 'api']],
    [DEVICE, ['device', 'decide', 'poll']],
    [EXCHANGE, ['swap']],
    ['client_credentials', ['client_credentials']],
    ['password', ['password']],
  ];

  test.for([{}, { dialect: 'auth0' }, { profile: 'strict' }, { profile: 'interop' }])(
    'each mistake on each card gets the expected response, whatever was entered: %j',
    async (settings) => {
      const walk = await walker([CAN_ALL, SECOND, NARROW], settings);
      for (const [grant, steps] of WALKED) {
        walk.chooseGrant(grant);
        walk.change({ client_id: 'demo-app', dpop: true });
        walk.type('exchange', ['token', 'fields', 'scope'], 'openid');
        for (const step of steps) {
          const results = [...(await walk.mistakesOf(step))];
          expect(results.length).toBeGreaterThan(2);
          expect([
            step,
            results.filter(([, result]) => !/^(accepted$|[2345]\d\d)/.test(result)),
          ]).toEqual([step, []]);
        }
      }
    },
  );

  test('expect the status and error of the current dialect', async () => {
    const walk = await walker([CAN_ALL], { dialect: 'auth0' });
    walk.change({ client_id: 'demo-app' });
    const results = await walk.mistakesOf('exchange');
    expect(results.get('used_code')).toBe('403 invalid_grant');
    expect(results.get('wrong_secret')).toBe('401 access_denied');
  });

  test('do not change what the walk holds', async () => {
    const walk = await walker([CAN_ALL]);
    await walk.runStep('code');
    const { variables, held } = walk.state();
    await walk.mistakesOf('exchange');
    expect(walk.state()).toMatchObject({ variables, held });
    await walk.runStep('exchange');
    expect(walk.outcome('exchange').status).toBe('ok');
  });

  test('a mistake with another client is not tried with a client that may not use the grant', async () => {
    const walk = await walker([CAN_ALL, NARROW]);
    walk.change({ client_id: 'demo-app' });
    for (const step of ['exchange', 'refresh'] as const) {
      expect(walk.obstacle(step, 'other_client')).toBe(
        'Needs a second client that may use the grant.',
      );
    }
  });

  test('all mistakes of a step together are not throttled, however few requests a credential may make', async () => {
    const walk = await walker([{ ...CAN_ALL, throttle: { limit: 2, window_seconds: 60 } }, SECOND]);
    walk.change({ client_id: 'demo-app' });
    for (const step of ['exchange', 'refresh'] as const) {
      const results = [...(await walk.mistakesOf(step)).values()];
      expect(results.filter((result) => /429|hrottled/.test(result))).toEqual([]);
    }
  });

  test('a mistake that a user’s counter throttles is reported as not tried', async () => {
    const walk = await walker([{ ...CAN_ALL, throttle: { limit: 1, window_seconds: 60 } }]);
    walk.chooseGrant('password');
    const results = await walk.mistakesOf('password');
    expect(results.get('secret_in_query')).toBe('accepted');
    expect(results.get('wrong_password')).toBe(
      'Throttled because of earlier requests, so nothing was tested. Run it again after the counter is reset.',
    );
  });

  test('the same status and error for another reason do not match', async () => {
    const walk = await walker([CAN_ALL]);
    const { control } = await import('../../src/renderer/connection/control.ts');
    const body = JSON.stringify({ error: 'invalid_grant' });
    const headers = [['Content-Type', 'application/json']] as [string, string][];
    await control.faults.create({
      when: 'instead',
      match: { path: '/oauth/token' },
      effect: { kind: 'answer', status: 400, headers, body },
    });
    const results = await walk.mistakesOf('exchange');
    expect(results.get('wrong_verifier')).toBe('differs: 400 invalid_grant');
  });

  test('a mistake without a response says so in its verdict', async () => {
    const walk = await walker([CAN_ALL]);
    const { control } = await import('../../src/renderer/connection/control.ts');
    await control.faults.create({
      when: 'instead',
      match: { path: '/oauth/token' },
      effect: { kind: 'drop' },
    });
    const results = await walk.mistakesOf('exchange');
    expect(results.get('unknown_code')).toBe('differs: no response');
  });
});
