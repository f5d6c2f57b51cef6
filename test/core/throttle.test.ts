// Spec 8.1, behaviour 5: the fixed window as a function of state and now.

import { describe, expect, test } from 'vitest';
import type { Settings } from '../../src/core/records/schemas.ts';
import type { CounterKind } from '../../src/core/throttle/counters.ts';
import {
  type BlockedHistory,
  createBlockedHistory,
  createThrottle,
  limitsFor,
  type Throttle,
} from '../../src/core/throttle/throttle.ts';
import { client, settings } from '../support/core.ts';

const T = 1_000_000;

const limits = (members: Partial<Settings['throttle']> = {}) =>
  settings({ throttle: { limit: 3, window_seconds: 60, ...members } }).throttle;

const key = (id: string, kind: CounterKind = 'refresh_token', exchange = 1) => ({
  id,
  kind,
  client_id: 'demo-app',
  exchange,
  describe: () => ({ credential: id, ip: '127.0.0.1' }),
});

/** Counts once and tells whether it was let through. */
const allowed = (throttle: Throttle, now: number, with_ = limits(), id = 'a') =>
  throttle.count(key(id), with_, now)?.exceeded === false;

test('spec 8.3, behaviour 5.2: the default is enforce, 30 requests per 60 s', () => {
  expect(settings().throttle).toMatchObject({ mode: 'enforce', limit: 30, window_seconds: 60 });
});

describe('the window', () => {
  test('behaviour 5: exactly the limit is let through, then nothing until it turns over', () => {
    const throttle = createThrottle();
    expect([1, 2, 3].map(() => allowed(throttle, T))).toEqual([true, true, true]);
    expect(allowed(throttle, T)).toBe(false);
    expect(allowed(throttle, T + 59_999)).toBe(false);
    expect(allowed(throttle, T + 60_000)).toBe(true);
  });

  test('behaviour 5.2: it opens at the first counted request, not at a full minute', () => {
    const throttle = createThrottle();
    const first = throttle.count(key('a'), limits(), T + 31_234);
    expect(first).toMatchObject({ resets_at: T + 91_234, reset_seconds: 60 });
    allowed(throttle, T + 91_233);
    const next = throttle.count(key('a'), limits(), T + 100_000);
    expect(next).toMatchObject({ used: 1, resets_at: T + 160_000 });
  });

  test('behaviour 5: refused requests neither use it up nor hold it open', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 10; count++) allowed(throttle, T + count);
    expect(throttle.list()).toMatchObject([{ used: 3, allowed: 3, blocked: 7, opened_at: T }]);
    expect(allowed(throttle, T + 60_000)).toBe(true);
    expect(throttle.list()).toMatchObject([{ used: 1, allowed: 4, blocked: 7 }]);
  });

  test('behaviour 5.2: one that lies in the future, since the clock was set back, is over', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 4; count++) allowed(throttle, T);
    expect(allowed(throttle, T - 1)).toBe(true);
    expect(throttle.list()).toMatchObject([{ used: 1, opened_at: T - 1 }]);
  });

  test('behaviour 5: Retry-After is whole seconds, rounded up, at least 1', () => {
    const throttle = createThrottle();
    const resetAfter = (ms: number) => throttle.count(key('a'), limits(), T + ms)?.reset_seconds;
    expect([0, 1, 1000, 18_001, 59_000, 59_999].map(resetAfter)).toEqual([60, 60, 59, 42, 1, 1]);
  });
});

describe('a live change', () => {
  test('behaviour 5: a higher limit lets through at once, a lower one blocks at once', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 4; count++) allowed(throttle, T);
    expect(allowed(throttle, T, limits({ limit: 4 }))).toBe(true);
    expect(allowed(throttle, T, limits({ limit: 4 }))).toBe(false);
    expect(allowed(throttle, T, limits({ limit: 2 }))).toBe(false);
  });

  test('behaviour 5: a shorter window is over at once, a longer one goes on', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 4; count++) allowed(throttle, T);
    expect(allowed(throttle, T + 61_000, limits({ window_seconds: 120 }))).toBe(false);
    expect(allowed(throttle, T + 11_000, limits({ window_seconds: 10 }))).toBe(true);
  });

  test('behaviour 5: what was seen while observing counts when enforcing begins', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 5; count++) allowed(throttle, T, limits({ mode: 'observe' }));
    expect(allowed(throttle, T)).toBe(false);
  });
});

