// Requests per second as the server counted them. A second without a report had no requests. Pure.

import type { FeedBatch } from '../../control/schemas.ts';
import { RATE_SECONDS } from '../../control/topics.ts';

type Reported = FeedBatch['rates'];

/** Requests of one second: all of them, and those of the app alone. */
export type SecondCounts = Omit<Reported['seconds'][number], 'second'>;

/** Whose requests are counted: those of the app under test, or also Grantbench's own. */
export type Whose = 'app' | 'all';

export interface Rates {
  /** Seconds that had requests, oldest first. */
  readonly seconds: Reported['seconds'];
  /** The current second, as the server numbers it. */
  readonly second: number;
  /** Machine time in ms when `second` was current. */
  readonly known_ms: number;
}

const recent = (seconds: Rates['seconds'], running: number): Rates['seconds'] =>
  seconds[0] !== undefined && seconds[0].second <= running - RATE_SECONDS
    ? seconds.filter(({ second }) => second > running - RATE_SECONDS)
    : seconds;

/**
 * Adds the rates in a batch of the feed.
 * @param known null for the first batch of a connection, which is complete and may come from another server
 */
export function withReported(
  known: Rates | null,
  { second, seconds }: Reported,
  now: number,
): Rates {
  const counts = new Map((known?.seconds ?? []).map((one) => [one.second, one]));
  for (const one of seconds) counts.set(one.second, one);
  const all = seconds.length === 0 && known !== null ? known.seconds : [...counts.values()];
  return { seconds: recent(all, second), second, known_ms: now };
}

/** Advances the current second while nothing is reported. */
export function movedOn(rates: Rates, now: number): Rates {
  const passed = Math.floor((now - rates.known_ms) / 1000);
  if (passed <= 0) return rates;
  const second = rates.second + passed;
  return {
    seconds: recent(rates.seconds, second),
    second,
    known_ms: rates.known_ms + passed * 1000,
  };
}

const NONE = { requests: 0, allowed: 0, throttled: 0 };
const QUIET: SecondCounts = { ...NONE, app: NONE };

/** The last seconds, oldest first; the current one is the last. */
export function lastSeconds({ seconds, second }: Rates, length: number): SecondCounts[] {
  const counts = new Map(seconds.map((one) => [one.second, one]));
  const first = second - length + 1;
  return Array.from({ length }, (_, index) => counts.get(first + index) ?? QUIET);
}
