// What viewers may still have to be told, once for all of them: the newest exchanges as summaries, made off the path of
// the request, the counters and lists that changed, each with the number of its event. Bounded in entries and text.

import type { ExchangeSummary } from '../../control/schemas.ts';
import { type Topic, TOPICS } from '../../control/topics.ts';
import type { Counter } from '../../core/throttle/counters.ts';
import type { CapturedExchange } from '../../server/capture.ts';

/** Counters in one batch at most; of more, the whole list is to be loaded again. */
export const MAX_COUNTERS = 1000;

interface Changes {
  /** Oldest first. */
  readonly exchanges: ExchangeSummary[];
  readonly counters: Counter[];
  readonly changed: Topic[];
  /** Number of the first event of which nothing is missing. */
  readonly first: number;
}

interface FeedHistory {
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

/** Exchanges in one batch at most; of more, the oldest are dropped and the numbers jump. */
export const MAX_EXCHANGES = 1000;
/** UTF-16 units of their summaries at most: a request line alone may hold 16 KiB. */
export const MAX_TEXT = 2_097_152;
/**
 * UTF-16 units of request lines that are read through for one round of summaries: finding the secrets in
 * them takes time, and nobody else is served meanwhile.
 */
const MAX_LINES = 262_144;

interface Summarized {
  readonly event: number;
  readonly summary: ExchangeSummary;
  readonly length: number;
}

interface RecentExchanges {
  readonly add: (event: number, exchange: CapturedExchange) => void;
  /** Makes summaries of what came since the last time: until then the exchanges are held with their bodies. */
  readonly summarize: () => void;
  /** What came after this event, oldest first; `dropped` when not all of it is there. */
  readonly since: (seen: number) => {
    readonly exchanges: readonly Pick<Summarized, 'event' | 'summary'>[];
    readonly dropped: boolean;
  };
  readonly clear: () => void;
}

function createRecentExchanges(
  summaryOf: (exchange: CapturedExchange) => ExchangeSummary,
): RecentExchanges {
  /** Not summarized yet. */
  let fresh: { readonly event: number; readonly exchange: CapturedExchange }[] = [];
  let recent: Summarized[] = [];
  /** Of all summaries. */
  let length = 0;
  /** Number of the newest exchange that is no longer among the recent ones. */
  let dropped = 0;

  const clearRecent = () => {
    recent = [];
    length = 0;
  };
  /** Keeps the newest. */
  const cutFresh = () => {
    let first = fresh.length;
    let lines = 0;
    while (first > 0 && fresh.length - first < MAX_EXCHANGES) {
      lines += fresh[first - 1]?.exchange.target.length ?? 0;
      if (lines > MAX_LINES) break;
      first -= 1;
    }
    dropped = fresh[first - 1]?.event ?? dropped;
    fresh = fresh.slice(first);
  };
  /** Keeps the newest, and that one however long it is. */
  const cutRecent = () => {
    let cut = 0;
    while (recent.length - cut > MAX_EXCHANGES || (length > MAX_TEXT && recent.length - cut > 1)) {
      length -= recent[cut]?.length ?? 0;
      cut += 1;
    }
    dropped = Math.max(dropped, recent[cut - 1]?.event ?? 0);
    recent = recent.slice(cut);
  };
  return {
    add: (event, exchange) => {
      fresh.push({ event, exchange });
      // Cut now and then, not each time.
      if (fresh.length >= 2 * MAX_EXCHANGES) cutFresh();
    },
    summarize: () => {
      cutFresh();
      // Events older than a dropped one are useless: the numbers jump past it.
      if ((recent.at(-1)?.event ?? dropped) < dropped) clearRecent();
      for (const { event, exchange } of fresh) {
        const summary = summaryOf(exchange);
        const one = { event, summary, length: JSON.stringify(summary).length };
        recent.push(one);
        length += one.length;
      }
      fresh = [];
      cutRecent();
    },
    since: (seen) => ({
      exchanges: recent.filter(({ event }) => event > seen),
      dropped: dropped > seen,
    }),
    clear: () => {
      fresh = [];
      clearRecent();
    },
  };
}
