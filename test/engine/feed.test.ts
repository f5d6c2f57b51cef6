// docs/internals/architecture.md: numbered and batched, at most 20 deliveries a second per subscriber, bounded
// queues, a gap visible as a jump in the number.

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FeedBatch } from '../../src/control/schemas.ts';
import type { Counter } from '../../src/core/throttle/counter-store.ts';
import { exchangeSummary } from '../../src/engine/exchanges/summary.ts';
import { MAX_VIEWERS, type SharedBatch } from '../../src/engine/feed/viewers.ts';
import { createFeed, type Feed } from '../../src/engine/feed/batches.ts';
import { createRequestCounts } from '../../src/engine/feed/request-counts.ts';
import { MAX_EXCHANGES } from '../../src/engine/feed/history.ts';
import { counterView } from '../../src/engine/format.ts';
import { createKnownValues } from '../../src/redact/known-values.ts';
import { createRedactor } from '../../src/redact/redactor.ts';
import type { CapturedExchange } from '../../src/server/capture.ts';
import { settings, START } from '../support/core.ts';
import { feedBatch } from '../support/exchanges.ts';

const redactor = createRedactor({ known: createKnownValues(), isIssued: () => false });
const REDACTOR = { ...redactor, targetOf: ({ target }: { target: string }) => target };

const NOTHING = { ...feedBatch().totals, exchanges: 0 };

function exchange(number: number): CapturedExchange {
  return {
    number,
    endpoint: null,
    at: START,
    clock_frozen: false,
    clock_offset: 0,
    started: 0,
    duration_ms: 1,
    method: 'GET',
    target: '/livez',
    http_version: '1.1',
    ip: '127.0.0.1',
    sent_by: 'app',
    request_headers: [],
    request_body: Buffer.alloc(0),
    request_bytes: 0,
    status: 200,
    response_headers: [],
    response_body: '',
    error: null,
    evaluation: null,
    claimed: null,
    retry_of: null,
    login: null,
    fault: null,
    held: null,
  };
}

function counter(id: string, used = 1): Counter {
  return {
    id,
    kind: 'refresh_token',
    credential: id,
    client_id: 'demo-app',
    ip: '127.0.0.1',
    used,
    opened_at: START,
    allowed: used,
    blocked: 0,
    last_seen_at: START,
  };
}

function startFeed(stopwatch = () => performance.now()): {
  feed: Feed;
  made: { summaries: number; totals: number };
} {
  const made = { summaries: 0, totals: 0 };
  const feed = createFeed({
    stopwatch,
    counts: createRequestCounts(stopwatch),
    totals: () => {
      made.totals += 1;
      return NOTHING;
    },
    exchange: (captured) => {
      made.summaries += 1;
      return exchangeSummary(captured, REDACTOR);
    },
    counter: (one) => counterView(one, undefined, settings().throttle, START),
  });
  onTestFinished(() => feed.close());
  return { feed, made };
}

async function take(batches: AsyncGenerator<FeedBatch, void>): Promise<FeedBatch> {
  const { value } = await batches.next();
  if (value === undefined) throw new Error('the feed ended');
  return value;
}

/** A feed with a viewer that has taken its first batch. */
async function followedFeed() {
  const { feed, made } = startFeed();
  const batches = feed.subscribe();
  const { last } = await take(batches);
  return { feed, made, batches, last };
}

const counts = (second: number, requests: number, of_app = requests) => ({
  second,
  requests,
  allowed: 0,
  throttled: 0,
  app: { requests: of_app, allowed: 0, throttled: 0 },
});

const numbers = (batch: FeedBatch) => batch.exchanges.map(({ number }) => number);

