// Requests per second as the server counted them: those that it reported, and the seconds that pass
// without a report, in which there were none. Pure.

import type { FeedBatch } from '../../control/schemas.ts';
import { RATE_SECONDS } from '../../control/topics.ts';

type Reported = FeedBatch['rates'];

/** Requests of one second: all of them, and those of the app alone. */
export type SecondCounts = Omit<Reported['seconds'][number], 'second'>;

/** Whose requests are counted: those of the app under test, or also what Grantbench sent itself. */
export type Whose = 'app' | 'all';

export interface Rates {
  /** Those that had requests, oldest first. */
  readonly seconds: Reported['seconds'];
  /** The running second, as the server numbers them. */
  readonly second: number;
  /** Machine time in ms at which it was the running one. */
  readonly known_ms: number;
}

const recent = (seconds: Rates['seconds'], running: number): Rates['seconds'] =>
  seconds[0] !== undefined && seconds[0].second <= running - RATE_SECONDS
    ? seconds.filter(({ second }) => second > running - RATE_SECONDS)
    : seconds;

/**
 * Takes what a batch of the feed reports.
 * @param known null for the first batch of a connection: it has everything, and may be another server's
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

/** The seconds move on while nothing is reported. */
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

/** Each of the last seconds, oldest first; the running one is the last. */
export function lastSeconds({ seconds, second }: Rates, length: number): SecondCounts[] {
  const counts = new Map(seconds.map((one) => [one.second, one]));
  const first = second - length + 1;
  return Array.from({ length }, (_, index) => counts.get(first + index) ?? QUIET);
}
