// How many throttle counters are used up right now, without walking all of them: only those that ran
// into the limit are remembered and looked at again.

import type { DomainEvent } from '../core/events.ts';
import type { Settings } from '../core/schemas.ts';
import type { Counter, Throttle } from '../core/throttle.ts';
import { isOver } from '../core/throttle.ts';

/** Events after which other counters, or counters under other limits, are the ones to look at. */
const RECOUNTED: readonly DomainEvent['type'][] = ['settings', 'counters_released', 'reset'];

export interface BlockedCounters {
  readonly event: (event: DomainEvent) => void;
  readonly count: () => number;
}

export function createBlockedCounters(
  throttle: Throttle,
  settings: () => Settings['throttle'],
  now: () => number,
): BlockedCounters {
  const candidates = new Set<Counter>();
  const seen = (counter: Counter) => {
    if (counter.used >= settings().limit) candidates.add(counter);
  };
  return {
    event: (event) => {
      if (event.type === 'counter') return seen(event.counter);
      if (!RECOUNTED.includes(event.type)) return;
      candidates.clear();
      throttle.list().forEach(seen);
    },
    count: () => {
      const { mode, limit, window_seconds } = settings();
      const at = now();
      for (const counter of candidates) {
        if (counter.used < limit || isOver(counter, window_seconds, at)) candidates.delete(counter);
      }
      return mode === 'enforce' ? candidates.size : 0;
    },
  };
}