describe('numbers', () => {
  it('start in a first batch that is sent at once, with only the counts of the last seconds and the next number', async () => {
    const { feed } = startFeed(() => 700_250);
    feed.changed('clients');
    feed.exchange(exchange(1));
    const batch = await take(feed.subscribe());
    expect(batch).toEqual({
      sandbox: batch.sandbox,
      first: 3,
      last: 2,
      exchanges: [],
      counters: [],
      changed: [],
      totals: NOTHING,
      rates: { second: 700, seconds: [counts(700, 1)] },
    });
  });

  it('follow each other without a gap while nothing is dropped', async () => {
    const { feed } = startFeed();
    const batches = feed.subscribe();
    let { last } = await take(batches);
    for (let round = 1; round <= 3; round++) {
      for (let count = 0; count < 100; count++) feed.exchange(exchange(count));
      feed.event({ type: 'credentials' });
      const batch = await take(batches);
      expect(batch.first).toBe(last + 1);
      expect(batch.last).toBe(last + 101);
      last = batch.last;
    }
  });

  it.each([MAX_EXCHANGES - 1, MAX_EXCHANGES, MAX_EXCHANGES + 1, 3 * MAX_EXCHANGES + 7])(
    'jump exactly when a viewer was too slow for all exchanges, of which the newest are sent: %d',
    async (count) => {
      const { feed, batches, last } = await followedFeed();
      for (let number = 1; number <= count; number++) feed.exchange(exchange(number));
      const batch = await take(batches);
      const dropped = Math.max(0, count - MAX_EXCHANGES);
      expect(batch.first).toBe(last + 1 + dropped);
      expect(numbers(batch)[0]).toBe(dropped + 1);
      expect(numbers(batch).at(-1)).toBe(count);
      expect(batch.exchanges).toHaveLength(count - dropped);
      feed.exchange(exchange(0));
      expect((await take(batches)).first).toBe(batch.last + 1);
    },
  );

  it('are separate for each viewer: a fast viewer misses nothing because of a slow one', async () => {
    const { feed } = startFeed();
    const fast = feed.subscribe();
    const slow = feed.subscribe();
    await take(fast);
    const { last } = await take(slow);
    const seen: number[] = [];
    for (let round = 0; round < 4; round++) {
      for (let count = 0; count < 300; count++) feed.exchange(exchange(round * 300 + count + 1));
      seen.push(...numbers(await take(fast)));
    }
    expect(seen).toEqual(Array.from({ length: 1200 }, (_, index) => index + 1));
    expect((await take(slow)).first).toBe(last + 1200 - MAX_EXCHANGES + 1);
  });
});

describe('batches', () => {
  it('are sent at most 10 times a second, however much happens', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { feed, batches } = await followedFeed();
    const moments: number[] = [];
    const look = async () => {
      while ((await batches.next()).done !== true) moments.push(performance.now());
    };
    void look();
    const begun = performance.now();
    while (performance.now() < begun + 1000) {
      feed.exchange(exchange(1));
      await vi.advanceTimersByTimeAsync(1);
    }
    const gaps = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0));
    expect(gaps).toEqual(Array.from({ length: 9 }, () => 100));
  });

  it('contain the newest state of each counter once', async () => {
    const { feed, batches } = await followedFeed();
    const one = counter('one');
    for (let used = 1; used <= 5; used++) {
      one.used = used;
      feed.event({ type: 'counter', counter: one });
    }
    feed.event({ type: 'counter', counter: counter('two') });
    const batch = await take(batches);
    expect(batch.counters.map(({ id, used }) => [id, used])).toEqual([
      ['one', 5],
      ['two', 1],
    ]);
  });

  it('ask to reload the list when more counters changed than a batch contains', async () => {
    const { feed, batches } = await followedFeed();
    for (let index = 0; index < 2500; index++) {
      feed.event({ type: 'counter', counter: counter(`counter-${index}`) });
    }
    const batch = await take(batches);
    expect(batch.counters.length).toBeLessThanOrEqual(1000);
    expect(batch.changed).toEqual(['throttle']);
  });

  it('name each changed list once', async () => {
    const { feed, batches } = await followedFeed();
    for (let count = 0; count < 10; count++) {
      feed.event({ type: 'credentials' });
      feed.event({ type: 'registry', list: 'clients' });
    }
    feed.event({ type: 'ceiling', lineage_id: '1' });
    feed.event({ type: 'keys' });
    const batch = await take(batches);
    expect(batch.changed.toSorted()).toEqual(['clients', 'keys', 'throttle', 'tokens']);
  });

  it('contain no exchange from before a reset', async () => {
    const { feed, batches } = await followedFeed();
    feed.exchange(exchange(1));
    feed.event({ type: 'reset' });
    feed.exchange(exchange(2));
    const batch = await take(batches);
    expect(numbers(batch)).toEqual([2]);
    expect(batch.changed).toContain('exchanges');
  });

  it('name the sandbox: another one after a reset, and of another server', async () => {
    const { feed, batches } = await followedFeed();
    feed.exchange(exchange(1));
    const { sandbox } = await take(batches);
    feed.exchange(exchange(2));
    expect((await take(batches)).sandbox).toBe(sandbox);
    feed.event({ type: 'reset' });
    expect((await take(batches)).sandbox).not.toBe(sandbox);
    const other = await followedFeed();
    other.feed.exchange(exchange(1));
    expect((await take(other.batches)).sandbox).not.toBe(sandbox);
  });

  it('wait until the former batch is consumed', async () => {
    const { feed, batches } = await followedFeed();
    feed.exchange(exchange(1));
    await take(batches);
    feed.exchange(exchange(2));
    // Another viewer's batch shows that enough time has passed for this viewer's batch.
    const other = feed.subscribe();
    await take(other);
    feed.exchange(exchange(3));
    await take(other);
    expect(numbers(await take(batches))).toEqual([2, 3]);
  });
});

