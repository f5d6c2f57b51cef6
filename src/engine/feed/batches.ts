// The numbered, batched feed. Whatever happens only pushes a record or flips a flag here, so that the
// token endpoint never waits for a viewer. At most 20 times a second all viewers who wait are served at
// once: those at the same place get the same batch, so that one more viewer costs one more message.

import type { FeedBatch } from '../../control/schemas.ts';
import { TOPICS, type Topic } from '../../control/topics.ts';
import type { DomainEvent } from '../../core/model/events.ts';
import type { Counter } from '../../core/throttle/counters.ts';
import type { CapturedExchange } from '../../server/captured-exchange.ts';
import { SharedBatch } from './batch.ts';
import { createFeedHistory } from './history.ts';

const INTERVAL_MS = 50;
/** Totals that change by the passing of time alone are looked at this often. */
const TOTALS_MS = 1000;
/** Viewers at the same time; what each costs is small, but not nothing. */
export const MAX_VIEWERS = 100;

export interface Feed {
  readonly exchange: (exchange: CapturedExchange) => void;
  readonly event: (event: DomainEvent) => void;
  readonly changed: (...topics: readonly Topic[]) => void;
  /** Whether one more viewer is taken. */
  readonly hasRoom: () => boolean;
  /** Batches from now on, the first one at once. Ends with the signal or the feed. */
  readonly subscribe: (signal?: AbortSignal) => AsyncGenerator<SharedBatch, void, void>;
  readonly close: () => void;
}

export interface FeedSources {
  readonly totals: () => FeedBatch['totals'];
  readonly exchange: (exchange: CapturedExchange) => FeedBatch['exchanges'][number];
  readonly counter: (counter: Counter) => FeedBatch['counters'][number];
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

function topicsOf(event: Exclude<DomainEvent, { type: 'counter' }>): readonly Topic[] {
  switch (event.type) {
    case 'credentials':
    case 'ceiling':
      return ['tokens'];
    case 'counters_released':
      return ['throttle'];
    case 'registry':
      // A client may have a limit of its own.
      return event.list === 'clients' ? ['clients', 'throttle'] : [event.list];
    case 'settings':
      return ['settings', 'server', 'throttle', 'keys'];
    case 'keys':
      return ['keys'];
    case 'faults':
    case 'fault_hit':
      return ['faults'];
    case 'reset':
      return TOPICS;
  }
}

export function createFeed(sources: FeedSources): Feed {
  const viewers = new Set<Viewer>();
  const history = createFeedHistory(sources.exchange);
  let last = 0;
  let closed = false;
  /** Stopwatch reading of the last time that viewers were served. */
  let served = 0;
  let round: NodeJS.Timeout | null = null;
  let totalsTimer: NodeJS.Timeout | null = null;

  const batchSince = (seen: number, totals: FeedBatch['totals']): SharedBatch => {
    const { counters, ...told } = history.since(seen, last);
    return new SharedBatch({ ...told, last, counters: counters.map(sources.counter), totals });
  };
  const serve = () => {
    round = null;
    history.summarize();
    const totals = sources.totals();
    const text = JSON.stringify(totals);
    const made = new Map<number, SharedBatch>();
    for (const viewer of viewers) {
      const { take, seen } = viewer;
      if (take === null || (seen === last && viewer.totals === text)) continue;
      const batch = made.get(seen) ?? batchSince(seen, totals);
      made.set(seen, batch);
      Object.assign(viewer, { seen: last, totals: text, take: null });
      take(batch);
    }
    // Counted from the end: a long round is followed by as long a pause as a short one.
    served = sources.stopwatch();
  };
  /** Serves those who wait, as soon as the last time is long enough ago. */
  const serveSoon = () => {
    const left = served + INTERVAL_MS - sources.stopwatch();
    round ??= setTimeout(serve, Math.max(0, Math.ceil(left))).unref();
  };
  const tell = (record: (event: number) => void) => {
    last += 1;
    if (viewers.size === 0) return;
    record(last);
    serveSoon();
  };
  const changed = (...topics: readonly Topic[]) => {
    tell((event) => {
      history.changed(event, topics);
    });
  };
  const end = (viewer: Viewer) => {
    viewers.delete(viewer);
    viewer.take?.(null);
    viewer.take = null;
    if (viewers.size > 0) return;
    history.clear();
    if (totalsTimer !== null) clearInterval(totalsTimer);
    totalsTimer = null;
  };

  const firstBatch = (viewer: Viewer): SharedBatch => {
    const totals = sources.totals();
    const batch = batchSince(viewer.seen, totals);
    Object.assign(viewer, { seen: last, totals: JSON.stringify(totals) });
    return batch;
  };
  const nextBatch = (viewer: Viewer): Promise<SharedBatch | null> =>
    new Promise((resolve) => {
      if (!viewers.has(viewer)) return resolve(null);
      viewer.take = resolve;
      if (viewer.seen < last) serveSoon();
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
    exchange: (exchange) => {
      tell((event) => {
        history.exchange(event, exchange);
      });
    },
    event: (event) => {
      if (event.type === 'reset') history.clearExchanges();
      if (event.type !== 'counter') return changed(...topicsOf(event));
      tell((number) => {
        history.counter(number, event.counter);
      });
    },
    changed,
    hasRoom: () => viewers.size < MAX_VIEWERS,
    subscribe: (signal) => {
      const viewer: Viewer = { seen: last, totals: '', take: null };
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
    close: () => {
      closed = true;
      for (const viewer of viewers) end(viewer);
    },
  };
}
