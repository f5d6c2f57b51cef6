// Behaviour 4: the life of an authorization code.

import { describe, expect, test } from 'vitest';
import { stateOf } from '../../src/core/model/credentials.ts';
import {
  AS_ADMIN,
  createTestService,
  expectRefusal,
  refreshRequest,
  signedIn,
  START,
  tokenRequest,
  withCode,
} from '../support/core.ts';

describe('single use', () => {
  test('spec 3, behaviour 4, RFC 6749 4.1.2: a code is redeemed by its first exchange', async () => {
    const { code, send } = await withCode();
    expect(code.state).toBe('issued');
    const { evaluation } = await send();
    expect(code).toMatchObject({
      state: 'redeemed',
      end: { at: START, by: evaluation.exchange },
    });
  });

  test('behaviour 4.1: of 200 simultaneous redemptions exactly one wins', async () => {
    const { issueCode, evaluate } = createTestService({ settings: { throttle: { mode: 'off' } } });
    const code = await issueCode();
    const request = tokenRequest({ code: code.value });
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => evaluate(request)));
    expect(outcomes.filter(({ answer }) => answer !== null)).toHaveLength(1);
    const rejected = outcomes.filter(({ answer }) => answer === null);
    expect(new Set(rejected.map(({ refusal }) => refusal?.reason))).toEqual(
      new Set(['code_redeemed']),
    );
  });

  test('behaviour 3.6, 4.7, RFC 6749 4.1.2: a code presented again by its own client is invalid_grant, and its lineage is revoked', async () => {
    const { code, refresh_token, lineage, exchange, refresh, advance } = await signedIn();
    advance(131);
    const used = 'used at 2026-11-21T10:00:00Z by exchange 1';
    expectRefusal(await exchange(code.value), 'code_redeemed', used);
    expect(lineage.revoked_at).toBe(START + 131_000);
    const revoked = 'revoked at 2026-11-21T10:02:11Z by exchange 2';
    expectRefusal(await refresh(refresh_token), 'refresh_token_revoked', revoked);
  });

  test('behaviour 4: a replay during an exchange leaves the winner with revoked tokens', async () => {
    const { issueCode, evaluate, stores } = createTestService();
    const code = await issueCode();
    const request = tokenRequest({ code: code.value });
    const [first] = await Promise.all([evaluate(request), evaluate(request)]);
    const { refresh_token = '' } = first.answer ?? {};
    expect((await stores.findRefreshToken(refresh_token, START))?.state).toBe('revoked');
    expectRefusal(await evaluate(refreshRequest({ refresh_token })), 'refresh_token_revoked');
  });

  test('behaviour 4: a throttled replay revokes nothing', async () => {
    const { signIn, exchange, configure } = createTestService();
    configure({ throttle: { limit: 1 } });
    const { code, lineage } = await signIn();
    expectRefusal(await exchange(code.value), 'throttled');
    expect(lineage.revoked_at).toBeNull();
  });

  test('behaviour 4: a replay with a wrong secret revokes nothing', async () => {
    const { code, refresh_token, exchange, refresh, answered } = await signedIn();
    await exchange(code.value, { client_secret: 'wrong' });
    answered(await refresh(refresh_token));
  });
});

describe("another client's attempt", () => {
  test('behaviour 3.6: is invalid_grant, the trace names both clients, and the code remains valid', async () => {
    const { send, answered } = await withCode();
    const outcome = await send(AS_ADMIN);
    expectRefusal(
      outcome,
      'code_of_other_client',
      'issued to client Demo application, presented by client Admin',
    );
    expect(outcome.evaluation.lineage).toBeNull();
    answered(await send());
  });

  test('behaviour 4.7: revokes nothing with a redeemed code', async () => {
    const { code, refresh_token, lineage, exchange, refresh, answered } = await signedIn();
    expectRefusal(await exchange(code.value, AS_ADMIN), 'code_of_other_client');
    expect(lineage.revoked_at).toBeNull();
    answered(await refresh(refresh_token));
  });
});

describe('expiry', () => {
  test('behaviour 2, 3.6, 3.12: a code lives 600 s by default: valid at 599.999 s, expired at 600 s, and the cause says how long ago', async () => {
    const { issueCode, exchange, answered, clock } = createTestService();
    const [early, late, later] = [await issueCode(), await issueCode(), await issueCode()];
    clock.advance(599_999);
    answered(await exchange(early.value));
    clock.advance(1);
    expectRefusal(await exchange(late.value), 'code_expired', 'expired 0 s ago');
    clock.advance(3000);
    expectRefusal(await exchange(later.value), 'code_expired', 'expired 3 s ago');
  });

  test('behaviour 4: an expired code stays expired, even when presented again or after the clock is set back, and its lineage is not revoked', async () => {
    const { code, send, advance, clock } = await withCode();
    advance(600);
    expectRefusal(await send(), 'code_expired');
    clock.set(START);
    expectRefusal(await send(), 'code_expired');
    expect(code).toMatchObject({ state: 'expired', end: { at: START + 600_000, by: null } });
    expect(code.lineage.revoked_at).toBeNull();
  });
});

describe('revocation', () => {
  test('behaviour 3.6, 4: a revoked code is invalid_grant, and the cause says when it was revoked', async () => {
    const { code, send, service, advance } = await withCode();
    advance(65);
    await service.end(code, 'revoked');
    expectRefusal(await send(), 'code_revoked', 'revoked at 2026-11-21T10:01:05Z');
  });

  test('behaviour 4.5: revoking a lineage revokes its code', async () => {
    const { code, send, service } = await withCode();
    await service.revokeLineage(code.lineage);
    expectRefusal(await send(), 'code_revoked');
  });

  test('behaviour 4: Expire now ends a code as expired', async () => {
    const { code, send, service } = await withCode();
    await service.end(code, 'expired');
    expectRefusal(await send(), 'code_expired');
  });

  test('behaviour 4.4: terminal states are final: an expired code cannot be revoked', async () => {
    const { service, issueCode, advance, clock } = createTestService();
    const [alone, inLineage] = [await issueCode(), await issueCode()];
    advance(600);
    await service.end(alone, 'revoked');
    await service.revokeLineage(inLineage.lineage);
    for (const code of [alone, inLineage]) expect(stateOf(code, clock.now())).toBe('expired');
  });
});

describe('a value that is not a code', () => {
  test('spec 4.1.1, behaviour 3.6: an unknown code is invalid_grant', async () => {
    const { exchange } = createTestService();
    for (const code of ['nope', ' ', '\0', 'é', '__proto__', 'constructor']) {
      expectRefusal(await exchange(code), 'code_unknown');
    }
  });

  test('behaviour 3: a code is compared exactly', async () => {
    const { issueCode, exchange, answered } = createTestService();
    const { value } = await issueCode();
    for (const near of [`${value} `, ` ${value}`, value.slice(0, -1), value.toLowerCase()]) {
      expect((await exchange(near)).refusal?.reason).toBe('code_unknown');
    }
    answered(await exchange(value));
  });

  test('behaviour 3: a refresh token sent as code is identified in the rejection, and remains valid', async () => {
    const { refresh_token, exchange, refresh, answered } = await signedIn();
    const detail = 'it is a refresh token';
    expectRefusal(await exchange(refresh_token), 'code_is_other_credential', detail);
    answered(await refresh(refresh_token));
  });
});

test('behaviour 4.9: a lineage counts the credentials that were issued in it', async () => {
  const { refresh_token, lineage, refresh } = await signedIn();
  for (let count = 0; count < 5; count++) await refresh(refresh_token);
  expect(lineage.count).toBe(8);
});
