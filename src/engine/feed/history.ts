// What viewers may still have to be told, once for all of them: the newest exchanges as summaries, the
// counters and lists that changed, each with the number of its event.

import type { ExchangeSummary } from '../../control/schemas.ts';
import { TOPICS, type Topic } from '../../control/topics.ts';
import type { Counter } from '../../core/throttle/counter.ts';
import type { CapturedExchange } from '../../server/captured-exchange.ts';
import { createRecentExchanges } from './recent-exchanges.ts';

/** Counters in one batch at most; of more, the whole list is to be loaded again. */
const MAX_COUNTERS = 1000;

interface Changes {
  /** Oldest first. */
  readonly exchanges: ExchangeSummary[];
  readonly counters: Counter[];
  readonly changed: Topic[];
  /** Number of the first event of which nothing is missing. */
  readonly first: number;
}

export interface FeedHistory {
  readonly exchange: (event: number, exchange: CapturedExchange) => void;
  readonly counter: (event: number, counter: Counter) => void;
  readonly changed: (event: number, topics: readonly Topic[]) => void;
  /**
   * Makes summaries of what came since the last time. To be called often, whether anyone takes them or not:
   * until then the exchanges are held with their bodies.
   */
  readonly summarize: () => void;
  /** Forgets the exchanges: they were deleted. */
  readonly clearExchanges: () => void;
  /** Forgets everything: there is no viewer. */
  readonly clear: () => void;
  /** What came after this event. @param last number of the newest event */
  readonly since: (seen: number, last: number) => Changes;
}

export function createFeedHistory(
  summaryOf: (exchange: CapturedExchange) => ExchangeSummary,
): FeedHistory {
  const recent = createRecentExchanges(summaryOf);
  /** In the order of their newest events. */
  const counters = new Map<string, { readonly event: number; readonly counter: Counter }>();
  const topics = new Map<Topic, number>();

  return {
    exchange: recent.add,
    counter: (event, counter) => {
      counters.delete(counter.id);
      counters.set(counter.id, { event, counter });
      if (counters.size <= MAX_COUNTERS) return;
      counters.clear();
      topics.set('throttle', event);
    },
    changed: (event, names) => {
      for (const name of names) topics.set(name, event);
    },
    summarize: recent.summarize,
    clearExchanges: recent.clear,
    clear: () => {
      recent.clear();
      counters.clear();
      topics.clear();
    },
    since: (seen, last) => {
      recent.summarize();
      const { exchanges, dropped } = recent.since(seen);
      return {
        exchanges: exchanges.map(({ summary }) => summary),
        counters: [...counters.values()]
          .filter(({ event }) => event > seen)
          .map(({ counter }) => counter),
        changed: TOPICS.filter((name) => (topics.get(name) ?? 0) > seen),
        first: dropped ? (exchanges[0]?.event ?? last) : seen + 1,
      };
    },
  };
}
