// Counts requests, and those within the throttle limit: the app's since the start, and all per second for the last
// two minutes, so that a later viewer sees what happened before.

import type { FeedBatch } from '../../control/schemas.ts';
import { RATE_SECONDS } from '../../control/topics.ts';
import type { CapturedExchange } from '../../server/capture.ts';

type Rates = FeedBatch['rates'];
type Second = Rates['seconds'][number];

export type RequestCounts = ReturnType<typeof createRequestCounts>;

const none = () => ({ requests: 0, allowed: 0, throttled: 0 });

/** @param stopwatch returns monotonic time in ms */
export function createRequestCounts(stopwatch: () => number) {
  const app = none();
  /** Oldest first, without seconds that have no requests. */
  let recent: { event: number; readonly counts: Second }[] = [];

  const now = () => Math.floor(stopwatch() / 1000);
  const ofSecond = (event: number, second: number): Second => {
    const newest = recent.at(-1);
    if (newest?.counts.second === second) {
      newest.event = event;
      return newest.counts;
    }
    const counts = { second, ...none(), app: none() };
    recent = recent.filter((one) => one.counts.second > second - RATE_SECONDS);
    recent.push({ event, counts });
    return counts;
  };
  return {
    /** @param event number of the feed event of the exchange */
    add: (event: number, { sent_by, evaluation }: CapturedExchange) => {
      const second = ofSecond(event, now());
      const decision = evaluation?.throttle ?? null;
      for (const counts of sent_by === 'app' ? [second, second.app, app] : [second]) {
        counts.requests += 1;
        if (decision !== null) counts[decision.exceeded ? 'throttled' : 'allowed'] += 1;
      }
    },
    /** The app's counts since the start. */
    app: () => ({ ...app }),
    /** Returns the seconds whose counts have changed since this event, oldest first. */
    since: (event: number): Rates => {
      const second = now();
      const seconds = recent.filter(
        (one) => one.event > event && one.counts.second > second - RATE_SECONDS,
      );
      // Copied, because a batch is written later.
      return {
        second,
        seconds: seconds.map(({ counts }) => ({ ...counts, app: { ...counts.app } })),
      };
    },
    /** Deletes the counts per second. */
    clear: () => {
      recent = [];
    },
  };
}