describe('one more viewer costs one more message, and nothing else', () => {
  it('viewers at the same position get the same batch, with summaries and text created once', async () => {
    const { feed, made } = startFeed();
    const viewers = Array.from({ length: MAX_VIEWERS }, () => feed.subscribe());
    for (const viewer of viewers) await take(viewer);
    made.totals = 0;
    const waiting = viewers.map(take);
    for (let number = 1; number <= 20; number++) feed.exchange(exchange(number));
    const batches = await Promise.all(waiting);
    expect(new Set(batches).size).toBe(1);
    expect(made).toEqual({ summaries: 20, totals: 1 });
    const [batch] = batches as SharedBatch[];
    expect(JSON.parse(batch?.text ?? '')).toEqual(batch);
  });

  it('a later viewer shares the summaries, and from then on the batch', async () => {
    const { feed, made } = startFeed();
    const early = feed.subscribe();
    const late = feed.subscribe();
    await take(early);
    await take(late);
    feed.exchange(exchange(1));
    await take(early);
    feed.exchange(exchange(2));
    const [one, two] = await Promise.all([take(early), take(late)]);
    expect([numbers(one), numbers(two)]).toEqual([[2], [1, 2]]);
    feed.exchange(exchange(3));
    const [again, same] = await Promise.all([take(early), take(late)]);
    expect(again).toBe(same);
    expect(made.summaries).toBe(3);
  });

  it('viewers are limited, and a place is free again when a viewer leaves', async () => {
    const { feed } = startFeed();
    const viewers = Array.from({ length: MAX_VIEWERS }, () => feed.subscribe());
    expect(feed.hasRoom()).toBe(false);
    for (const viewer of viewers) await take(viewer);
    await viewers[0]?.return();
    expect(feed.hasRoom()).toBe(true);
  });

  it('retains no exchange with its bodies for a viewer that consumes nothing', async () => {
    const { feed, made } = startFeed();
    const stalled = feed.subscribe();
    const other = feed.subscribe();
    await take(stalled);
    await take(other);
    feed.exchange(exchange(1));
    await take(other);
    expect(made.summaries).toBe(1);
  });

  it('a round reads at most 256 KiB of request lines, and drops the oldest beyond that', async () => {
    const { feed, made, batches, last } = await followedFeed();
    const target = `/${'x'.repeat(16_383)}`;
    feed.exchange(exchange(1));
    for (let number = 2; number <= 400; number++) {
      feed.exchange({ ...exchange(number), target });
    }
    const batch = await take(batches);
    expect(numbers(batch)).toEqual(Array.from({ length: 16 }, (_, index) => 385 + index));
    expect(batch.first).toBe(last + 1 + 384);
    expect(made.summaries).toBe(16);
  });

  it('at most 2 MiB of summaries are kept for a slow viewer', async () => {
    const { feed } = startFeed();
    const slow = feed.subscribe();
    const fast = feed.subscribe();
    const { last } = await take(slow);
    await take(fast);
    const target = `/${'words/'.repeat(2700)}`;
    for (let round = 0; round < 12; round += 1) {
      for (let count = 0; count < 15; count += 1) {
        feed.exchange({ ...exchange(round * 15 + count + 1), target });
      }
      await take(fast);
    }
    const batch = await take(slow);
    const { length } = batch.exchanges;
    expect(length).toBeGreaterThan(100);
    expect(JSON.stringify(batch).length).toBeLessThan(2_100_000);
    expect(batch.first).toBe(last + 1 + 180 - length);
  });
});

