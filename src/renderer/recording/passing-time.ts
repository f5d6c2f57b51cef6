// Time between the requests of a walk: in the scenario the clock stands still and is moved by as much as
// passed, so that what had expired has again, however fast the scenario runs.

import type { ScenarioStep } from '../../scenario/schema.ts';
import { DEVICE_CODE_GRANT } from '../../oauth/token-request.ts';
import { bodyText } from '../exchange/answer.ts';
import { exchangeOf, type RecordedEvent } from './recorded-event.ts';

/** Less than this is left to add up. */
const LEAST_MS = 1000;

/** @param times of the walk's events, in ms */
export function createPassingTime(times: readonly number[]) {
  const [first = 0] = times;
  // Only then does the date matter: a clock can be moved forward by so much, but back only to a date.
  const setBack = times.some((time, index) => time - (times[index - 1] ?? time) <= -LEAST_MS);
  let told = first;
  const at = (time: number): ScenarioStep => ({ clock: { now: new Date(time).toISOString() } });
  return {
    begin: (): ScenarioStep[] => [
      { name: 'Freeze the clock; later steps move it', clock: { frozen: true } },
      ...(setBack ? [at(first)] : []),
    ],
    until: (time: number): ScenarioStep[] => {
      const passed = time - told;
      if (Math.abs(passed) < LEAST_MS) return [];
      told = time;
      return [passed > 0 ? { clock: { advance_seconds: passed / 1000 } } : at(time)];
    },
  };
}

/** A clock that nobody changes: the scenario leaves it alone. */
export const RUNNING_TIME: ReturnType<typeof createPassingTime> = {
  begin: () => [],
  until: () => [],
};

/** Whether the clock was moved, frozen or let run between the requests of a walk. */
export function clockWasMoved(events: readonly RecordedEvent[]): boolean {
  const clocks = events.flatMap((event) => exchangeOf(event)?.clock ?? []);
  return clocks.some((clock, index) => {
    const before = clocks[index - 1] ?? clock;
    if (clock.frozen !== before.frozen) return true;
    const moved = clock.frozen
      ? Date.parse(clock.now) - Date.parse(before.now)
      : (clock.offset_seconds - before.offset_seconds) * 1000;
    return Math.abs(moved) >= LEAST_MS;
  });
}

/** Whether a device waited between polls: how long decides what a poll is answered with (RFC 8628 3.5). */
export function deviceWaited(events: readonly RecordedEvent[]): boolean {
  const grant = encodeURIComponent(DEVICE_CODE_GRANT);
  const polls = events.flatMap((event) => {
    const exchange = exchangeOf(event);
    return exchange !== null && bodyText(exchange.request).includes(grant)
      ? [exchange.clock.now]
      : [];
  });
  const times = polls.map(Date.parse);
  return times.some((time, index) => time - (times[index - 1] ?? time) >= LEAST_MS);
}
