// The viewers of the feed: what each has received, and which are waiting. At most 10 times a second, all waiting
// viewers are served together. Viewers at the same position share a batch, so that another viewer only costs a
// message. This file knows the number of the newest event, but not the events.

import type { FeedBatch } from '../../control/schemas.ts';

/**
 * Deliberately not a plain object, because oRPC copies plain objects for each viewer and passes others on unchanged.
 */
export class SharedBatch implements FeedBatch {
  declare readonly sandbox: string;
  declare readonly first: number;
  declare readonly last: number;
  declare readonly exchanges: FeedBatch['exchanges'];
  declare readonly counters: FeedBatch['counters'];
  declare readonly changed: FeedBatch['changed'];
  declare readonly totals: FeedBatch['totals'];
  declare readonly rates: FeedBatch['rates'];
  #text: string | null = null;

  constructor(batch: FeedBatch) {
    Object.assign(this, batch);
  }

  get text(): string {
    this.#text ??= JSON.stringify(this);
    return this.#text;
  }
}

export const INTERVAL_MS = 100;
/** Interval for checking totals that change with time. */
const TOTALS_MS = 1000;
/** Maximum number of viewers, because each has a small cost. */
export const MAX_VIEWERS = 100;

interface FeedViewersOptions {
  /** Number of the newest event. */
  readonly last: () => number;
  readonly totals: () => FeedBatch['totals'];
  /**
   * Returns the batch after the event with this number.
   * @param rated number of the event after which changed seconds are included
   */
  readonly batchSince: (seen: number, totals: FeedBatch['totals'], rated: number) => SharedBatch;
  /** Called before each round, even if nothing has changed. */
  readonly beforeRound: () => void;
  /** Called when the last viewer has left. */
  readonly onEmpty: () => void;
  /** In ms of monotonic time. */
  readonly stopwatch: () => number;
}

interface Viewer {
  /** Number of the last event delivered. */
  seen: number;
  /** The last delivered totals, as text. */
  totals: string;
  /** Receives the next batch, or null at the end; null while the previous batch is being sent. */
  take: ((batch: SharedBatch | null) => void) | null;
}

/** Returns a function that schedules a round, with a minimum interval. */
function createRounds(stopwatch: () => number, serve: () => void): () => void {
  /** Stopwatch time of the end of the last round. */
  let served = 0;
  let round: NodeJS.Timeout | null = null;
  const run = () => {
    round = null;
    serve();
    // The interval starts at the end of a round, so that a long round has the same pause.
    served = stopwatch();
  };
  return () => {
    const left = served + INTERVAL_MS - stopwatch();
    round ??= setTimeout(run, Math.max(0, Math.ceil(left))).unref();
  };
}

/** Serves each waiting viewer that has not received everything. */
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

export function createFeedViewers(options: FeedViewersOptions) {
  const { last, onEmpty, stopwatch } = options;
  const viewers = new Set<Viewer>();
  let closed = false;
  let totalsTimer: NodeJS.Timeout | null = null;

  const serveSoon = createRounds(stopwatch, () => {
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
    // Includes the counts before it subscribed.
    const batch = options.batchSince(viewer.seen, totals, 0);
    Object.assign(viewer, { seen: last(), totals: JSON.stringify(totals) });
    return batch;
  };
  const nextBatch = (viewer: Viewer): Promise<SharedBatch | null> =>
    new Promise((resolve) => {
      if (!viewers.has(viewer)) return resolve(null);
      viewer.take = resolve;
      if (viewer.seen < last()) serveSoon();
    });
  async function* deliver(
    viewer: Viewer,
    forget: () => void,
  ): AsyncGenerator<SharedBatch, void, void> {
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
    /** Serves waiting viewers as soon as the interval since the last round has passed. */
    serveSoon,
    /** Returns batches from now on, the first one immediately. Ends with the signal or with all viewers. */
    subscribe: (signal?: AbortSignal) => {
      const viewer: Viewer = { seen: last(), totals: '', take: null };
      if (!closed && signal?.aborted !== true) {
        viewers.add(viewer);
        totalsTimer ??= setInterval(serveSoon, TOTALS_MS).unref();
      }
      const forget = () => {
        signal?.removeEventListener('abort', forget);
        end(viewer);
      };
      signal?.addEventListener('abort', forget);
      return deliver(viewer, forget);
    },
    /** Ends all viewers and accepts no more. */
    close: () => {
      closed = true;
      for (const viewer of viewers) end(viewer);
    },
  };
}
