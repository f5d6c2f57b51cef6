// Behaviour 7, RFC 7009: a client revokes a token.

import { describe, expect, test } from 'vitest';
import { describeDeviation } from '../../src/core/checks/deviations.ts';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import type { Presented } from '../support/presented.ts';
import { presenting } from '../support/presented.ts';
import type { TestServiceOptions } from '../support/core.ts';
import {
  AS_ADMIN,
  basic,
  checkOf,
  client,
  createTestService,
  deviations,
  expectNotes,
  expectRefusal,
  PUBLIC,
  START,
  storeLimits,
  verdictsOf,
} from '../support/core.ts';
import { lineageId } from '../../src/core/model/credentials.ts';

const DAY = 86_400;

/** A service with a signed-in user, and requests about its tokens. */
async function signedIn(options: TestServiceOptions = {}) {
  const bench = createTestService(options);
  const tokens = await bench.signIn();
  const { revoke, introspect } = presenting(bench);
  const active = async (token: string) => (await introspect(token)).answer?.active;
  return { ...bench, ...tokens, revoke, introspect, active };
}

/** Expects a successful response. Returns what is wrong with the token, or null. */
function done({ refusal, evaluation }: Presented<void>) {
  expect(refusal).toBeNull();
  return evaluation.finding?.reason ?? null;
}

describe('an access token', () => {
  test('behaviour 7.7, RFC 7009 2.1: is revoked alone, and its refresh token gets another', async () => {
    const { access_token, refresh_token, refresh, answered, revoke, active, lineage } =
      await signedIn();
    const sibling = answered(await refresh(refresh_token)).access_token;
    expect(done(await revoke(access_token))).toBeNull();
    expect(await active(access_token)).toBe(false);
    expect(await active(sibling)).toBe(true);
    expect(lineage.revoked_at).toBeNull();
    expect(await active(answered(await refresh(refresh_token)).access_token)).toBe(true);
  });

  test.each(['rfc9068', 'auth0', 'opaque'] as const)(
    'behaviour 2: is revoked in its stored record (%s)',
    async (access_token_format) => {
      const { access_token, revoke, stores, lineage, advance } = await signedIn({
        settings: { access_token_format },
      });
      advance(7);
      const { evaluation } = await revoke(access_token);
      expect(await stores.findById(`${lineageId(lineage)}.2`)).toMatchObject({
        state: 'revoked',
        end: { at: START + 7000, by: evaluation.exchange },
      });
    },
  );

  test('behaviour 2: is revoked even without its record', async () => {
    const { access_token, refresh_token, refresh, revoke, introspect } = await signedIn({
      limits: storeLimits({ access_tokens: 1, access_token_texts: 1 }),
    });
    await refresh(refresh_token);
    const outcome = await revoke(access_token);
    expect(done(outcome)).toBeNull();
    expect((await introspect(access_token)).evaluation.finding?.facts).toEqual({
      at: START,
      exchange: outcome.evaluation.exchange,
    });
  });

  test('behaviour 5: does not cause an advisory once it is revoked', async () => {
    const { access_token, refresh_token, refresh, revoke } = await signedIn();
    expect((await refresh(refresh_token)).evaluation.advisories).toHaveLength(1);
    const { answer } = await refresh(refresh_token);
    await revoke(access_token);
    await revoke(answer?.access_token);
    expect((await refresh(refresh_token)).evaluation.advisories).toEqual([]);
  });
});

describe('a refresh token', () => {
  test('behaviour 7.7: is revoked with its lineage', async () => {
    const { access_token, refresh_token, refresh, revoke, active, lineage, stores } =
      await signedIn();
    const { evaluation } = await revoke(refresh_token);
    expect([await active(access_token), await active(refresh_token)]).toEqual([false, false]);
    expect((await refresh(refresh_token)).refusal?.facts).toMatchObject({
      at: START,
      exchange: evaluation.exchange,
    });
    expect(lineage.revoked_at).toBe(START);
    expect(evaluation.lineage).toBe(lineage);
    expect(stores.liveCount(START)).toBe(0);
  });

  test('behaviour 7: revokes its lineage even when rotated, and stays rotated', async () => {
    const { refresh_token, refresh, answered, revoke, lineage, introspect } = await signedIn({
      settings: { refresh_rotation: { enabled: true, grace_seconds: 60 } },
    });
    const next = answered(await refresh(refresh_token)).refresh_token ?? '';
    expect(done(await revoke(refresh_token))).toBe('token_rotated');
    expect(lineage.revoked_at).toBe(START);
    expect((await introspect(next)).evaluation.finding?.reason).toBe('refresh_token_revoked');
    expect((await introspect(refresh_token)).evaluation.finding?.reason).toBe('token_rotated');
  });

  test('behaviour 7: revokes unexpired access tokens even when expired', async () => {
    const { access_token, refresh_token, revoke, active, advance } = await signedIn({
      settings: { lifetimes: { refresh_token: 10 } },
    });
    advance(11);
    expect(await active(access_token)).toBe(true);
    expect(done(await revoke(refresh_token))).toBe('refresh_token_expired');
    expect(await active(access_token)).toBe(false);
  });

  test('behaviour 4: is revoked once by two simultaneous requests, which both succeed', async () => {
    const { refresh_token, revoke, lineage, advance } = await signedIn();
    const both = await Promise.all([revoke(refresh_token), revoke(refresh_token)]);
    advance(5);
    for (const { refusal } of both) expect(refusal).toBeNull();
    expect(done(await revoke(refresh_token))).toBe('refresh_token_revoked');
    expect(lineage.revoked_at).toBe(START);
  });
});

