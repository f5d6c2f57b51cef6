// The events that viewers may still need, shared by all: summaries of the newest exchanges, which are made after the
// request, and changed counters and lists, each with the number of its event. Bounded in entries and text.

import type { ExchangeSummary } from '../../control/schemas.ts';
import { type Topic, TOPICS } from '../../control/topics.ts';
import type { Counter } from '../../core/throttle/counter-store.ts';
import type { CapturedExchange } from '../../server/capture.ts';

/** Maximum number of counters in a batch; if more have changed, viewers must reload the list. */
export const MAX_COUNTERS = 1000;

export function createFeedHistory(summaryOf: (exchange: CapturedExchange) => ExchangeSummary) {
  const recent = createRecentExchanges(summaryOf);
  /** In the order of their newest events. */
  const counters = new Map<string, { readonly event: number; readonly counter: Counter }>();
  const topics = new Map<Topic, number>();

  return {
    exchange: recent.add,
    counter: (event: number, counter: Counter) => {
      counters.delete(counter.id);
      counters.set(counter.id, { event, counter });
      if (counters.size <= MAX_COUNTERS) return;
      counters.clear();
      topics.set('throttle', event);
    },
    changed: (event: number, names: readonly Topic[]) => {
      for (const name of names) topics.set(name, event);
    },
    summarize: recent.summarize,
    /** Drops the exchanges after they were deleted. */
    clearExchanges: recent.clear,
    /** Drops everything, because there is no viewer. */
    clear: () => {
      recent.clear();
      counters.clear();
      topics.clear();
    },
    /** Returns the changes after this event. @param last number of the newest event */
    since: (seen: number, last: number) => {
      recent.summarize();
      const { exchanges, dropped } = recent.since(seen);
      return {
        /** Oldest first. */
        exchanges: exchanges.map(({ summary }) => summary),
        counters: [...counters.values()]
          .filter(({ event }) => event > seen)
          .map(({ counter }) => counter),
        changed: TOPICS.filter((name) => (topics.get(name) ?? 0) > seen),
        /** Number of the first event with complete data. */
        first: dropped ? (exchanges[0]?.event ?? last) : seen + 1,
      };
    },
  };
}

/** Maximum number of exchanges in a batch; if there are more, the oldest are dropped and the numbers have a gap. */
export const MAX_EXCHANGES = 1000;
/** Maximum UTF-16 units of their summaries; a single request line can have 16 KiB. */
export const MAX_TEXT = 2_097_152;
/**
 * Maximum UTF-16 units of request lines in one round of summaries. Searching them for secrets takes time and blocks
 * other work.
 */
const MAX_LINES = 262_144;

interface Summarized {
  readonly event: number;
  readonly summary: ExchangeSummary;
  readonly length: number;
}

function createRecentExchanges(summaryOf: (exchange: CapturedExchange) => ExchangeSummary) {
  /** Exchanges without summaries. */
  let fresh: { readonly event: number; readonly exchange: CapturedExchange }[] = [];
  let recent: Summarized[] = [];
  /** The total length of all summaries. */
  let length = 0;
  /** Number of the newest exchange that was dropped. */
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
  /** Keeps the newest exchanges; the very newest regardless of its length. */
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
    add: (event: number, exchange: CapturedExchange) => {
      fresh.push({ event, exchange });
      // Truncated only occasionally.
      if (fresh.length >= 2 * MAX_EXCHANGES) cutFresh();
    },
    /**
     * Makes summaries of the new exchanges. Must be called often, even without viewers, because the exchanges are held
     * with their bodies until then.
     */
    summarize: () => {
      cutFresh();
      // Exchanges older than a dropped one are useless, because of the gap in the numbers.
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
    /** Returns the exchanges after this event, oldest first; `dropped` if some are missing. */
    since: (seen: number) => ({
      exchanges: recent.filter(({ event }) => event > seen),
      dropped: dropped > seen,
    }),
    clear: () => {
      fresh = [];
      clearRecent();
    },
  };
}
