// How many throttle counters are used up right now, without walking all of them: only those that ran
// into the limit are remembered and looked at again.

import type { DomainEvent } from '../../core/model/events.ts';
import type { Settings } from '../../core/records/schemas.ts';
import type { Counter } from '../../core/throttle/counter.ts';
import type { Throttle } from '../../core/throttle/throttle.ts';
import { isOver } from '../../core/throttle/counter.ts';

/** Events after which other counters, or counters under other limits, are the ones to look at. */
const RECOUNTED: readonly DomainEvent['type'][] = [
  'settings',
  'registry',
  'counters_released',
  'reset',
];

export interface BlockedCounters {
  readonly event: (event: DomainEvent) => void;
  readonly count: () => number;
}

/** @param limitsOf what holds for a counter now */
export function createBlockedCounters(
  throttle: Throttle,
  limitsOf: (counter: Counter) => Settings['throttle'],
  now: () => number,
): BlockedCounters {
  /** By id: a counter that had to go is not kept alive by being remembered here. */
  const candidates = new Set<string>();
  let recount = false;
  const seen = (counter: Counter) => {
    if (counter.used >= limitsOf(counter).limit) candidates.add(counter.id);
  };
  const countAnew = () => {
    candidates.clear();
    recount = true;
  };
  return {
    event: (event) => {
      // Walked when somebody looks: clients may be registered by the thousand.
      if (RECOUNTED.includes(event.type)) countAnew();
      if (event.type !== 'counter') return;
      seen(event.counter);
      // Some of them are counters that had to go.
      if (candidates.size > throttle.size) countAnew();
    },
    count: () => {
      if (recount) {
        recount = false;
        throttle.list().forEach(seen);
      }
      const at = now();
      let blocked = 0;
      for (const id of candidates) {
        const counter = throttle.find(id);
        if (counter === undefined) {
          candidates.delete(id);
          continue;
        }
        const { mode, limit, window_seconds } = limitsOf(counter);
        if (counter.used < limit || isOver(counter, window_seconds, at)) candidates.delete(id);
        else if (mode === 'enforce') blocked += 1;
      }
      return blocked;
    },
  };
}