describe('behaviour 13.3: requests are counted per second', () => {
  /** A feed whose machine time is set by hand, in seconds. */
  function timedFeed() {
    const time = { s: 1000 };
    const { feed } = startFeed(() => time.s * 1000);
    return { feed, time };
  }

  /** The batch that a new viewer receives at once. */
  const firstBatch = (feed: Feed) => take(feed.subscribe());

  it('for two minutes, with or without viewers', async () => {
    const { feed, time } = timedFeed();
    feed.exchange(exchange(1));
    time.s = 1001;
    feed.exchange(exchange(2));
    feed.exchange({ ...exchange(3), sent_by: 'workbench' });
    time.s = 1119.9;
    const full = { second: 1119, seconds: [counts(1000, 1), counts(1001, 2, 1)] };
    expect((await firstBatch(feed)).rates).toEqual(full);
    time.s = 1120;
    expect((await firstBatch(feed)).rates).toEqual({ second: 1120, seconds: [counts(1001, 2, 1)] });
    time.s = 9999;
    expect((await firstBatch(feed)).rates).toEqual({ second: 9999, seconds: [] });
  });

  it('in each later batch only for the seconds that changed, with their whole counts', async () => {
    const { feed, time } = timedFeed();
    feed.exchange(exchange(1));
    time.s = 1001;
    feed.exchange(exchange(2));
    const batches = feed.subscribe();
    await take(batches);
    time.s = 1001.5;
    feed.exchange(exchange(3));
    expect((await take(batches)).rates).toEqual({ second: 1001, seconds: [counts(1001, 2)] });
    time.s = 1007;
    feed.changed('clients');
    expect((await take(batches)).rates).toEqual({ second: 1007, seconds: [] });
  });

  it('for slow viewers too: dropped exchanges are counted', async () => {
    const { feed } = timedFeed();
    const batches = feed.subscribe();
    await take(batches);
    for (let number = 1; number <= 5000; number++) feed.exchange(exchange(number));
    const { exchanges, rates } = await take(batches);
    expect(exchanges.length).toBeLessThanOrEqual(MAX_EXCHANGES);
    expect(rates.seconds).toEqual([counts(1000, 5000)]);
  });

  it('from zero after a reset', async () => {
    const { feed } = timedFeed();
    feed.exchange(exchange(1));
    feed.event({ type: 'reset' });
    expect((await firstBatch(feed)).rates).toEqual({ second: 1000, seconds: [] });
    feed.exchange(exchange(2));
    expect((await firstBatch(feed)).rates.seconds).toEqual([counts(1000, 1)]);
  });
});

describe('the feed costs nothing without viewers', () => {
  it('sends nothing while nothing changes', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { feed, made } = startFeed();
    const viewers = Array.from({ length: 10 }, () => feed.subscribe());
    for (const viewer of viewers) await take(viewer);
    made.totals = 0;
    let taken = 0;
    for (const viewer of viewers) void viewer.next().then(() => (taken += 1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(taken).toBe(0);
    // Once a second for all of them.
    expect(made.totals).toBeLessThanOrEqual(60);
  });

  it('creates no summary without viewers', () => {
    const { feed, made } = startFeed();
    for (let number = 1; number <= 5000; number++) feed.exchange(exchange(number));
    expect(made.summaries).toBe(0);
  });
});

describe('ending', () => {
  it.each(['for changes', 'between batches'])('a signal ends the wait %s', async (wait) => {
    const { feed } = startFeed();
    const gone = new AbortController();
    const batches = feed.subscribe(gone.signal);
    await take(batches);
    if (wait === 'between batches') feed.changed('clients');
    const waiting = batches.next();
    gone.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('closing the feed ends every viewer, including later ones', async () => {
    const { feed } = startFeed();
    const viewers = [feed.subscribe(), feed.subscribe()];
    for (const viewer of viewers) await take(viewer);
    const waiting = viewers.map((viewer) => viewer.next());
    feed.close();
    for (const end of await Promise.all(waiting)) expect(end.done).toBe(true);
    expect((await feed.subscribe().next()).done).toBe(true);
  });

  it('a viewer that has ended is removed', async () => {
    const { feed, made, batches } = await followedFeed();
    await batches.return();
    feed.exchange(exchange(1));
    expect((await batches.next()).done).toBe(true);
    expect(made.summaries).toBe(0);
  });
});