describe('the modes', () => {
  test('behaviour 5: observe counts and never exceeds', () => {
    const throttle = createThrottle();
    const observe = limits({ mode: 'observe' });
    for (let count = 0; count < 5; count++) {
      expect(throttle.count(key('a'), observe, T)).toMatchObject({
        exceeded: false,
        used: count + 1,
        limit: 3,
      });
    }
    expect(throttle.list()).toMatchObject([{ allowed: 5, blocked: 0 }]);
  });

  test('behaviour 5: off does not even count', () => {
    const throttle = createThrottle();
    expect(throttle.count(key('a'), limits({ mode: 'off' }), T)).toBeNull();
    expect(throttle.size).toBe(0);
  });
});

describe('the bound', () => {
  const ids = (throttle: Throttle) => throttle.list().map(({ id }) => id);

  test('behaviour 5.5: counters of unknown credentials go first, whoever is idler', () => {
    const throttle = createThrottle(3);
    throttle.count(key('known'), limits(), T);
    throttle.count(key('guess 1', 'unknown'), limits(), T + 1);
    throttle.count(key('guess 2', 'unknown'), limits(), T + 2);
    throttle.count(key('other'), limits(), T + 3);
    expect(ids(throttle)).toEqual(['known', 'guess 2', 'other']);
    throttle.count(key('guess 3', 'unknown'), limits(), T + 4);
    expect(ids(throttle)).toEqual(['known', 'other', 'guess 3']);
  });

  test('behaviour 5: then the idle ones go: seen again is not idle', () => {
    const throttle = createThrottle(2);
    throttle.count(key('a'), limits(), T);
    throttle.count(key('b'), limits(), T + 1);
    throttle.count(key('a'), limits(), T + 2);
    throttle.count(key('c'), limits(), T + 3);
    expect(ids(throttle)).toEqual(['a', 'c']);
  });

  test('behaviour 5: one that was seen again is passed over once, and stands behind the newest', () => {
    const throttle = createThrottle(2);
    for (const id of ['a', 'b', 'a', 'c', 'd']) throttle.count(key(id), limits(), T);
    expect(ids(throttle)).toEqual(['a', 'd']);
    throttle.count(key('e'), limits(), T);
    expect(ids(throttle)).toEqual(['d', 'e']);
  });

  test('behaviour 5: however many were seen again, a new one finds its place', () => {
    const throttle = createThrottle(70);
    const all = Array.from({ length: 70 }, (_, count) => `${count}`);
    for (const id of [...all, ...all, 'new']) throttle.count(key(id), limits(), T);
    expect(throttle.size).toBe(70);
    expect(throttle.find('new')).toBeDefined();
  });

  test('behaviour 5: guessing never grows it past the bound nor pushes a known credential out', () => {
    const throttle = createThrottle(10);
    for (let count = 0; count < 3; count++) throttle.count(key('mine'), limits(), T);
    for (let count = 0; count < 1000; count++) {
      throttle.count(key(`guess ${count}`, 'unknown'), limits(), T);
    }
    expect(throttle.size).toBe(10);
    expect(allowed(throttle, T, limits(), 'mine')).toBe(false);
  });

  test('behaviour 5.5: 100,000 counters are kept', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 100_010; count++) throttle.count(key(`${count}`), limits(), T);
    expect(throttle.size).toBe(100_000);
  });
});

describe('the history of what was blocked', () => {
  /** Blocks the counter's key under exchanges 2 to `last`; exchange 1 uses up the limit. */
  const block = (throttle: Throttle, last: number, id = 'a') => {
    for (let exchange = 1; exchange <= last; exchange++) {
      throttle.count(key(id, 'refresh_token', exchange), limits({ limit: 1 }), T + exchange);
    }
  };
  const historyOf = (throttle: Throttle, id = 'a') => {
    const counter = throttle.find(id);
    return counter === undefined ? null : throttle.blocked(counter);
  };

  test('behaviour 5: each counter keeps when and by which exchange it refused, newest first', () => {
    const throttle = createThrottle();
    block(throttle, 3);
    block(throttle, 1, 'b');
    expect(historyOf(throttle)).toEqual([
      { at: T + 3, exchange: 3 },
      { at: T + 2, exchange: 2 },
    ]);
    expect(historyOf(throttle, 'b')).toEqual([]);
    expect(throttle.find('c')).toBeUndefined();
  });

  test('behaviour 5.11: it keeps the newest 20, over all its windows', () => {
    const throttle = createThrottle();
    block(throttle, 30);
    const kept = historyOf(throttle)?.map(({ exchange }) => exchange);
    expect(kept).toEqual(Array.from({ length: 20 }, (_, age) => 30 - age));
    throttle.count(key('a', 'refresh_token', 31), limits({ limit: 1 }), T + 100_000);
    expect(historyOf(throttle)).toHaveLength(20);
  });

  test('behaviour 5: observe blocks nothing, so that there is no history', () => {
    const throttle = createThrottle();
    const observe = limits({ mode: 'observe', limit: 1 });
    for (let count = 0; count < 3; count++) throttle.count(key('a'), observe, T);
    expect(historyOf(throttle)).toEqual([]);
  });

  test('behaviour 5: it goes with its counter, released or pushed out', () => {
    const throttle = createThrottle(1);
    block(throttle, 3);
    throttle.release('a');
    block(throttle, 1);
    expect(historyOf(throttle)).toEqual([]);
    block(throttle, 3);
    // Once is forgiven: it was seen again since it came.
    for (const id of ['b', 'b', 'a']) block(throttle, 1, id);
    expect(historyOf(throttle)).toEqual([]);
    block(throttle, 3);
    throttle.clear();
    block(throttle, 1);
    expect(historyOf(throttle)).toEqual([]);
  });

  test('behaviour 5.11: it is bounded over all counters: the one blocked longest ago loses its own', () => {
    const history = createBlockedHistory({ entries: 2, bytes: Infinity }, 3);
    const add = (id: string) => {
      history.add(id, { at: T, exchange: 1 });
    };
    for (const id of ['a', 'b', 'a', 'c']) add(id);
    expect(['a', 'b', 'c'].map((id) => history.of(id).length)).toEqual([2, 0, 1]);
    expect(history.size).toBe(2);
  });
});

