// A lineage as control shows it: its members, and which of them came of which.

import type { Lineage as LineageView } from '../control/schemas.ts';
import type { Credential, Lineage } from '../core/credentials.ts';
import { credentialId } from '../core/credentials.ts';
import type { CredentialStore } from '../core/ports.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { credentialView, timeText } from './views.ts';

/** As many as a lineage keeps (behaviour 4). */
const MEMBERS = 50;

/** Its newest members, oldest first, after the one it began with. */
async function membersOf(stores: CredentialStore, { id }: Lineage): Promise<Credential[]> {
  const newest = await stores.list(
    MEMBERS,
    Number.POSITIVE_INFINITY,
    ({ lineage }) => lineage.id === id,
  );
  const members = newest.toReversed();
  if (members.length < MEMBERS) return members;
  const first = await stores.findById(`${id}.1`);
  return first === undefined || members.includes(first) ? members : [first, ...members.slice(1)];
}

/**
 * The credential that was presented for this one: as its exchange says while that is kept, else the
 * one that was used up by it.
 */
function parentOf(
  { issued_by, lineage }: Credential,
  members: readonly Credential[],
  { capture }: ExchangeLog,
): string | null {
  if (issued_by === null) return null;
  const presented = capture.get(issued_by)?.judgement?.credential ?? null;
  const used = members.find(
    ({ ended_by, state }) => ended_by === issued_by && (state === 'redeemed' || state === 'rotated'),
  );
  const parent = presented?.lineage === lineage ? presented : used;
  return parent === undefined ? null : credentialId(parent);
}

export async function lineageView(
  lineage: Lineage,
  stores: CredentialStore,
  exchanges: ExchangeLog,
  now: number,
): Promise<LineageView> {
  const { id, client_id, sub, audience, scope, created_at, revoked_at, count } = lineage;
  const members = await membersOf(stores, lineage);
  return {
    lineage_id: id,
    client_id,
    sub,
    audience,
    scope,
    created_at: timeText(created_at),
    revoked_at: revoked_at === null ? null : timeText(revoked_at),
    count,
    exchanges: lineage.exchanges ?? [],
    members: members.map((member) => ({
      ...credentialView(member, now, false),
      parent_id: parentOf(member, members, exchanges),
    })),
  };
}
