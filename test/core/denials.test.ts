// Behaviour 2, the denial list: which access tokens are rejected despite a valid signature, and how the list stays
// within its bound.

import { describe, expect, test } from 'vitest';
import type { AccessTokenId } from '../../src/core/model/access-token-id.ts';
import { formatAccessTokenId, parseAccessTokenId } from '../../src/core/model/access-token-id.ts';
import { createDenials } from '../../src/core/stores/denials.ts';

const id = (lineage: string, n: number, epoch = 'e'): AccessTokenId => ({ epoch, lineage, n });
const lineage = (name: string) => ({ epoch: 'e', lineage: name });
const HOUR = 3_600_000;

describe('the name of an access token', () => {
  test('behaviour 2: has the form <epoch>.<lineage>.<n>, and is parsed as it was written', () => {
    const name = formatAccessTokenId(id('2s', 3, 'Ab-_9'));
    expect(name).toBe('Ab-_9.2s.3');
    expect(parseAccessTokenId(name)).toEqual({ epoch: 'Ab-_9', lineage: '2s', n: 3 });
  });

  test.each<[unknown, string]>([
    ['e.1', 'two parts'],
    ['e.1.2.3', 'four parts'],
    ['e.1.x', 'an invalid number'],
    ['e.A.1', 'a lineage in capitals'],
    ['.1.1', 'no epoch'],
    [' e.1.1', 'a space'],
    [`e.1.${'9'.repeat(13)}`, 'a number too long'],
    [7, 'not a string'],
    [undefined, 'nothing'],
  ])('behaviour 2: cannot be %j: %s', (text) => {
    expect(parseAccessTokenId(text)).toBeNull();
  });
});

describe('an entry', () => {
  test('behaviour 2.10: for a token denies only that token', () => {
    const denials = createDenials();
    denials.denyToken(id('1', 2), 'expired', 5, HOUR, null);
    expect(denials.find(id('1', 2))).toEqual({
      key: 'e.1.2',
      reason: 'expired',
      at: 5,
      until: HOUR,
    });
    for (const other of [id('1', 1), id('1', 3), id('2', 2), id('1', 2, 'f')]) {
      expect(denials.find(other)).toBeUndefined();
    }
  });

  test('behaviour 2.10: for a lineage denies all its tokens, including later ones', () => {
    const denials = createDenials();
    denials.denyLineage(lineage('1'), 5, HOUR, null);
    for (const n of [1, 2, 999]) expect(denials.find(id('1', n))?.reason).toBe('revoked');
    expect(denials.find(id('1', 1, 'f'))).toBeUndefined();
    expect(denials.find(id('11', 1))).toBeUndefined();
  });

  test('behaviour 4: reports the first end of a token', () => {
    const denials = createDenials();
    denials.denyToken(id('1', 2), 'expired', 5, HOUR, null);
    denials.denyToken(id('1', 2), 'revoked', 9, HOUR, null);
    denials.denyLineage(lineage('1'), 12, HOUR, null);
    expect(denials.find(id('1', 2))).toMatchObject({ reason: 'expired', at: 5 });
    expect(denials.find(id('1', 3))).toMatchObject({ reason: 'revoked', at: 12 });
  });

  test('behaviour 4: is not reported again when it exists already', () => {
    const denied: unknown[] = [];
    const denials = createDenials(10, (entry) => denied.push(entry?.key ?? null));
    denials.denyToken(id('1', 2), 'revoked', 5, HOUR, null);
    denials.denyToken(id('1', 2), 'revoked', 9, HOUR, null);
    denials.clear();
    expect(denied).toEqual(['e.1.2', null]);
  });

  test('behaviour 2.10: for a lineage stays until its last token expires', () => {
    const denials = createDenials();
    denials.denyLineage(lineage('1'), 5, HOUR, null);
    denials.denyLineage(lineage('1'), 7, 3 * HOUR, null);
    denials.denyLineage(lineage('1'), 9, 2 * HOUR, null);
    expect(denials.list()).toEqual([{ key: 'e.1', reason: 'revoked', at: 5, until: 3 * HOUR }]);
  });

  test('behaviour 3: names the exchange that ended the token, which is not stored, since each run has its own exchanges', () => {
    const denials = createDenials(1);
    denials.denyToken(id('1', 1), 'revoked', 5, HOUR, 41);
    expect(denials.find(id('1', 1))?.by).toBe(41);
    denials.denyLineage(lineage('1'), 6, HOUR, 42);
    expect(denials.find(id('1', 2))?.by).toBe(42);
    expect(denials.list()).toEqual([{ key: 'e.1', reason: 'revoked', at: 6, until: HOUR }]);
  });

  test('behaviour 2.10: denies the same tokens for the same reason after it is stored and loaded', () => {
    const before = createDenials(3);
    for (const n of [1, 2, 3]) before.denyToken(id('1', n), 'revoked', n, HOUR, null);
    before.denyToken(id('9', 4), 'expired', 1, HOUR, null);
    before.denyLineage(lineage('2'), 5, HOUR, null, true);
    const after = createDenials();
    after.load(JSON.parse(JSON.stringify(before.list())) as ReturnType<typeof before.list>);
    expect(after.list()).toEqual(before.list());
    for (const other of [id('1', 1), id('1', 4), id('2', 8), id('9', 4), id('9', 5)]) {
      expect(after.find(other)).toEqual(before.find(other));
    }
  });
});

