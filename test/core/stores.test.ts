// The credential stores in memory: bounds, terminal states, and the lists for viewers.

import { describe, expect, test } from 'vitest';
import {
  accessTokenId,
  type CodeRecord,
  credentialId,
  lineageId,
  stateOf,
} from '../../src/core/model/credentials.ts';
import type { StoreLimits } from '../../src/core/stores/memory-stores.ts';
import { newestOf, pickNewest } from '../../src/core/stores/listing.ts';
import type { TestServiceOptions } from '../support/core.ts';
import {
  AS_ADMIN,
  createTestService,
  expectRefusal,
  signedIn,
  START,
  storeLimits,
} from '../support/core.ts';

const ALL = Number.POSITIVE_INFINITY;

const limited = (entries: Partial<Record<keyof StoreLimits, number>>): TestServiceOptions => ({
  settings: { throttle: { mode: 'off' } },
  limits: storeLimits(entries),
});

describe('the ceiling of live credentials', () => {
  test('architecture: revokes the oldest lineage when it is exceeded, with an event', async () => {
    const { signIn, refresh, answered, events } = createTestService(limited({ live: 2 }));
    const [oldest, second, third] = [await signIn(), await signIn(), await signIn()];
    expect(oldest.lineage.revoked_at).toBe(START);
    expect(events.filter(({ type }) => type === 'ceiling')).toEqual([
      { type: 'ceiling', lineage_id: lineageId(oldest.lineage) },
    ]);
    expectRefusal(await refresh(oldest.refresh_token), 'refresh_token_revoked');
    answered(await refresh(second.refresh_token));
    answered(await refresh(third.refresh_token));
  });

  test('architecture: removes expired and revoked tokens before it revokes a lineage', async () => {
    const { signIn, service, advance, events } = createTestService(limited({ live: 2 }));
    await signIn();
    advance(2_592_000);
    const { lineage } = await signIn();
    await signIn();
    await service.revokeLineage(lineage);
    await signIn();
    expect(events.filter(({ type }) => type === 'ceiling')).toEqual([]);
  });

  test('architecture: bounds the live credentials, however many are issued', async () => {
    const { signIn, stores } = createTestService(limited({ live: 5, ended: 7 }));
    for (let count = 0; count < 40; count++) await signIn();
    expect(stores.liveCount(START)).toBe(5);
    const kept = await stores.list(1000, ALL);
    expect(kept.filter(({ end, kind }) => kind !== 'access_token' && end !== null)).toHaveLength(7);
  });
});

describe('the bytes of live credentials', () => {
  const bytesOfCode = async () => (await createTestService().issueCode()).bytes;
  const roomForTwo = async () =>
    createTestService({
      limits: { ...storeLimits(), live: { entries: 100, bytes: 2 * (await bytesOfCode()) } },
    });
  const ceilings = ({ events }: ReturnType<typeof createTestService>) =>
    events.filter(({ type }) => type === 'ceiling').length;

  test('architecture: revoke the oldest lineage only when they exceed the bound', async () => {
    const bench = await roomForTwo();
    const oldest = await bench.issueCode();
    await bench.issueCode();
    expect([ceilings(bench), oldest.lineage.revoked_at]).toEqual([0, null]);
    await bench.issueCode();
    expect([ceilings(bench), oldest.lineage.revoked_at]).toEqual([1, START]);
  });

  test('architecture: are freed when a credential ends', async () => {
    const bench = await roomForTwo();
    for (let count = 0; count < 3; count++) {
      await bench.issueCode();
      await bench.issueCode();
      bench.advance(600);
    }
    expect(ceilings(bench)).toBe(0);
  });

  test('architecture: include the stored request of a code', async () => {
    const code = await createTestService().issueCode({ nonce: 'n'.repeat(1000) });
    expect(code.bytes - (await bytesOfCode())).toBeGreaterThanOrEqual(1000);
  });
});

describe('ended credentials', () => {
  test('architecture: are kept up to a size, and removed oldest first', async () => {
    const { bytes } = await createTestService().issueCode({ scope: 'openid' });
    const bench = createTestService({
      limits: { ...storeLimits(), ended: { entries: 100, bytes: 2 * bytes } },
    });
    const codes = [];
    for (let count = 0; count < 3; count++) {
      codes.push((await bench.issueCode({ scope: 'openid' })).value);
    }
    bench.advance(600);
    const reasons = [];
    for (const code of codes) reasons.push((await bench.exchange(code)).refusal?.reason);
    expect(reasons).toEqual(['code_unknown', 'code_expired', 'code_expired']);
  });

  test('architecture: are kept up to a number, and removed oldest first', async () => {
    const { signIn, exchange } = createTestService(limited({ ended: 2 }));
    const codes = [];
    for (let count = 0; count < 3; count++) codes.push((await signIn()).code.value);
    const reasons = [];
    for (const code of codes) reasons.push((await exchange(code)).refusal?.reason);
    expect(reasons[0]).toBe('code_unknown');
    expect(reasons.slice(1)).toEqual(['code_redeemed', expect.stringMatching(/^code_/) as string]);
  });
});

