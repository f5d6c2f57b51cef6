// How many requests the app under test has sent, and how many of these the throttle let through: counted
// apart from what Grantbench sent itself.

import type { FeedBatch } from '../../control/schemas.ts';
import type { CapturedExchange } from '../../server/captured-exchange.ts';

export interface AppTotals {
  readonly exchange: (exchange: CapturedExchange) => void;
  /** Since the start. */
  readonly now: () => FeedBatch['totals']['app'];
}

export function createAppTotals(): AppTotals {
  const totals = { requests: 0, allowed: 0, throttled: 0 };
  return {
    exchange: ({ sent_by, evaluation }) => {
      if (sent_by !== 'app') return;
      totals.requests += 1;
      const decision = evaluation?.throttle ?? null;
      if (decision !== null) totals[decision.exceeded ? 'throttled' : 'allowed'] += 1;
    },
    now: () => ({ ...totals }),
  };
}
