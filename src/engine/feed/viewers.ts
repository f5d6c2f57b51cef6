// Those who look at the feed: what each has seen, and who waits. At most 10 times a second all viewers who
// wait are served at once: those at the same place get the same batch, so that one more viewer costs one
// more message. It does not know what happened, only the number of the newest event.

import type { FeedBatch } from '../../control/schemas.ts';

/**
 * Deliberately no plain object: oRPC copies those member by member for each viewer, and hands on anything
 * else as it is.
 */
export class SharedBatch implements FeedBatch {
  readonly first: number;
  readonly last: number;
  readonly exchanges: FeedBatch['exchanges'];
  readonly counters: FeedBatch['counters'];
  readonly changed: FeedBatch['changed'];
  readonly totals: FeedBatch['totals'];
  readonly rates: FeedBatch['rates'];
  #text: string | null = null;

  constructor({ first, last, exchanges, counters, changed, totals, rates }: FeedBatch) {
    this.first = first;
    this.last = last;
    this.exchanges = exchanges;
    this.counters = counters;
    this.changed = changed;
    this.totals = totals;
    this.rates = rates;
  }

  /** The batch as JSON. */
  get text(): string {
    this.#text ??= JSON.stringify(this);
    return this.#text;
  }
}

export const INTERVAL_MS = 100;
/** Totals that change by the passing of time alone are looked at this often. */
const TOTALS_MS = 1000;
/** Viewers at the same time; what each costs is small, but not nothing. */
export const MAX_VIEWERS = 100;

interface FeedViewers {
  readonly count: () => number;
  /** Serves those who wait, as soon as the last time is long enough ago. */
  readonly serveSoon: () => void;
  /** Batches from now on, the first one at once. Ends with the signal or with all viewers. */
  readonly subscribe: (signal?: AbortSignal) => AsyncGenerator<SharedBatch, void, void>;
  /** Ends all viewers; no other is taken. */
  readonly close: () => void;
}

interface FeedViewersOptions {
  /** Number of the newest event. */
  readonly last: () => number;
  readonly totals: () => FeedBatch['totals'];
  /**
   * What came after the event with this number.
   * @param rated the counts of seconds are those that changed after this event
   */
  readonly batchSince: (seen: number, totals: FeedBatch['totals'], rated: number) => SharedBatch;
  /** Called before each round, whether it has anything to tell or not. */
  readonly beforeRound: () => void;
  /** The last viewer is gone. */
  readonly onEmpty: () => void;
  /** Monotonic machine time in ms. */
  readonly stopwatch: () => number;
}

interface Viewer {
  /** Number of the last event delivered. */
  seen: number;
  /** The totals delivered last, as text. */
  totals: string;
  /** Takes the next batch, or null at the end; null itself while the former batch is on its way. */
  take: ((batch: SharedBatch | null) => void) | null;
}

/** Rounds that are far enough apart, each when it is asked for. */
function createRounds(stopwatch: () => number, serve: () => void) {
  /** Stopwatch reading of the end of the last round. */
  let served = 0;
  let round: NodeJS.Timeout | null = null;
  const run = () => {
    round = null;
    serve();
    // Counted from the end: a long round is followed by as long a pause as a short one.
    served = stopwatch();
  };
  return {
    soon: () => {
      const left = served + INTERVAL_MS - stopwatch();
      round ??= setTimeout(run, Math.max(0, Math.ceil(left))).unref();
    },
  };
}

/** Serves each viewer who waits and has not seen everything. */
function serveWaiting(viewers: Iterable<Viewer>, options: FeedViewersOptions): void {
  options.beforeRound();
  const totals = options.totals();
  const text = JSON.stringify(totals);
  const last = options.last();
  const made = new Map<number, SharedBatch>();
  for (const viewer of viewers) {
    const { take, seen } = viewer;
    if (take === null || (seen === last && viewer.totals === text)) continue;
    const batch = made.get(seen) ?? options.batchSince(seen, totals, seen);
    made.set(seen, batch);
    Object.assign(viewer, { seen: last, totals: text, take: null });
    take(batch);
  }
}

export function createFeedViewers(options: FeedViewersOptions): FeedViewers {
  const { last, onEmpty, stopwatch } = options;
  const viewers = new Set<Viewer>();
  let closed = false;
  let totalsTimer: NodeJS.Timeout | null = null;

  const rounds = createRounds(stopwatch, () => {
    serveWaiting(viewers, options);
  });
  const end = (viewer: Viewer) => {
    viewers.delete(viewer);
    viewer.take?.(null);
    viewer.take = null;
    if (viewers.size > 0) return;
    onEmpty();
    if (totalsTimer !== null) clearInterval(totalsTimer);
    totalsTimer = null;
  };
  const firstBatch = (viewer: Viewer): SharedBatch => {
    const totals = options.totals();
    // Counts also of what happened before it came.
    const batch = options.batchSince(viewer.seen, totals, 0);
    Object.assign(viewer, { seen: last(), totals: JSON.stringify(totals) });
    return batch;
  };
  const nextBatch = (viewer: Viewer): Promise<SharedBatch | null> =>
    new Promise((resolve) => {
      if (!viewers.has(viewer)) return resolve(null);
      viewer.take = resolve;
      if (viewer.seen < last()) rounds.soon();
    });
  async function* deliver(viewer: Viewer, forget: () => void) {
    try {
      if (viewers.has(viewer)) yield firstBatch(viewer);
      for (;;) {
        const batch = await nextBatch(viewer);
        if (batch === null) return;
        yield batch;
      }
    } finally {
      forget();
    }
  }
  return {
    count: () => viewers.size,
    serveSoon: rounds.soon,
    subscribe: (signal) => {
      const viewer: Viewer = { seen: last(), totals: '', take: null };
      if (!closed && signal?.aborted !== true) {
        viewers.add(viewer);
        totalsTimer ??= setInterval(rounds.soon, TOTALS_MS).unref();
      }
      const forget = () => {
        signal?.removeEventListener('abort', forget);
        end(viewer);
      };
      signal?.addEventListener('abort', forget);
      return deliver(viewer, forget);
    },
    close: () => {
      closed = true;
      for (const viewer of viewers) end(viewer);
    },
  };
}