describe('access tokens', () => {
  test('architecture: keep a record if they are the newest, and the newest records their text', async () => {
    const { refresh_token, refresh, stores } = await signedIn(
      limited({ access_tokens: 5, access_token_texts: 2 }),
    );
    for (let count = 0; count < 9; count++) await refresh(refresh_token);
    const kept = (await stores.list(1000, ALL)).filter((one) => one.kind === 'access_token');
    expect(kept.map(({ n }) => n)).toEqual([12, 11, 10, 9, 8]);
    expect(kept.map(({ value }) => value !== null)).toEqual([true, true, false, false, false]);
  });

  test('behaviour 4.3: can be ended individually, once, without their lineage', async () => {
    const bench = createTestService();
    const { service, signIn, refresh, answered, stores } = bench;
    const { refresh_token, lineage } = await signIn();
    const record = await bench.newestAccessToken();
    await service.end(record, 'revoked');
    await stores.end(record, 'expired', START + 1, null);
    expect(record).toMatchObject({ state: 'revoked', end: { at: START } });
    const denial = await stores.findDenial(accessTokenId(record));
    expect(denial).toMatchObject({ reason: 'revoked', at: START });
    expect(lineage.revoked_at).toBeNull();
    answered(await refresh(refresh_token));
  });

  test('can be ended without a search of the others', async () => {
    const { refresh_token, lineage, refresh, stores, newestAccessToken } = await signedIn();
    const of = { epoch: lineage.epoch, lineage: lineageId(lineage) };
    const record = await newestAccessToken();
    const { n } = record;
    let looks = 0;
    for (let later = 1; later <= 10; later++) {
      await refresh(refresh_token);
      const newer = await newestAccessToken();
      Object.defineProperty(newer, 'n', { get: () => ((looks += 1), n + later) });
    }
    await stores.endAccessToken({ ...of, epoch: 'another', n }, 'revoked', START, START + 1, null);
    expect(record.state).toBe('active');
    await stores.endAccessToken({ ...of, n }, 'revoked', START, START + 1, null);
    expect(record.state).toBe('revoked');
    expect(looks).toBe(0);
  });
});

describe('a revoked lineage', () => {
  test('behaviour 4: revokes all its credentials, and revoking it again returns false', async () => {
    const { lineage, service, stores, clock } = await signedIn();
    await service.revokeLineage(lineage);
    const states = (await stores.list(10, ALL)).map((one) => [one.kind, stateOf(one, clock.now())]);
    expect(states).toEqual([
      ['refresh_token', 'revoked'],
      ['access_token', 'revoked'],
      ['code', 'redeemed'],
    ]);
    expect(await stores.revokeLineage(lineage, START + 1, null)).toBe(false);
    expect(lineage.revoked_at).toBe(START);
  });

  test('behaviour 2: denies its access tokens as long as one of them could be valid', async () => {
    for (const [seconds, denied] of [
      [86_399, true],
      [86_400, false],
    ] as const) {
      const { lineage, service, stores, advance } = await signedIn();
      advance(seconds);
      await service.revokeLineage(lineage);
      const id = { epoch: lineage.epoch, lineage: lineageId(lineage), n: 2 };
      expect((await stores.findDenial(id)) !== undefined).toBe(denied);
    }
  });

  test('behaviour 4.5: stores new credentials as revoked', async () => {
    const bench = createTestService();
    const { service, issueCode, signIn, stores, refresh } = bench;
    const { refresh_token, lineage } = await signIn();
    const token = await bench.storedToken(refresh_token);
    const code = await issueCode();
    await service.revokeLineage(lineage);
    const late = { lineage, queue_index: -1, state: 'active', end: null } as const;
    const lateToken = { ...token, ...late, value: 'late' };
    await stores.insertRefreshToken(lateToken, START + 5);
    await stores.insertCode({ ...code, ...late, state: 'issued', value: 'late code' }, START + 5);
    expect(lateToken).toMatchObject({ state: 'revoked', end: { at: START + 5 } });
    expect(await stores.findCode('late code', START)).toMatchObject({ state: 'revoked' });
    expectRefusal(await refresh('late'), 'refresh_token_revoked');
    expect(stores.liveCount(START)).toBe(1);
  });
});