describe('a tolerated request', () => {
  test('behaviour 7.7, RFC 7009 2.2: gets the success response for an unknown or ended token', async () => {
    const { access_token, refresh_token, code, revoke, advance } = await signedIn();
    expect(done(await revoke('unknown'))).toBe('token_unknown');
    expect(done(await revoke('a.b.c'))).toBe('access_token_malformed');
    expect(done(await revoke(code.value))).toBe('token_is_code');
    await revoke(access_token);
    expect(done(await revoke(access_token))).toBe('access_token_revoked');
    advance(2_592_000);
    expect(done(await revoke(refresh_token))).toBe('refresh_token_expired');
    expect(done(await revoke(access_token))).toBe('access_token_revoked');
  });

  test('behaviour 7: does not revoke a code', async () => {
    const bench = createTestService();
    const code = await bench.issueCode();
    done(await presenting(bench).revoke(code.value));
    bench.answered(await bench.exchange(code.value));
  });

  test.each([
    ['access_token', 'revoked', false],
    ['access_token', 'expired', false],
    ['refresh_token', 'expired', false],
    ['refresh_token', 'revoked', true],
  ] as const)(
    'behaviour 7.7: %s ended by hand as %s revokes its lineage: %s',
    async (kind, state, revokes) => {
      const { service, stores, lineage, events } = await signedIn();
      const record = (await stores.list(10, Infinity)).find((one) => one.kind === kind)!;
      await service.end(record, state);
      expect(record).toMatchObject({ state, end: { at: START, by: null } });
      expect(lineage.revoked_at !== null).toBe(revokes);
      expect(events.at(-1)).toEqual({ type: 'credentials' });
    },
  );

  test('sends no event when nothing changed', async () => {
    const { access_token, revoke, events } = await signedIn();
    const changes = () => events.filter(({ type }) => type === 'credentials').length;
    const before = changes();
    await revoke('unknown');
    expect(changes()).toBe(before);
    await revoke(access_token);
    expect(changes()).toBe(before + 1);
    await revoke(access_token);
    expect(changes()).toBe(before + 1);
  });

  test('RFC 7009 2.1: may have a wrong or unknown hint, which is noted', async () => {
    const { access_token, refresh_token, revoke } = await signedIn();
    const wrong = await revoke(access_token, { token_type_hint: 'refresh_token' });
    expect(deviations(wrong)).toEqual(['hint_wrong: an access token']);
    const unknown = await revoke(refresh_token, { token_type_hint: 'toString' });
    expect(deviations(unknown)).toEqual(['hint_unknown']);
    const right = await revoke(refresh_token, { token_type_hint: 'refresh_token' });
    expect(deviations(right)).toEqual([]);
    const empty = await revoke(refresh_token, { token_type_hint: '' });
    expect(deviations(empty)).toEqual([]);
  });
});

