// Codes and refresh tokens by value: live ones, with their expiries, and the newest of those that have ended. It
// moves records from one to the other; its callers decide when and why a credential ends.

import { type Bounds, createBoundedMap } from '../collections/bounded-map.ts';
import { createExpiryQueue } from '../collections/expiry-queue.ts';
import { createOldestFirst } from '../collections/oldest-first.ts';
import type { CodeRecord, RefreshTokenRecord } from '../model/credentials.ts';

export type Redeemable = CodeRecord | RefreshTokenRecord;

export type LiveCredentials = ReturnType<typeof createLiveCredentials>;

export function createLiveCredentials(bounds: { readonly live: Bounds; readonly ended: Bounds }) {
  const live = new Map<string, Redeemable>();
  const oldest = createOldestFirst(live);
  let bytes = 0;
  const ended = createBoundedMap<string, Redeemable>(bounds.ended, (record) => record.bytes);
  const expiries = createExpiryQueue<Redeemable>();

  return {
    /** By value, oldest first. */
    live,
    findEnded: (value: string) => ended.get(value),
    /** Oldest first. */
    ended: () => ended.values(),
    isLive: (record: Redeemable) => live.get(record.value) === record,
    add: (record: Redeemable) => {
      live.set(record.value, record);
      oldest.added();
      bytes += record.bytes;
      expiries.push(record);
    },
    /** Records how a credential ended, and moves it from the live to the ended ones. */
    close: <T extends Redeemable>(
      record: T,
      state: T['state'],
      at: number,
      exchange: number | null,
    ) => {
      record.state = state;
      record.end = { at, by: exchange };
      expiries.remove(record);
      record.lineage.others?.delete(record);
      if (!live.delete(record.value)) return;
      bytes -= record.bytes;
      ended.set(record.value, record);
    },
    /** Removes the next expired record from the queue of expiries and returns it. */
    popExpired: expiries.popExpired,
    extend: (record: Redeemable, until: number) => {
      expiries.remove(record);
      record.expires_at = until;
      expiries.push(record);
    },
    isFull: () => live.size > bounds.live.entries || bytes > bounds.live.bytes,
    takeOldest: () => live.get(oldest.take() ?? ''),
    clear: () => {
      live.clear();
      ended.clear();
      expiries.clear();
      bytes = 0;
    },
  };
}