describe('a lineage with several live refresh tokens because of a grace window', () => {
  const forked = async () => {
    const bench = createTestService({
      settings: { refresh_rotation: { enabled: true, grace_seconds: 60 } },
    });
    const { refresh, answered, signIn } = bench;
    const { refresh_token, lineage } = await signIn();
    const next = [];
    for (let count = 0; count < 4; count++) {
      next.push(answered(await refresh(refresh_token)).refresh_token ?? '');
    }
    return { ...bench, lineage, next };
  };

  test('behaviour 4: has no live tokens after it is revoked', async () => {
    const { stores, storedToken, service, lineage, next } = await forked();
    expect(stores.liveCount(START)).toBe(4);
    await service.revokeLineage(lineage);
    expect(stores.liveCount(START)).toBe(0);
    for (const value of next) {
      expect(await storedToken(value)).toMatchObject({ state: 'revoked', end: { at: START } });
    }
  });

  test('behaviour 4: keeps rotated tokens rotated, and no longer lists them', async () => {
    const { stores, service, lineage, next, refresh, answered } = await forked();
    const [first = '', second = ''] = next;
    answered(await refresh(first));
    answered(await refresh(second));
    expect(lineage.others?.size).toBe(3);
    expect(stores.liveCount(START)).toBe(4);
    await service.revokeLineage(lineage);
    expect(stores.liveCount(START)).toBe(0);
    expect(lineage.others?.size).toBe(0);
    expect(await stores.findRefreshToken(first, START)).toMatchObject({ state: 'rotated' });
  });

  test('architecture: needs no list when it has one refresh token', async () => {
    const { signIn, refresh, answered } = createTestService({
      settings: { refresh_rotation: { enabled: true } },
    });
    let { refresh_token } = await signIn();
    const { lineage } = await signIn();
    for (let count = 0; count < 3; count++) {
      refresh_token = answered(await refresh(refresh_token)).refresh_token ?? '';
    }
    expect(lineage.others).toBeNull();
  });
});

test('behaviour 2: an access token of an earlier epoch that is ended by id is denied, a current one with the same number is not', async () => {
  const { lineage, stores } = await signedIn();
  const old = { epoch: 'earlier', lineage: lineageId(lineage), n: 2 };
  await stores.endAccessToken(old, 'revoked', START, START + 1000, 7);
  expect(await stores.findDenial(old)).toMatchObject({ reason: 'revoked', at: START });
  expect(await stores.findById(`${lineageId(lineage)}.2`)).toMatchObject({ state: 'active' });
  const today = { ...old, epoch: lineage.epoch };
  await stores.endAccessToken(today, 'revoked', START, START + 1000, 7);
  expect(await stores.findById(`${lineageId(lineage)}.2`)).toMatchObject({
    state: 'revoked',
    end: { by: 7 },
  });
});

describe('extending a refresh token', () => {
  const issued = async () => {
    const { refresh_token, lineage, ...bench } = await signedIn();
    return { ...bench, token: await bench.storedToken(refresh_token), lineage };
  };

  test('sets a new expiry for a live token, earlier or later', async () => {
    const { stores, token } = await issued();
    for (const until of [START + 5000, START + 9_000_000_000]) {
      await stores.extendRefreshToken(token, until);
      expect(stores.liveCount(until - 1)).toBe(1);
    }
    expect(stores.liveCount(START + 9_000_000_000)).toBe(0);
  });

  test('behaviour 4: does not change an ended token', async () => {
    const { stores, token, service, lineage } = await issued();
    const { expires_at } = token;
    await service.revokeLineage(lineage);
    await stores.extendRefreshToken(token, START + 9_000_000_000);
    expect(token).toMatchObject({ state: 'revoked', expires_at });
    expect(stores.liveCount(START)).toBe(0);
  });
});