describe('the client', () => {
  test('behaviour 7.7, RFC 7009 2.1: must own the token, else it gets an error of RFC 6749 5.2, and nothing is revoked', async () => {
    const { access_token, refresh_token, revoke, active, advance } = await signedIn();
    for (const token of [access_token, refresh_token]) {
      const detail = 'issued to client Demo application, presented by client Admin';
      expectRefusal(await revoke(token, AS_ADMIN), 'token_of_other_client', detail);
      expect(await active(token)).toBe(true);
    }
    advance(2_592_000);
    expectRefusal(await revoke(refresh_token, AS_ADMIN), 'token_of_other_client');
  });

  test('RFC 7009 2.1: authenticates as at the token endpoint', async () => {
    const { access_token, revoke } = await signedIn();
    for (const [parameters, reason] of [
      [{ client_secret: 'wrong' }, 'client_secret_wrong'],
      [{ client_secret: undefined }, 'client_secret_missing'],
      [{ client_id: 'nobody' }, 'client_unknown'],
      [{ client_id: undefined }, 'client_id_missing'],
    ] as const) {
      expectRefusal(await revoke(access_token, parameters), reason);
    }
    const authorization = basic('demo-app', 'demo-secret');
    expectRefusal(await revoke(access_token, {}, { authorization }), 'basic_not_allowed');
  });

  test('behaviour 1: may send only its client_id if public, under interop', async () => {
    const open = createTestService({
      settings: { profile: 'interop' },
      clients: [client(PUBLIC)],
    });
    const minted = await open.service.mint({ client_id: 'demo-app' });
    const revoking = presenting(open).revoke(minted.access_token, { client_secret: undefined });
    expectNotes(await revoking, 'public_client');
  });

  test('RFC 7009 2.1: must send a non-empty token', async () => {
    const { revoke } = await signedIn();
    expect((await revoke(undefined)).refusal?.description).toBe('token is required');
    expect((await revoke('')).refusal?.description).toBe('token must not be empty');
  });

  test('behaviour 1: may send JSON, which is noted, or rejected under strict with the name of the endpoint', async () => {
    const { access_token, revoke } = await signedIn();
    const lenient = await revoke(access_token, {}, { content_type: 'json' });
    expect(deviations(lenient)).toEqual(['other_content_type: JSON']);
    const strict = await signedIn({ settings: { profile: 'strict' } });
    const rejected = await strict.revoke(strict.access_token, {}, { content_type: 'json' });
    expect(rejected.refusal?.description).toBe(
      'the Content-Type for this endpoint must be application/x-www-form-urlencoded',
    );
  });

  test('behaviour 1: gets a note for unknown parameters, and a leak note for a token in the query string', async () => {
    const { access_token, revoke } = await signedIn();
    const answer = await revoke(access_token, { grant_type: 'x' }, { query: ['token'] });
    expect(answer.evaluation.deviations.map(describeDeviation).map(({ text }) => text)).toEqual([
      'The query string contained token, which was ignored: query strings end up in logs.',
      'Unrecognized parameters were ignored: grant_type.',
    ]);
  });
});

describe('the trace', () => {
  const CLIENT = [
    'grant_content_type passed',
    'query passed',
    'authorization_header passed',
    'client_id passed',
    'client_secret passed',
    'parameters passed',
  ];

  test('behaviour 3: lists every check and what was revoked', async () => {
    const { access_token, refresh_token, revoke } = await signedIn();
    expect(checkOf(await revoke(access_token), 'consume')?.note).toBe('alone');
    const answer = await revoke(refresh_token);
    expect(verdictsOf(answer)).toEqual([
      ...CLIENT,
      'credential_known passed',
      'credential_client passed',
      'credential_live passed',
      'consume passed',
    ]);
    expect(describeChecks(answer.evaluation, false).at(-1)).toMatchObject({
      rule: 'The token is revoked',
      section: 'RFC 7009 2',
      note: 'with its whole lineage',
    });
  });

  test('behaviour 3: says in its failed check why nothing was revoked despite a success response', async () => {
    const { access_token, revoke, advance } = await signedIn();
    expect(verdictsOf(await revoke('unknown')).slice(CLIENT.length)).toEqual([
      'credential_known failed',
      'credential_client not_reached',
      'credential_live not_reached',
      'consume not_reached',
    ]);
    advance(DAY + 3);
    const late = await revoke(access_token);
    expect(verdictsOf(late).slice(CLIENT.length)).toEqual([
      'credential_known passed',
      'credential_client passed',
      'credential_live failed',
      'consume not_reached',
    ]);
    const { finding } = late.evaluation;
    expect(finding && describeCause(finding).detail).toBe('expired 3 s ago');
  });

  test('behaviour 3: belongs to an evaluation with client and lineage', async () => {
    const { access_token, refresh_token, revoke, lineage } = await signedIn();
    const { evaluation } = await revoke(access_token);
    expect(evaluation).toMatchObject({
      endpoint: 'revoke',
      client_id: 'demo-app',
      profile: 'documented',
      access_token: { lineage: lineageId(lineage), n: 2 },
    });
    expect((await revoke(refresh_token)).evaluation.lineage).toBe(lineage);
  });
});
