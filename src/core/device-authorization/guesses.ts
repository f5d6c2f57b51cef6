// Wrong user codes by address (RFC 8628 5.1): after so many in a window no code is read any more, not
// even a right one, so that guessing finds none.

import type { Bounds } from '../collections/bounded-map.ts';
import { createBoundedMap } from '../collections/bounded-map.ts';
import { keptText } from '../collections/kept-text.ts';

/** Wrong user codes in a window, for each address. */
export const MOST_GUESSES = 10;
export const GUESS_WINDOW_SECONDS = 300;

interface Guesses {
  readonly opened_at: number;
  readonly count: number;
}

export interface GuessLimit {
  /** Whole seconds until codes from this address are read again; 0 when they are. */
  secondsLeft(ip: string, now: number): number;
  /** Counts a wrong code. @param now milliseconds of the sandbox clock */
  count(ip: string, now: number): void;
  clear(): void;
  readonly size: number;
  readonly bytes: number;
}

/** An address and two numbers. */
const GUESS_BYTES = 250;

/** The address that guessed longest ago goes first. */
export const GUESS_BOUNDS = { entries: 1000, bytes: 1000 * GUESS_BYTES } as const;

export function createGuessLimit(bounds: Bounds = GUESS_BOUNDS): GuessLimit {
  const guesses = createBoundedMap<string, Guesses>(bounds, () => GUESS_BYTES);
  const window = GUESS_WINDOW_SECONDS * 1000;
  /** The window that is open; one in the future is over, too: the clock was set back. */
  const open = (ip: string, now: number): Guesses | undefined => {
    const found = guesses.get(ip);
    if (found === undefined) return undefined;
    return now < found.opened_at || now >= found.opened_at + window ? undefined : found;
  };
  return {
    secondsLeft: (ip, now) => {
      const { count = 0, opened_at = 0 } = open(ip, now) ?? {};
      return count < MOST_GUESSES ? 0 : Math.ceil((opened_at + window - now) / 1000);
    },
    count: (ip, now) => {
      const { count, opened_at } = open(ip, now) ?? { count: 0, opened_at: now };
      guesses.set(keptText(ip), { opened_at, count: count + 1 });
    },
    clear: guesses.clear,
    get size() {
      return guesses.size;
    },
    get bytes() {
      return guesses.bytes;
    },
  };
}
