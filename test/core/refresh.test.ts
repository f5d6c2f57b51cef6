// Behaviour 4: the life of a refresh token, without and with rotation.

import { describe, expect, test } from 'vitest';
import { stateOf } from '../../src/core/model/credentials.ts';
import type { TestService } from '../support/core.ts';
import {
  AS_ADMIN,
  client,
  createTestService,
  expectRefusal,
  ISSUER,
  ORDERS,
  PUBLIC,
  refreshRequest,
  signedIn,
  START,
} from '../support/core.ts';

const rotating = (grace_seconds = 0) =>
  createTestService({ settings: { refresh_rotation: { enabled: true, grace_seconds } } });

/** Signs in and rotates once: the replaced token and its successor. */
async function rotateOnce(bench: TestService) {
  const { refresh_token: replaced, lineage } = await bench.signIn();
  const { refresh_token: next = '' } = bench.answered(await bench.refresh(replaced));
  return { replaced, next, lineage };
}

describe('without rotation', () => {
  test('spec 3, 4.1.2, behaviour 4: a refresh token can be used repeatedly and stays active', async () => {
    const { refresh_token, refresh, answered, storedToken } = await signedIn();
    for (let count = 0; count < 5; count++) {
      expect(answered(await refresh(refresh_token))).not.toHaveProperty('refresh_token');
    }
    expect((await storedToken(refresh_token)).state).toBe('active');
  });

  test('spec 8.3, behaviour 2: a refresh token lives 30 days by default: it is valid a millisecond before, then expired', async () => {
    const { refresh_token, refresh, answered, clock } = await signedIn();
    clock.advance(30 * 86_400_000 - 1);
    answered(await refresh(refresh_token));
    clock.advance(1);
    expectRefusal(await refresh(refresh_token), 'refresh_token_expired');
    clock.advance(42_000);
    expectRefusal(await refresh(refresh_token), 'refresh_token_expired', 'expired 42 s ago');
  });

  test('behaviour 3.6, 4: a revoked refresh token is invalid_grant, and its lineage is revoked', async () => {
    const { refresh_token, lineage, service, refresh, storedToken } = await signedIn();
    await service.end(await storedToken(refresh_token), 'revoked');
    expect(lineage.revoked_at).toBe(START);
    expectRefusal(await refresh(refresh_token), 'refresh_token_revoked');
  });

  test("behaviour 3.6, 4: another client's attempt is invalid_grant, revokes nothing, and the token remains valid", async () => {
    const { refresh_token, lineage, refresh, answered } = await signedIn();
    const outcome = await refresh(refresh_token, AS_ADMIN);
    const detail = 'issued to client Demo application, presented by client Admin';
    expectRefusal(outcome, 'refresh_token_of_other_client', detail);
    expect(lineage.revoked_at).toBeNull();
    expect(outcome.evaluation.lineage).toBeNull();
    answered(await refresh(refresh_token));
  });
});

