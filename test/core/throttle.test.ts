// Spec 8.1, behaviour 5: the fixed window as a function of state and now.

import { describe, expect, test } from 'vitest';
import type { Settings } from '../../src/core/records/schemas.ts';
import type { CounterKind } from '../../src/core/throttle/counter-store.ts';
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

/** Three requests a minute. */
const LIMITS = limits();

const key = (id: string, kind: CounterKind = 'refresh_token', exchange = 1) => ({
  id,
  kind,
  client_id: 'demo-app',
  exchange,
  describe: () => ({ credential: id, ip: '127.0.0.1' }),
});

/** Counts once, as was foreseen, and returns whether it was allowed. */
function allowed(throttle: Throttle, now: number, with_ = LIMITS, id = 'a') {
  const foreseen = throttle.foresee(key(id), with_, now);
  const decision = throttle.count(key(id), with_, now);
  expect(foreseen).toEqual(decision);
  return decision?.exceeded === false;
}

describe('the window', () => {
  test('behaviour 5: allows exactly the limit, then nothing until it resets', () => {
    const throttle = createThrottle();
    expect([1, 2, 3].map(() => allowed(throttle, T))).toEqual([true, true, true]);
    expect(allowed(throttle, T)).toBe(false);
    expect(allowed(throttle, T + 59_999)).toBe(false);
    expect(allowed(throttle, T + 60_000)).toBe(true);
  });

  test('behaviour 5.2: opens at the first counted request, not at a full minute', () => {
    const throttle = createThrottle();
    const first = throttle.count(key('a'), LIMITS, T + 31_234);
    expect(first).toMatchObject({ resets_at: T + 91_234, reset_seconds: 60 });
    allowed(throttle, T + 91_233);
    const next = throttle.count(key('a'), LIMITS, T + 100_000);
    expect(next).toMatchObject({ used: 1, resets_at: T + 160_000 });
  });

  test('behaviour 5: is neither used up nor extended by rejected requests', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 10; count++) allowed(throttle, T + count);
    expect(throttle.list()).toMatchObject([{ used: 3, allowed: 3, blocked: 7, opened_at: T }]);
    expect(allowed(throttle, T + 60_000)).toBe(true);
    expect(throttle.list()).toMatchObject([{ used: 1, allowed: 4, blocked: 7 }]);
  });

  test('behaviour 5.2: has ended when it lies in the future because the clock was set back', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 4; count++) allowed(throttle, T);
    expect(allowed(throttle, T - 1)).toBe(true);
    expect(throttle.list()).toMatchObject([{ used: 1, opened_at: T - 1 }]);
  });

  test('behaviour 5: gives Retry-After in whole seconds, rounded up, at least 1', () => {
    const throttle = createThrottle();
    const resetAfter = (ms: number) => throttle.count(key('a'), LIMITS, T + ms)?.reset_seconds;
    expect([0, 1, 1000, 18_001, 59_000, 59_999].map(resetAfter)).toEqual([60, 60, 59, 42, 1, 1]);
  });
});

describe('a live change', () => {
  test('behaviour 5: to a higher limit allows requests at once, to a lower limit throttles at once', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 4; count++) allowed(throttle, T);
    expect(allowed(throttle, T, limits({ limit: 4 }))).toBe(true);
    expect(allowed(throttle, T, limits({ limit: 4 }))).toBe(false);
    expect(allowed(throttle, T, limits({ limit: 2 }))).toBe(false);
  });

  test('behaviour 5: to a shorter window ends it at once, to a longer window continues it', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 4; count++) allowed(throttle, T);
    expect(allowed(throttle, T + 61_000, limits({ window_seconds: 120 }))).toBe(false);
    expect(allowed(throttle, T + 11_000, limits({ window_seconds: 10 }))).toBe(true);
  });

  test('behaviour 5: to enforce includes requests that were observed', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 5; count++) allowed(throttle, T, limits({ mode: 'observe' }));
    expect(allowed(throttle, T)).toBe(false);
  });
});

test('behaviour 5: observe counts and never exceeds', () => {
  const throttle = createThrottle();
  const observe = limits({ mode: 'observe' });
  for (let used = 1; used <= 5; used++) {
    const counted = throttle.count(key('a'), observe, T);
    expect(counted).toMatchObject({ exceeded: false, used, limit: 3 });
  }
  expect(throttle.list()).toMatchObject([{ allowed: 5, blocked: 0 }]);
});

