// One viewer of the feed: what it has seen, what waits for it, and when its next batch is due.

import type { Topic } from '../control/topics.ts';
import type { Counter } from '../core/throttle.ts';

/** 20 batches a second for each viewer. */
const INTERVAL_MS = 50;

export interface Subscription {
  /** Number of the last event delivered. */
  seen: number;
  readonly counters: Map<string, Counter>;
  readonly topics: Set<Topic>;
  news: boolean;
  ended: boolean;
  /** Stopwatch reading of the last delivery. */
  delivered: number;
  /** The totals delivered last, as text. */
  totals: string;
  onNews: (() => void) | null;
  onEnd: (() => void) | null;
}

export function createSubscription(seen: number, ended: boolean): Subscription {
  return {
    seen,
    counters: new Map(),
    topics: new Set(),
    news: false,
    ended,
    delivered: 0,
    totals: '',
    onNews: null,
    onEnd: null,
  };
}

/** Waits for news, and until the last delivery is long enough ago; false when it is over. */
export async function hasNext(
  subscription: Subscription,
  stopwatch: () => number,
): Promise<boolean> {
  while (!subscription.ended) {
    if (!subscription.news) {
      await new Promise<void>((resolve) => (subscription.onNews = resolve));
      subscription.onNews = null;
      continue;
    }
    const left = subscription.delivered + INTERVAL_MS - stopwatch();
    if (left <= 0) return true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left).unref();
      subscription.onEnd = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    subscription.onEnd = null;
  }
  return false;
}
