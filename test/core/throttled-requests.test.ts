// Spec 8.1, behaviour 5: how token requests are counted and throttled.

import { describe, expect, test } from 'vitest';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import {
  admin,
  AS_ADMIN,
  client,
  createTestService,
  expectRefusal,
  sha256,
  signedIn,
  tokenRequest,
  withCode,
} from '../support/core.ts';

const LIMITED = { settings: { throttle: { limit: 2 } } } as const;

describe('over the limit', () => {
  test('spec 8.1, behaviour 5: a request is too_many_requests until the window resets, and the token remains valid', async () => {
    const { refresh_token, refresh, answered, clock } = await signedIn(LIMITED);
    answered(await refresh(refresh_token));
    answered(await refresh(refresh_token));
    clock.advance(17_500);
    const outcome = await refresh(refresh_token);
    const refusal = expectRefusal(outcome, 'throttled');
    expect(refusal.description).toBe(
      'too many requests with this token from this address; retry in 43 s',
    );
    expect(describeCause(refusal).detail).toBe('2 requests in 1 min; resets in 43 s');
    expect(outcome.evaluation.throttle).toMatchObject({
      exceeded: true,
      used: 2,
      limit: 2,
      reset_seconds: 43,
    });
    clock.advance(42_500);
    answered(await refresh(refresh_token));
  });

  test('behaviour 4.6: a throttled request changes no state and is not listed in the lineage', async () => {
    const { code, send, answered, advance } = await withCode(LIMITED);
    const of: unknown[] = [];
    for (let count = 0; count < 5; count++) {
      const { evaluation } = await send({ redirect_uri: 'x' });
      of.push(evaluation.lineage);
    }
    expect(code.state).toBe('issued');
    expect(of).toEqual([code.lineage, code.lineage, null, null, null]);
    advance(60);
    answered(await send());
  });
});

describe('the counters', () => {
  test('spec 8.1, behaviour 5.1: the same token from another address has a window of its own', async () => {
    const { refresh_token, refresh } = await signedIn(LIMITED);
    const from = async (ip: string) => (await refresh(refresh_token, {}, { ip })).answer !== null;
    expect([await from('10.0.0.1'), await from('10.0.0.1'), await from('10.0.0.1')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await from('10.0.0.2')).toBe(true);
  });

  test('spec 8.1: another token from the same address has a window of its own', async () => {
    const { signIn, refresh } = createTestService(LIMITED);
    const [one, two] = [await signIn(), await signIn()];
    for (let count = 0; count < 3; count++) await refresh(one.refresh_token);
    expect((await refresh(two.refresh_token)).answer).not.toBeNull();
  });

  test('behaviour 5: guesses are counted by the guessed value', async () => {
    const { exchange, service } = createTestService(LIMITED);
    const reasons = [];
    for (const code of ['x', 'x', 'x', 'y']) reasons.push((await exchange(code)).refusal?.reason);
    expect(reasons).toEqual(['code_unknown', 'code_unknown', 'throttled', 'code_unknown']);
    expect(service.throttle.list().map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
  });

  test("behaviour 5: another client's attempts count against the same token and address", async () => {
    const { refresh_token, refresh } = await signedIn(LIMITED);
    await refresh(refresh_token, AS_ADMIN);
    await refresh(refresh_token, AS_ADMIN);
    expectRefusal(await refresh(refresh_token), 'throttled');
  });

  test('behaviour 3, 5.1: a request rejected before step 9 is not counted', async () => {
    const { evaluate, exchange, service } = createTestService();
    await exchange('x', { client_secret: 'wrong' });
    await exchange('x', { redirect_uri: '' });
    await evaluate(tokenRequest({ grant_type: 'urn:example:grant', code: 'x' }));
    expect(service.throttle.size).toBe(0);
  });
});

describe("behaviour 5.10: a client's own limit", () => {
  const OWN = {
    settings: { throttle: { limit: 2 } },
    clients: [client({ throttle: { limit: 1, window_seconds: 10 } }), admin()],
  } as const;

  test('behaviour 5: applies to requests of that client, and is named in their rejections', async () => {
    const { refresh_token, refresh, answered, advance } = await signedIn(OWN);
    answered(await refresh(refresh_token));
    expectRefusal(await refresh(refresh_token), 'throttled', '1 request in 10 s; resets in 10 s');
    advance(10);
    answered(await refresh(refresh_token));
  });

  test("behaviour 5: does not apply to another client's requests on the same counter", async () => {
    const { refresh_token, refresh } = await signedIn(OWN);
    const reasons = [];
    for (const parameters of [{}, {}, AS_ADMIN, AS_ADMIN]) {
      reasons.push((await refresh(refresh_token, parameters)).refusal?.reason ?? null);
    }
    expect(reasons).toEqual([null, 'throttled', 'refresh_token_of_other_client', 'throttled']);
  });

  test('behaviour 5: does not override the modes off and observe of the workspace', async () => {
    const { refresh_token, ...bench } = await signedIn(OWN);
    for (const mode of ['observe', 'off'] as const) {
      bench.configure({ throttle: { mode } });
      for (let count = 0; count < 3; count++) bench.answered(await bench.refresh(refresh_token));
    }
  });
});

test('behaviour 5.6: a counter contains digests, never the credential', async () => {
  const { refresh_token, refresh, service, events } = await signedIn();
  await refresh(refresh_token);
  const counters = service.throttle.list();
  expect(JSON.stringify(counters)).not.toContain(refresh_token);
  expect(counters.find(({ kind }) => kind === 'refresh_token')).toMatchObject({
    id: sha256(`${refresh_token} 127.0.0.1`).slice(0, 22),
    credential: sha256(refresh_token).slice(0, 10),
    client_id: 'demo-app',
    ip: '127.0.0.1',
    used: 1,
  });
  const counted = events.filter((event) => event.type === 'counter');
  expect(counted.map(({ counter }) => counter.kind)).toEqual(['code', 'refresh_token']);
});

test('behaviour 5.3: off throttles nothing and counts nothing', async () => {
  const { refresh_token, refresh, service } = await signedIn({
    settings: { throttle: { mode: 'off', limit: 1 } },
  });
  await refresh(refresh_token);
  const { answer, evaluation } = await refresh(refresh_token);
  expect(answer).not.toBeNull();
  expect(evaluation.throttle).toBeNull();
  expect(service.throttle.size).toBe(0);
});
