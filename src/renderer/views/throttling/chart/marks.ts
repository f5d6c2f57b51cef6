// When a request was first throttled and when its window resets, in seconds from now as the chart draws them. Pure.

import { sandboxTime } from '../../../connection/clock.ts';
import type { TickingClock } from '../../../connection/state.ts';
import type { LimitHit } from '../../../sending/limit-hit.ts';

export interface Mark {
  readonly kind: 'hit' | 'resets';
  /** Seconds from now; negative in the past. */
  readonly at: number;
  readonly label: string;
}

/** Sandbox and machine time may drift apart by so much before the clock counts as moved. */
const SAME_CLOCK_MS = 1500;

/** The end of the hit's window in machine time; null when it is unknown because the clock was moved. */
function resetsMs({ resets_at, offset_ms }: LimitHit, clock: TickingClock, now: number) {
  if (resets_at === null) return null;
  const offset = sandboxTime(clock, now) - now;
  const moved = clock.frozen || Math.abs(offset - offset_ms) > SAME_CLOCK_MS;
  if (!moved) return resets_at - offset_ms;
  const left = resets_at - sandboxTime(clock, now);
  return clock.frozen || left <= 0 ? null : now + left;
}

/** @param now machine time in ms that the chart ends at */
export function marksOf(
  hits: readonly LimitHit[],
  clock: TickingClock | null,
  now: number,
): Mark[] {
  return hits.flatMap((hit) => {
    const reached: Mark = {
      kind: 'hit',
      at: (hit.at_ms - now) / 1000,
      label: `first 429, #${hit.exchange}`,
    };
    const end = clock === null ? null : resetsMs(hit, clock, now);
    if (end === null) return [reached];
    const at = (end - now) / 1000;
    const label = at > 0 ? `resets in ${Math.ceil(at)} s` : 'window reset';
    return [reached, { kind: 'resets', at, label }];
  });
}
