// Lineages in the stores: which of their credentials are live, and what is revoked with them.

import { type Lineage, lineageId, revokedAt } from '../model/credentials.ts';
import type { Denials } from './denials.ts';
import type { LiveCredentials, Redeemable } from './live-credentials.ts';
import type { Settlement } from './settlement.ts';

/** @param onCeiling called with a lineage revoked because there were too many live credentials */
export function createLineages(
  credentials: LiveCredentials,
  settlement: Settlement,
  denials: Denials,
  onCeiling: (lineage: Lineage) => void,
) {
  const deny = (lineage: Lineage, now: number, exchange: number | null) => {
    const { epoch, access_until, revoked_at } = lineage;
    if (access_until <= now) return;
    // What is not revoked itself can only have ended with its client.
    const with_client = revoked_at === null;
    const id = { epoch, lineage: lineageId(lineage) };
    denials.denyLineage(id, now, access_until, exchange, with_client);
  };
  const revoke = (lineage: Lineage, now: number, exchange: number | null): boolean => {
    if (lineage.revoked_at !== null) return false;
    for (const member of [...(lineage.others ?? []), lineage.newest]) {
      if (member !== null) settlement.finish<Redeemable>(member, 'revoked', now, exchange);
    }
    lineage.revoked_at = now;
    deny(lineage, now, exchange);
    return true;
  };
  /** Removes the credentials of deleted clients first, then revokes the lineage of the oldest credential. */
  const makeRoom = (now: number) => {
    if (settlement.walkDeleted(now)) return;
    const oldest = credentials.takeOldest();
    if (oldest === undefined) return;
    settlement.settle(oldest, now);
    if (!credentials.isLive(oldest)) return;
    revoke(oldest.lineage, now, null);
    onCeiling(oldest.lineage);
    settlement.settle(oldest, now);
  };
  return {
    /** Stores a record as its lineage's newest; if there are too many live credentials, revokes the oldest lineage. */
    insert: (record: Redeemable, now: number) => {
      settlement.sweep(now);
      credentials.add(record);
      const { lineage } = record;
      if (lineage.newest?.end === null) (lineage.others ??= new Set()).add(lineage.newest);
      lineage.newest = record;
      if (revokedAt(lineage) !== null) {
        credentials.close<Redeemable>(record, 'revoked', now, null);
      }
      while (credentials.isFull()) makeRoom(now);
    },
    /** Revokes a lineage with all its credentials; returns false if it was already revoked. */
    revoke,
    /** Records when an access token of the lineage expires. If the lineage is revoked, the token is denied at once. */
    coverAccessToken: (lineage: Lineage, expires_at: number) => {
      lineage.access_until = Math.max(lineage.access_until, expires_at);
      const revoked_at = revokedAt(lineage);
      if (revoked_at !== null) deny(lineage, revoked_at, null);
    },
  };
}