describe('with rotation', () => {
  test('behaviour 2.2, 4.2: the response contains a new refresh token, and the former token is rotated', async () => {
    const bench = rotating();
    const { replaced, next } = await rotateOnce(bench);
    expect(next).toMatch(/^[\w-]{43}$/);
    expect(next).not.toBe(replaced);
    expect(await bench.storedToken(replaced)).toMatchObject({ state: 'rotated', end: { by: 2 } });
    bench.answered(await bench.refresh(next));
  });

  test('behaviour 4.8, RFC 9700 4.14.2: without a grace window a rotated token is invalid_grant, and its lineage is revoked', async () => {
    const bench = rotating();
    const { replaced, next, lineage } = await rotateOnce(bench);
    const detail = 'replaced at 2026-11-21T10:00:00Z by exchange 2';
    expectRefusal(await bench.refresh(replaced), 'refresh_token_rotated', detail);
    expect(lineage.revoked_at).toBe(START);
    expectRefusal(await bench.refresh(next), 'refresh_token_revoked');
  });

  test('behaviour 4.8: within a grace window of 60 s a rotated token is valid and revokes nothing', async () => {
    const bench = rotating(60);
    const { replaced, next, lineage } = await rotateOnce(bench);
    bench.clock.advance(59_999);
    const again = bench.answered(await bench.refresh(replaced));
    expect(again.refresh_token).toMatch(/^[\w-]{43}$/);
    expect(lineage.revoked_at).toBeNull();
    bench.answered(await bench.refresh(next));
  });

  test('behaviour 4.8: at 60 s the grace window has ended, and the lineage is revoked with every token', async () => {
    const bench = rotating(60);
    const { replaced, next, lineage } = await rotateOnce(bench);
    const { refresh_token: second = '' } = bench.answered(await bench.refresh(replaced));
    bench.advance(60);
    expectRefusal(await bench.refresh(replaced), 'refresh_token_rotated');
    expect(lineage.revoked_at).toBe(START + 60_000);
    for (const token of [next, second]) {
      expect((await bench.refresh(token)).refusal?.reason).toBe('refresh_token_revoked');
    }
  });

  test('behaviour 4: the grace window starts at the first rotation', async () => {
    const bench = rotating(60);
    const { replaced } = await rotateOnce(bench);
    bench.advance(40);
    bench.answered(await bench.refresh(replaced));
    bench.advance(40);
    expectRefusal(await bench.refresh(replaced), 'refresh_token_rotated');
  });

  test("behaviour 4: another client's attempt with a rotated token revokes nothing", async () => {
    const bench = rotating();
    const { replaced, next, lineage } = await rotateOnce(bench);
    expectRefusal(await bench.refresh(replaced, AS_ADMIN), 'refresh_token_of_other_client');
    expect(lineage.revoked_at).toBeNull();
    bench.answered(await bench.refresh(next));
  });

  test('behaviour 4: a throttled replay of a rotated token revokes nothing', async () => {
    const bench = rotating();
    const { replaced, lineage } = await rotateOnce(bench);
    bench.configure({ refresh_rotation: { enabled: true }, throttle: { limit: 1 } });
    expectRefusal(await bench.refresh(replaced), 'throttled');
    expect(lineage.revoked_at).toBeNull();
  });

  test('behaviour 4: without a grace window exactly one of 200 simultaneous refreshes wins', async () => {
    const bench = rotating();
    const { refresh_token, lineage } = await bench.signIn();
    bench.configure({ refresh_rotation: { enabled: true }, throttle: { mode: 'off' } });
    const request = refreshRequest({ refresh_token });
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => bench.evaluate(request)));
    expect(outcomes.filter(({ answer }) => answer !== null)).toHaveLength(1);
    expect(lineage.revoked_at).toBe(START);
  });

  test('behaviour 4: within the grace window all simultaneous refreshes succeed', async () => {
    const bench = rotating(10);
    const { refresh_token, lineage } = await bench.signIn();
    const request = refreshRequest({ refresh_token });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => bench.evaluate(request)));
    const replacements = outcomes.map(({ answer }) => answer?.refresh_token ?? 'rejected');
    expect(new Set(replacements).size).toBe(20);
    expect(replacements).not.toContain('rejected');
    expect(lineage.revoked_at).toBeNull();
  });

  test('behaviour 3: a rejected scope rotates nothing', async () => {
    const bench = rotating();
    const { refresh_token } = await bench.signIn();
    const outcome = await bench.refresh(refresh_token, { scope: 'orders:write' });
    expectRefusal(outcome, 'scope_beyond_grant');
    bench.answered(await bench.refresh(refresh_token));
  });
});

test.each([
  ['public client for an MCP server', 'is', PUBLIC, `${ISSUER}/mcp`],
  ['public client for another API', 'is not', PUBLIC, ORDERS],
  ['client with a secret for an MCP server', 'is not', {}, `${ISSUER}/mcp`],
] as const)(
  'behaviour 20.4: without rotation in the settings, a refresh token of a %s %s rotated',
  async (_of, is, members, of) => {
    const { service, refresh, answered } = createTestService({
      settings: { profile: 'interop' },
      clients: [client(members)],
    });
    const { refresh_token } = await service.mint({ client_id: 'demo-app', audience: of });
    const secret = members === PUBLIC ? { client_secret: undefined } : {};
    const answer = answered(await refresh(refresh_token ?? '', secret));
    expect('refresh_token' in answer).toBe(is === 'is');
  },
);

describe('a value that is not a refresh token', () => {
  test('behaviour 5.1: guesses are counted as unknown tokens', async () => {
    const { refresh, service } = createTestService();
    await refresh('nope');
    expect(service.throttle.list().map(({ kind }) => kind)).toEqual(['unknown']);
  });

  test('spec 5.4, behaviour 3.6: an unknown refresh token is invalid_grant', async () => {
    const { refresh } = createTestService();
    for (const token of ['nope', '\0', 'é', '__proto__', 'a.b', 'a.b.c.d.e']) {
      expectRefusal(await refresh(token), 'refresh_token_unknown');
    }
  });

  test('behaviour 3: an access token sent as refresh token is identified in the rejection', async () => {
    const { access_token, refresh_token, refresh, answered } = await signedIn();
    const detail = 'it is a JWT, possibly an access token';
    expectRefusal(await refresh(access_token), 'refresh_token_is_other_credential', detail);
    answered(await refresh(refresh_token));
  });

  test('behaviour 3: a code sent as refresh token is identified in the rejection and stays unused', async () => {
    const { issueCode, refresh, exchange, answered } = createTestService();
    const { value } = await issueCode();
    const detail = 'it is an authorization code';
    expectRefusal(await refresh(value), 'refresh_token_is_other_credential', detail);
    answered(await exchange(value));
  });
});

test('behaviour 4.4: terminal states are final: an expired refresh token cannot be revoked', async () => {
  const { refresh_token, service, storedToken, advance, clock } = await signedIn();
  const record = await storedToken(refresh_token);
  advance(2_592_000);
  await service.end(record, 'revoked');
  expect(stateOf(record, clock.now())).toBe('expired');
});