describe('the bound', () => {
  const ids = (throttle: Throttle) => throttle.list().map(({ id }) => id);

  test('behaviour 5.5: removes counters of unknown credentials first, even if others are idle longer', () => {
    const throttle = createThrottle(3);
    throttle.count(key('known'), LIMITS, T);
    throttle.count(key('guess 1', 'unknown'), LIMITS, T + 1);
    throttle.count(key('guess 2', 'unknown'), LIMITS, T + 2);
    throttle.count(key('other'), LIMITS, T + 3);
    expect(ids(throttle)).toEqual(['known', 'guess 2', 'other']);
    throttle.count(key('guess 3', 'unknown'), LIMITS, T + 4);
    expect(ids(throttle)).toEqual(['known', 'other', 'guess 3']);
  });

  test('behaviour 5: then removes idle counters; a counter that is used again is not idle', () => {
    const throttle = createThrottle(2);
    throttle.count(key('a'), LIMITS, T);
    throttle.count(key('b'), LIMITS, T + 1);
    throttle.count(key('a'), LIMITS, T + 2);
    throttle.count(key('c'), LIMITS, T + 3);
    expect(ids(throttle)).toEqual(['a', 'c']);
  });

  test('behaviour 5: skips a counter that was used again once, and moves it behind the newest', () => {
    const throttle = createThrottle(2);
    for (const id of ['a', 'b', 'a', 'c', 'd']) throttle.count(key(id), LIMITS, T);
    expect(ids(throttle)).toEqual(['a', 'd']);
    throttle.count(key('e'), LIMITS, T);
    expect(ids(throttle)).toEqual(['d', 'e']);
  });

  test('behaviour 5: has room for a new counter, however many were used again', () => {
    const throttle = createThrottle(70);
    const all = Array.from({ length: 70 }, (_, count) => `${count}`);
    for (const id of [...all, ...all, 'new']) throttle.count(key(id), LIMITS, T);
    expect(throttle.size).toBe(70);
    expect(throttle.find('new')).toBeDefined();
  });

  test('behaviour 5: guessing neither exceeds it nor removes a known credential’s counter', () => {
    const throttle = createThrottle(10);
    for (let count = 0; count < 3; count++) throttle.count(key('mine'), LIMITS, T);
    for (let count = 0; count < 1000; count++) {
      throttle.count(key(`guess ${count}`, 'unknown'), LIMITS, T);
    }
    expect(throttle.size).toBe(10);
    expect(allowed(throttle, T, LIMITS, 'mine')).toBe(false);
  });

  test('behaviour 5.5: is 100,000 counters', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 100_010; count++) throttle.count(key(`${count}`), LIMITS, T);
    expect(throttle.size).toBe(100_000);
  });
});

