// The numbered, batched feed. Whatever happens only pushes a record or flips a flag here, so that the
// token endpoint never waits for a viewer; words are made when a viewer takes its next batch.

import type { FeedBatch } from '../control/schemas.ts';
import { TOPICS, type Topic } from '../control/topics.ts';
import type { DomainEvent } from '../core/events.ts';
import type { Counter } from '../core/throttle.ts';
import type { CapturedExchange } from '../server/capture.ts';
import type { Subscription } from './subscription.ts';
import { createSubscription, hasNext } from './subscription.ts';

/** Totals that change by the passing of time alone are looked at this often. */
const TOTALS_MS = 1000;
/** Exchanges in one batch at most; of more, the oldest are dropped and the numbers jump. */
export const MAX_EXCHANGES = 500;
/** Counters in one batch at most; of more, the list wants loading anew. */
const MAX_COUNTERS = 1000;

export interface Feed {
  readonly exchange: (exchange: CapturedExchange) => void;
  readonly event: (event: DomainEvent) => void;
  readonly changed: (...topics: readonly Topic[]) => void;
  /** Batches from now on, the first one at once. Ends with the signal or the feed. */
  readonly subscribe: (signal?: AbortSignal) => AsyncGenerator<FeedBatch, void, void>;
  readonly close: () => void;
}

export interface FeedSources {
  readonly totals: () => FeedBatch['totals'];
  readonly exchange: (exchange: CapturedExchange) => FeedBatch['exchanges'][number];
  readonly counter: (counter: Counter) => FeedBatch['counters'][number];
  /** Monotonic machine time in ms. */
  readonly stopwatch: () => number;
}

interface Numbered {
  readonly event: number;
  readonly exchange: CapturedExchange;
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
  const subscriptions = new Set<Subscription>();
  /** The newest exchanges, oldest first. */
  let recent: Numbered[] = [];
  let last = 0;
  /** Number of the newest exchange that is no longer among the recent ones. */
  let dropped = 0;
  let closed = false;
  let ticker: NodeJS.Timeout | null = null;

  const tell = (mark: (subscription: Subscription) => void) => {
    last += 1;
    for (const subscription of subscriptions) {
      mark(subscription);
      subscription.news = true;
      subscription.onNews?.();
    }
  };
  const changed = (...topics: readonly Topic[]) => {
    tell((subscription) => {
      for (const topic of topics) subscription.topics.add(topic);
    });
  };
  const markCounter = ({ counters, topics }: Subscription, counter: Counter) => {
    if (counters.size >= MAX_COUNTERS && !counters.has(counter.id)) {
      counters.clear();
      topics.add('throttle');
    }
    counters.set(counter.id, counter);
  };

  const take = (subscription: Subscription): FeedBatch => {
    const exchanges = recent.slice(-MAX_EXCHANGES).filter(({ event }) => event > subscription.seen);
    const jumped = dropped > subscription.seen;
    const totals = sources.totals();
    const batch: FeedBatch = {
      first: jumped ? (exchanges[0]?.event ?? last) : subscription.seen + 1,
      last,
      exchanges: exchanges.map(({ exchange }) => sources.exchange(exchange)),
      counters: [...subscription.counters.values()].map(sources.counter),
      changed: [...subscription.topics],
      totals,
    };
    subscription.seen = last;
    subscription.counters.clear();
    subscription.topics.clear();
    subscription.news = false;
    subscription.delivered = sources.stopwatch();
    subscription.totals = JSON.stringify(totals);
    return batch;
  };

  const watchTotals = () => {
    const totals = JSON.stringify(sources.totals());
    for (const subscription of subscriptions) {
      if (subscription.totals === totals) continue;
      subscription.news = true;
      subscription.onNews?.();
    }
  };
  const keepTicking = () => {
    if (subscriptions.size === 0 && ticker !== null) {
      clearInterval(ticker);
      ticker = null;
    } else if (subscriptions.size > 0) {
      ticker ??= setInterval(watchTotals, TOTALS_MS).unref();
    }
  };
  const end = (subscription: Subscription) => {
    subscription.ended = true;
    subscriptions.delete(subscription);
    subscription.onNews?.();
    subscription.onEnd?.();
    keepTicking();
  };

  async function* deliver(subscription: Subscription): AsyncGenerator<FeedBatch, void, void> {
    try {
      if (!subscription.ended) yield take(subscription);
      while (await hasNext(subscription, sources.stopwatch)) yield take(subscription);
    } finally {
      end(subscription);
    }
  }

  return {
    exchange: (exchange) => {
      tell(() => undefined);
      recent.push({ event: last, exchange });
      dropped = recent.at(-MAX_EXCHANGES - 1)?.event ?? dropped;
      // Cut now and then, not each time: a batch takes the newest only.
      if (recent.length >= 2 * MAX_EXCHANGES) recent = recent.slice(-MAX_EXCHANGES);
    },
    event: (event) => {
      if (event.type === 'reset') recent = [];
      if (event.type !== 'counter') return changed(...topicsOf(event));
      tell((subscription) => {
        markCounter(subscription, event.counter);
      });
    },
    changed,
    subscribe: (signal) => {
      const subscription = createSubscription(last, closed || signal?.aborted === true);
      if (!subscription.ended) subscriptions.add(subscription);
      keepTicking();
      signal?.addEventListener('abort', () => {
        end(subscription);
      });
      return deliver(subscription);
    },
    close: () => {
      closed = true;
      for (const subscription of subscriptions) end(subscription);
    },
  };
}