test('behaviour 5: a history takes its share of the bytes; beyond them the oldest goes', () => {
  const bytesOf = (history: BlockedHistory, id: string) => {
    history.add(id, { at: T, exchange: 1 });
    return history.bytes;
  };
  const share = bytesOf(createBlockedHistory(), 'a');
  expect(share).toBeGreaterThan(0);
  const history = createBlockedHistory({ entries: 10, bytes: 2 * share });
  expect(['a', 'b', 'c'].map((id) => bytesOf(history, id))).toEqual([share, 2 * share, 2 * share]);
  expect(history.of('a')).toEqual([]);
});

test('behaviour 5: what was let through and what was refused is counted for good', () => {
  const throttle = createThrottle();
  expect(throttle.total).toEqual({ allowed: 0, blocked: 0 });
  for (let count = 0; count < 5; count++) allowed(throttle, T);
  allowed(throttle, T, limits(), 'b');
  expect(throttle.total).toEqual({ allowed: 4, blocked: 2 });
  throttle.clear();
  expect(throttle.total).toEqual({ allowed: 4, blocked: 2 });
});

describe("a client's own limit", () => {
  const workspace = limits({ trust_proxy: true });

  test('behaviour 5: it stands in for limit and window, and for nothing else', () => {
    const own = client({ throttle: { limit: 9, window_seconds: 7 } });
    expect(limitsFor(workspace, own)).toEqual({ ...workspace, limit: 9, window_seconds: 7 });
    expect(limitsFor(workspace, client())).toBe(workspace);
    expect(limitsFor(workspace, undefined)).toBe(workspace);
  });

  test('behaviour 5: a counter names the client that presented its credential last', () => {
    const throttle = createThrottle();
    throttle.count(key('a'), limits(), T);
    throttle.count({ ...key('a'), client_id: 'admin' }, limits(), T);
    expect(throttle.list()).toMatchObject([{ client_id: 'admin', used: 2 }]);
  });
});

describe('looking and releasing', () => {
  test('control: the list has the one last seen last', () => {
    const throttle = createThrottle();
    for (const id of ['a', 'b', 'a']) throttle.count(key(id), limits(), T);
    throttle.count(key('c', 'unknown'), limits(), T - 5);
    expect(throttle.list().map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });

  test('control: one released lets through again, the others stay', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 4; count++) {
      allowed(throttle, T);
      allowed(throttle, T, limits(), 'b');
    }
    expect([throttle.release('a'), throttle.release('a'), throttle.release('x')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([allowed(throttle, T), allowed(throttle, T, limits(), 'b')]).toEqual([true, false]);
  });

  test('control: with a client go all the counters that it presented last', () => {
    const throttle = createThrottle();
    throttle.count(key('a'), limits(), T);
    throttle.count(key('b', 'unknown'), limits(), T);
    throttle.count({ ...key('c'), client_id: 'admin' }, limits(), T);
    throttle.forgetClients(new Set(['demo-app', 'other']));
    expect(throttle.list().map(({ id }) => id)).toEqual(['c']);
  });

  test('control: all released', () => {
    const throttle = createThrottle();
    allowed(throttle, T);
    throttle.count(key('b', 'unknown'), limits(), T);
    throttle.clear();
    expect([throttle.size, throttle.list()]).toEqual([0, []]);
  });
});
