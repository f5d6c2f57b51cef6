// Records credentials that ended without an operation of their own: by expiry, by the revocation of their lineage, or
// because their client was deleted. Each operation records a few, so that none has to iterate over all live
// credentials.

import { endedAt, stateOf } from '../model/credentials.ts';
import type { LiveCredentials, Redeemable } from './live-credentials.ts';

/** Expiries settled per operation: two would be enough to keep pace; more catch up after the clock was moved. */
const SWEEP = 32;
/** So many that viewers do not see ended credentials as live. */
export const SWEEP_FOR_VIEWERS = 5000;

export type Settlement = ReturnType<typeof createSettlement>;

export function createSettlement(credentials: LiveCredentials) {
  /**
   * The iteration over live credentials after clients were deleted, whose credentials have ended but were not moved
   * yet.
   */
  let walk: Iterator<Redeemable> | null = null;

  const settle = (record: Redeemable, now: number) => {
    const state = stateOf(record, now);
    if (state === record.state) return;
    credentials.close<Redeemable>(record, state, endedAt(record, now) ?? now, null);
  };
  const sweep = (now: number, most = SWEEP) => {
    for (let count = 0; count < most; count++) {
      const record = credentials.popExpired(now);
      if (record === undefined) break;
      settle(record, now);
    }
    for (let count = 0; walk !== null && count < most; count++) {
      const next = walk.next();
      if (next.done === true) walk = null;
      else settle(next.value, now);
    }
  };
  return {
    /** Records that a credential has ended, if it has. */
    settle,
    /** Ends a credential; returns false if it had already ended. */
    finish: <T extends Redeemable>(
      record: T,
      state: T['state'],
      now: number,
      exchange: number | null,
    ): boolean => {
      settle(record, now);
      if (!credentials.isLive(record)) return false;
      credentials.close(record, state, now, exchange);
      return true;
    },
    /** Settles a few of the credentials that have ended, or at most this many. */
    sweep,
    /** Called after clients were deleted: starts an iteration over all live credentials to find theirs. */
    endDeleted: () => {
      walk = credentials.live.values();
    },
    /** Continues that iteration; returns false if there is none. */
    walkDeleted: (now: number): boolean => {
      if (walk === null) return false;
      sweep(now, SWEEP_FOR_VIEWERS);
      return true;
    },
    clear: () => {
      walk = null;
    },
  };
}