describe('expiries', () => {
  test('behaviour 4.4: moving the clock records every expiry, and setting it back reactivates nothing', async () => {
    const { signIn, issueCode, stores, clock, storedToken, newestAccessToken } =
      createTestService();
    const { refresh_token } = await signIn();
    const codes = [];
    for (let count = 0; count < 100; count++) codes.push(await issueCode());
    clock.advance(2_592_000_000);
    stores.expireAll(clock.now());
    clock.set(START);
    expect(codes.every(({ state }) => state === 'expired')).toBe(true);
    expect(await storedToken(refresh_token)).toMatchObject({
      state: 'expired',
      end: { at: START + 2_592_000_000 },
    });
    expect(await newestAccessToken()).toMatchObject({
      state: 'expired',
      end: { at: START + 86_400_000 },
    });
    expect(stores.liveCount(START)).toBe(0);
  });

  test('behaviour 4: recording expiries does not end live credentials', async () => {
    const { refresh_token, stores, clock, refresh, answered } = await signedIn();
    clock.advance(2_591_999_999);
    stores.expireAll(clock.now());
    answered(await refresh(refresh_token));
  });

  test('behaviour 4: an access token of a revoked lineage stays revoked after its expiry', async () => {
    const { lineage, service, stores, clock, newestAccessToken } = await signedIn();
    await service.revokeLineage(lineage);
    clock.advance(86_400_000);
    stores.expireAll(clock.now());
    expect(await newestAccessToken()).toMatchObject({ state: 'revoked', end: { at: START } });
  });

  test('architecture: one operation records a few of many expiries, and lists show all', async () => {
    const { issueCode, stores, clock, advance } = createTestService();
    const codes: CodeRecord[] = [];
    for (let count = 0; count < 100; count++) codes.push(await issueCode());
    advance(600);
    const written = () => codes.filter(({ state }) => state === 'expired').length;
    await stores.findCode('unknown', clock.now());
    expect(written()).toBeGreaterThan(0);
    expect(written()).toBeLessThan(100);
    expect(stores.liveCount(clock.now())).toBe(0);
    expect(written()).toBe(100);
  });

  test('the count of live credentials follows the clock', async () => {
    const { signIn, issueCode, stores, clock } = createTestService();
    await signIn();
    await issueCode();
    expect(stores.liveCount(clock.now())).toBe(2);
    clock.advance(600_000);
    expect(stores.liveCount(clock.now())).toBe(1);
  });
});

describe('listing', () => {
  test('control: the list is newest first, with pages by sequence number without gaps or repetitions', async () => {
    const { signIn, issueCode, stores } = createTestService();
    for (let count = 0; count < 3; count++) await signIn();
    await issueCode();
    const seen = [];
    let before = ALL;
    for (;;) {
      const page = await stores.list(3, before);
      if (page.length === 0) break;
      seen.push(...page.map(({ seq }) => seq));
      before = page.at(-1)?.seq ?? 0;
    }
    expect(seen).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test('the newest credentials are found without a search of all others', async () => {
    const { issueCode, stores } = createTestService();
    for (let count = 0; count < 100; count++) await issueCode();
    const newestFirst = await stores.list(100, ALL);
    const oldestFirst = newestFirst.toReversed();
    const map = new Map(oldestFirst.map((one) => [credentialId(one), one]));
    let looks = 0;
    const isEven = ({ seq }: { seq: number }) => ((looks += 1), seq % 2 === 0);
    const seqs = (found: readonly { seq: number }[]) => found.map(({ seq }) => seq);
    expect(seqs(newestOf(map, 3, isEven))).toEqual([100, 98, 96]);
    expect(looks).toBe(5);
    for (const many of [newestFirst, oldestFirst]) {
      expect(seqs(pickNewest(many, 3, isEven))).toEqual([100, 98, 96]);
    }
    looks = 0;
    pickNewest(newestFirst, 3, isEven);
    expect(looks).toBeLessThan(30);
  });

  test('control: every credential is found by its id, and every lineage by its id', async () => {
    const { signIn, issueCode, stores } = createTestService();
    await signIn();
    await issueCode();
    for (const credential of await stores.list(10, ALL)) {
      const id = credentialId(credential);
      expect(id).toBe(`${lineageId(credential.lineage)}.${credential.n}`);
      expect(await stores.findById(id)).toBe(credential);
      expect(await stores.findLineage(lineageId(credential.lineage))).toBe(credential.lineage);
    }
    expect(await stores.findById('9.9')).toBeUndefined();
    expect(await stores.findLineage('__proto__')).toBeUndefined();
  });

  test('control: live credentials are counted by client and kind, and access tokens together', async () => {
    const { signIn, issueCode, stores, service, advance } = createTestService();
    await signIn();
    advance(86_400);
    await signIn();
    await signIn({ client_id: 'admin' }, AS_ADMIN);
    await issueCode({ client_id: 'admin' });
    expect(stores.liveByClient(service.isLive)).toEqual(
      new Map([
        ['demo-app', { code: 0, refresh_token: 2, access_token: 1 }],
        ['admin', { code: 1, refresh_token: 1, access_token: 1 }],
      ]),
    );
    expect(stores.liveAccessTokenCount(service.isLive)).toBe(2);
  });

  test('nothing is found after clearing', async () => {
    const { refresh_token, code, stores } = await signedIn();
    stores.clear();
    expect(await stores.findRefreshToken(refresh_token, START)).toBeUndefined();
    expect(await stores.findCode(code.value, START)).toBeUndefined();
    expect(await stores.list(10, ALL)).toEqual([]);
    expect(stores.liveCount(START)).toBe(0);
  });
});