describe('the history of throttled requests', () => {
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

  test('behaviour 5: contains when and in which exchange each counter throttled, newest first', () => {
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

  test('behaviour 5.11: keeps the newest 20 entries of a counter, across its windows', () => {
    const throttle = createThrottle();
    block(throttle, 30);
    const kept = historyOf(throttle)?.map(({ exchange }) => exchange);
    expect(kept).toEqual(Array.from({ length: 20 }, (_, age) => 30 - age));
    throttle.count(key('a', 'refresh_token', 31), limits({ limit: 1 }), T + 100_000);
    expect(historyOf(throttle)).toHaveLength(20);
  });

  test('behaviour 5: is empty with observe, which throttles nothing', () => {
    const throttle = createThrottle();
    const observe = limits({ mode: 'observe', limit: 1 });
    for (let count = 0; count < 3; count++) throttle.count(key('a'), observe, T);
    expect(historyOf(throttle)).toEqual([]);
  });

  test('behaviour 5: is removed with its counter', () => {
    const throttle = createThrottle(1);
    block(throttle, 3);
    throttle.release('a');
    block(throttle, 1);
    expect(historyOf(throttle)).toEqual([]);
    block(throttle, 3);
    // The first removal skips it, since it was used again.
    for (const id of ['b', 'b', 'a']) block(throttle, 1, id);
    expect(historyOf(throttle)).toEqual([]);
    block(throttle, 3);
    throttle.clear();
    block(throttle, 1);
    expect(historyOf(throttle)).toEqual([]);
  });

  test('behaviour 5.11: is bounded over all counters, and the history throttled longest ago is removed', () => {
    const history = createBlockedHistory({ entries: 2, bytes: Infinity }, 3);
    const add = (id: string) => {
      history.add(id, { at: T, exchange: 1 });
    };
    for (const id of ['a', 'b', 'a', 'c']) add(id);
    expect(['a', 'b', 'c'].map((id) => history.of(id).length)).toEqual([2, 0, 1]);
    expect(history.fill.size).toBe(2);
  });
});

test('behaviour 5: counts towards a size, and the oldest history is removed when it is exceeded', () => {
  const bytesOf = (history: BlockedHistory, id: string) => {
    history.add(id, { at: T, exchange: 1 });
    return history.fill.bytes;
  };
  const share = bytesOf(createBlockedHistory(), 'a');
  expect(share).toBeGreaterThan(0);
  const history = createBlockedHistory({ entries: 10, bytes: 2 * share });
  expect(['a', 'b', 'c'].map((id) => bytesOf(history, id))).toEqual([share, 2 * share, 2 * share]);
  expect(history.of('a')).toEqual([]);
});

test('behaviour 5: has totals of allowed and throttled requests that are never reduced', () => {
  const throttle = createThrottle();
  expect(throttle.total).toEqual({ allowed: 0, blocked: 0 });
  for (let count = 0; count < 5; count++) allowed(throttle, T);
  allowed(throttle, T, LIMITS, 'b');
  expect(throttle.total).toEqual({ allowed: 4, blocked: 2 });
  throttle.clear();
  expect(throttle.total).toEqual({ allowed: 4, blocked: 2 });
});

describe("a client's own limit", () => {
  const workspace = limits({ trust_proxy: true });

  test('behaviour 5: replaces limit and window, and nothing else', () => {
    const own = client({ throttle: { limit: 9, window_seconds: 7 } });
    expect(limitsFor(workspace, own)).toEqual({ ...workspace, limit: 9, window_seconds: 7 });
    expect(limitsFor(workspace, client())).toBe(workspace);
    expect(limitsFor(workspace, undefined)).toBe(workspace);
  });

  test('behaviour 5: applies by the client that last presented the credential, which the counter names', () => {
    const throttle = createThrottle();
    throttle.count(key('a'), LIMITS, T);
    throttle.count({ ...key('a'), client_id: 'admin' }, LIMITS, T);
    expect(throttle.list()).toMatchObject([{ client_id: 'admin', used: 2 }]);
  });
});

describe('listing and releasing counters', () => {
  test('control: the list ends with the counter used last', () => {
    const throttle = createThrottle();
    for (const id of ['a', 'b', 'a']) throttle.count(key(id), LIMITS, T);
    throttle.count(key('c', 'unknown'), LIMITS, T - 5);
    expect(throttle.list().map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });

  test('control: a released counter allows requests again, and the others stay', () => {
    const throttle = createThrottle();
    for (let count = 0; count < 4; count++) {
      allowed(throttle, T);
      allowed(throttle, T, LIMITS, 'b');
    }
    expect([throttle.release('a'), throttle.release('a'), throttle.release('x')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([allowed(throttle, T), allowed(throttle, T, LIMITS, 'b')]).toEqual([true, false]);
  });

  test('control: removing a client removes the counters of credentials that it presented last', () => {
    const throttle = createThrottle();
    throttle.count(key('a'), LIMITS, T);
    throttle.count(key('b', 'unknown'), LIMITS, T);
    throttle.count({ ...key('c'), client_id: 'admin' }, LIMITS, T);
    throttle.forgetClients(new Set(['demo-app', 'other']));
    expect(throttle.list().map(({ id }) => id)).toEqual(['c']);
  });

  test('control: all counters can be released', () => {
    const throttle = createThrottle();
    allowed(throttle, T);
    throttle.count(key('b', 'unknown'), LIMITS, T);
    throttle.clear();
    expect([throttle.size, throttle.list()]).toEqual([0, []]);
  });
});