describe('the bound', () => {
  test('behaviour 2.10: expired entries are removed first, and no others if that is enough', () => {
    const denials = createDenials(2);
    denials.denyToken(id('1', 1), 'revoked', 0, 10, null);
    denials.denyToken(id('2', 1), 'revoked', 0, HOUR, null);
    denials.denyToken(id('3', 1), 'revoked', 10, HOUR, null);
    expect(denials.list().map(({ key }) => key)).toEqual(['e.2.1', 'e.3.1']);
  });

  test('behaviour 2: expired entries stay while there is room, since the clock may be set back', () => {
    const denials = createDenials(2);
    denials.denyToken(id('1', 1), 'revoked', 0, 10, null);
    denials.denyToken(id('2', 1), 'revoked', HOUR, 2 * HOUR, null);
    expect(denials.find(id('1', 1))).toBeDefined();
  });

  test('behaviour 2.10: then the oldest entries of single tokens are merged into their lineage', () => {
    const denials = createDenials(3);
    for (const n of [1, 2, 3]) denials.denyToken(id('1', n), 'revoked', n, HOUR * n, null);
    denials.denyToken(id('2', 1), 'expired', 4, HOUR, null);
    expect(denials.list()).toEqual([
      { key: 'e.1', reason: 'revoked', at: 1, until: 2 * HOUR, up_to: 2 },
      { key: 'e.1.3', reason: 'revoked', at: 3, until: 3 * HOUR },
      { key: 'e.2.1', reason: 'expired', at: 4, until: HOUR },
    ]);
  });

  test('behaviour 2: a merged entry denies the lineage’s tokens up to the highest number, not later ones', () => {
    const denials = createDenials(1);
    denials.denyToken(id('1', 4), 'revoked', 1, HOUR, null);
    denials.denyToken(id('1', 2), 'revoked', 2, HOUR, null);
    expect(denials.size).toBe(1);
    for (const n of [1, 2, 3, 4]) expect(denials.find(id('1', n))).toBeDefined();
    expect(denials.find(id('1', 5))).toBeUndefined();
  });

  test('behaviour 2: a revoked lineage stays revoked, whatever is merged into it before or after', () => {
    const denials = createDenials(1);
    denials.denyLineage(lineage('1'), 5, HOUR, null);
    denials.denyToken(id('1', 2), 'expired', 6, 2 * HOUR, null);
    expect(denials.list()).toEqual([{ key: 'e.1', reason: 'revoked', at: 5, until: 2 * HOUR }]);

    const other = createDenials(1);
    other.denyToken(id('1', 2), 'expired', 6, 2 * HOUR, null);
    other.denyToken(id('1', 3), 'expired', 6, 2 * HOUR, null);
    other.denyLineage(lineage('1'), 7, HOUR, null);
    expect(other.find(id('1', 99))).toEqual({
      key: 'e.1',
      reason: 'revoked',
      at: 7,
      until: 2 * HOUR,
    });
  });

  test('behaviour 2: only as many entries are merged as necessary', () => {
    const denials = createDenials(3);
    for (const n of [1, 2]) denials.denyToken(id('1', n), 'revoked', 1, HOUR, null);
    for (const lineage of ['2', '3']) denials.denyToken(id(lineage, 1), 'revoked', 1, HOUR, null);
    expect(denials.list().map(({ key }) => key)).toEqual(['e.1', 'e.2.1', 'e.3.1']);
  });

  test('behaviour 2: the list never exceeds its bound, and the oldest lineages are removed last', () => {
    const denials = createDenials(10);
    for (let count = 1; count <= 1000; count++) {
      denials.denyToken(id(count.toString(36), 1), 'revoked', count, HOUR, null);
      expect(denials.size).toBeLessThanOrEqual(10);
    }
    expect(denials.find(id((1000).toString(36), 1))).toBeDefined();
    expect(denials.find(id('1', 1))).toBeUndefined();
  });

  test('behaviour 2: deleted clients are removed last of all, oldest first', () => {
    const denials = createDenials(2);
    const client = (name: string) => ({ epoch: 'e', client: name });
    for (const name of ['one', 'two', 'three']) denials.denyClient(client(name), null, 1, HOUR);
    denials.denyLineage(lineage('1'), 2, HOUR, null);
    expect(denials.size).toBe(2);
    expect(denials.list()).toEqual([
      { key: 'e.client-two', reason: 'revoked', at: 1, until: HOUR },
      { key: 'e.client-three', reason: 'revoked', at: 1, until: HOUR },
    ]);
  });

  test('behaviour 2: expired lineages and clients are removed too', () => {
    const denials = createDenials(3);
    denials.denyLineage(lineage('1'), 0, 10, null);
    denials.denyClient({ epoch: 'e', client: 'one' }, null, 0, 10);
    denials.denyToken(id('2', 1), 'revoked', 0, HOUR, null);
    denials.denyLineage(lineage('3'), 10, HOUR, null);
    expect(denials.list().map(({ key }) => key)).toEqual(['e.3', 'e.2.1']);
  });

  test('architecture: the list is searched for expired entries only after a sixteenth of it is new', () => {
    const denials = createDenials(32);
    denials.denyLineage(lineage('first'), 0, 10, null);
    for (let count = 1; count <= 31; count++) denials.denyLineage(lineage(`${count}`), 0, 20, null);
    denials.denyLineage(lineage('kept'), 10, HOUR, null);
    expect(denials.size).toBe(32);
    denials.denyClient({ epoch: 'e', client: 'one' }, null, 20, HOUR);
    expect(denials.size).toBe(32);
    denials.denyToken(id('new', 1), 'revoked', 20, HOUR, null);
    expect(denials.list().map(({ key }) => key)).toEqual(['e.client-one', 'e.kept', 'e.new.1']);
  });

  test('a stored list longer than the bound is merged when it is loaded', () => {
    const before = createDenials();
    for (const n of [1, 2, 3, 4]) before.denyToken(id('1', n), 'revoked', n, HOUR, null);
    const after = createDenials(2);
    after.load(before.list());
    expect(after.list().map(({ key }) => key)).toEqual(['e.1', 'e.1.4']);
  });

  test('control, reset: a cleared list denies nothing', () => {
    const denials = createDenials(1);
    denials.denyLineage(lineage('1'), 5, HOUR, null);
    denials.denyToken(id('2', 1), 'revoked', 5, HOUR, null);
    denials.clear();
    expect([denials.size, denials.list(), denials.find(id('1', 1))]).toEqual([0, [], undefined]);
  });
});
