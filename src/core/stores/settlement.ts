// Ends that come by themselves: the time running out, a lineage's revocation, a client that was deleted. They
// are written down a few with each operation, so that none has to walk over all that lives.

import { endedAt, stateOf } from '../model/credentials.ts';
import type { LiveCredentials, Redeemable } from './live-credentials.ts';

/** Expiries settled per operation: two would keep pace, more let a moved clock catch up. */
const SWEEP = 32;
const SWEEP_FOR_VIEWERS = 5000;

export interface Settlement {
  /** Writes down that a record has ended by itself, if it has. */
  settle(record: Redeemable, now: number): void;
  /** Ends a record; false when it had ended before. */
  finish<T extends Redeemable>(
    record: T,
    state: T['state'],
    now: number,
    exchange: number | null,
  ): boolean;
  /** Settles a few of those that are due. */
  sweep(now: number): void;
  /** Settles so many that who looks sees none that has ended. */
  sweepForViewers(now: number): void;
  sweepAll(now: number): void;
  /** Clients were deleted: what they have left is to be found by a walk over what lives. */
  endDeleted(): void;
  /** Goes on with that walk; false when there is none. */
  walkDeleted(now: number): boolean;
  clear(): void;
}

export function createSettlement(credentials: LiveCredentials): Settlement {
  /** Over what lives, after clients were deleted: theirs has ended, and is still to be moved. */
  let walk: Iterator<Redeemable> | null = null;

  const settle = (record: Redeemable, now: number) => {
    const state = stateOf(record, now);
    if (state === record.state) return;
    credentials.close<Redeemable>(record, state, endedAt(record, now) ?? now, null);
  };
  const sweep = (now: number, most: number) => {
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
    settle,
    finish: (record, state, now, exchange) => {
      settle(record, now);
      if (!credentials.isLive(record)) return false;
      credentials.close(record, state, now, exchange);
      return true;
    },
    sweep: (now) => {
      sweep(now, SWEEP);
    },
    sweepForViewers: (now) => {
      sweep(now, SWEEP_FOR_VIEWERS);
    },
    sweepAll: (now) => {
      sweep(now, Number.POSITIVE_INFINITY);
    },
    endDeleted: () => {
      walk = credentials.live.values();
    },
    walkDeleted: (now) => {
      if (walk === null) return false;
      sweep(now, SWEEP_FOR_VIEWERS);
      return true;
    },
    clear: () => {
      walk = null;
    },
  };
}
