// How long a code can still be redeemed.

import { countdown } from '../connection/clock.ts';

/** A code works once: it is spent after a response with tokens (RFC 6749 4.1.2). */
interface HeldCode {
  readonly expires_at: string;
  readonly spent: boolean;
}

export type CodeLife =
  | { readonly state: 'redeemed' | 'expired' }
  /** `left` counts down: `09:41`. */
  | { readonly state: 'redeemable'; readonly left: string };

/** @param now sandbox time in ms */
export function codeLifeOf({ expires_at, spent }: HeldCode, now: number): CodeLife {
  if (spent) return { state: 'redeemed' };
  const left = (Date.parse(expires_at) - now) / 1000;
  return left > 0 ? { state: 'redeemable', left: countdown(left) } : { state: 'expired' };
}
