// Where the limit bit and where its window reopens, in seconds from now as the chart draws them. Pure.

import { sandboxTime } from '../../../connection/clock.ts';
import type { TickingClock } from '../../../connection/state.ts';
import type { Bite } from '../hammer/hammer-state.ts';

export interface Mark {
  readonly kind: 'bit' | 'reopens';
  /** Seconds from now; negative in the past. */
  readonly at: number;
  readonly label: string;
}

/** Sandbox and machine time may drift apart by so much before the clock counts as moved. */
const SAME_CLOCK_MS = 1500;

/** The end of the bite's window in machine time; null when nobody can say, since the clock was moved. */
function reopensMs({ reopens_at, offset_ms }: Bite, clock: TickingClock, now: number) {
  if (reopens_at === null) return null;
  const offset = sandboxTime(clock, now) - now;
  const moved = clock.frozen || Math.abs(offset - offset_ms) > SAME_CLOCK_MS;
  if (!moved) return reopens_at - offset_ms;
  const left = reopens_at - sandboxTime(clock, now);
  return clock.frozen || left <= 0 ? null : now + left;
}

/** @param now machine time in ms that the chart ends at */
export function marksOf(bites: readonly Bite[], clock: TickingClock | null, now: number): Mark[] {
  return bites.flatMap((bite) => {
    const bit: Mark = {
      kind: 'bit',
      at: (bite.at_ms - now) / 1000,
      label: `first 429, #${bite.exchange}`,
    };
    const end = clock === null ? null : reopensMs(bite, clock, now);
    if (end === null) return [bit];
    const at = (end - now) / 1000;
    const label = at > 0 ? `reopens in ${Math.ceil(at)} s` : 'window reopened';
    return [bit, { kind: 'reopens', at, label }];
  });
}
