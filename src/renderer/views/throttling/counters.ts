// The counters as the table shows them: whether their window is still open, and their order. Pure.

import type { Counter } from '../../../control/schemas.ts';

export type SortKey = 'blocked' | 'used' | 'resets' | 'allowed' | 'seen';

export interface Sorting {
  key: SortKey;
  descending: boolean;
}

/** The page's time is cut to the second and lags a little, so a window that has just opened may seem to be in the future. */
const BEHIND_MS = 2000;

/** Whether the window is open. It is not if it has ended, or starts in the future because the clock was moved back. */
export function isOpen(counter: Counter, now: number): boolean {
  return Date.parse(counter.opened_at) < now + BEHIND_MS && now < Date.parse(counter.resets_at);
}

/** Requests counted in the window as of now. */
export const usedNow = (counter: Counter, now: number): number =>
  isOpen(counter, now) ? counter.used : 0;

/** Whether the next request with this credential from this address would be throttled. */
export const isFull = (counter: Counter, now: number): boolean =>
  usedNow(counter, now) >= counter.limit;

const RANKS: Record<SortKey, (counter: Counter, now: number) => number> = {
  blocked: (counter) => counter.blocked,
  used: (counter, now) => usedNow(counter, now) / counter.limit,
  resets: (counter, now) => (isOpen(counter, now) ? Date.parse(counter.resets_at) - now : 0),
  allowed: (counter) => counter.allowed,
  seen: (counter) => Date.parse(counter.last_seen_at),
};

/** Sorts the counters. Equal ones are ordered by use, then by their latest request. */
export function sorted(
  counters: readonly Counter[],
  { key, descending }: Sorting,
  now: number,
): Counter[] {
  const sign = descending ? -1 : 1;
  const by = (rank: SortKey, a: Counter, b: Counter) => RANKS[rank](a, now) - RANKS[rank](b, now);
  return counters.toSorted((a, b) => sign * by(key, a, b) || by('used', b, a) || by('seen', b, a));
}

/** The text that the filter searches: digest, client, address and kind. */
export const counterText = ({ credential, client_id, ip, kind }: Counter): string =>
  `${credential} ${client_id} ${ip} ${kind}`;
