// A lineage as control shows it: its members, and which of them was presented for which.

import type { Lineage as LineageView } from '../../control/schemas.ts';
import type { Credential, Lineage } from '../../core/model/credentials.ts';
import { credentialId, revokedAt, subOf } from '../../core/model/credentials.ts';
import type { CredentialStore } from '../../core/model/ports.ts';
import type { ExchangeLog } from '../exchanges/log.ts';
import { credentialView, timeText } from './records.ts';

/** As many as a lineage keeps (behaviour 4). */
const MEMBERS = 50;
const ALL = Number.POSITIVE_INFINITY;

type ParentOf = (credential: Credential) => Credential | null;

/**
 * What was presented for a credential: as its exchange says while that is kept, else the member that was
 * used up by it, else the only one it can have been.
 */
function parentsAmong(known: readonly Credential[], { capture }: ExchangeLog): ParentOf {
  return ({ issued_by, lineage, n }) => {
    if (issued_by === null) return null;
    const presented = capture.get(issued_by)?.evaluation?.credential ?? null;
    if (presented?.lineage === lineage) return presented;
    const used = known.find(
      ({ ended_by, state }) =>
        ended_by === issued_by && (state === 'redeemed' || state === 'rotated'),
    );
    const [only = null, ...others] = known.filter(
      (member) => member.kind === 'refresh_token' && member.n < n && member.issued_by !== issued_by,
    );
    return used ?? (others.length === 0 ? only : null);
  };
}

const inOrder = (a: Credential, b: Credential) => a.n - b.n;

/** The newest members, those presented for them, and the first one; oldest first. */
async function membersOf(
  { id }: Lineage,
  stores: CredentialStore,
  exchanges: ExchangeLog,
): Promise<{ members: readonly Credential[]; parentOf: ParentOf }> {
  const mine = ({ lineage }: Credential) => lineage.id === id;
  const newest = await stores.list(MEMBERS, ALL, mine);
  const renewing = await stores.list(
    MEMBERS,
    ALL,
    (credential) => mine(credential) && credential.kind === 'refresh_token',
  );
  const parentOf = parentsAmong([...new Set([...newest, ...renewing])], exchanges);
  const first = await stores.findById(`${id}.1`);
  const members = new Set([first, ...newest.map(parentOf), ...newest]);
  return {
    members: [...members].filter((member) => member !== null && member !== undefined).sort(inOrder),
    parentOf,
  };
}

export async function lineageView(
  lineage: Lineage,
  stores: CredentialStore,
  exchanges: ExchangeLog,
  now: number,
): Promise<LineageView> {
  const { id, client_id, audience, scope, created_at, count } = lineage;
  const revoked_at = revokedAt(lineage);
  const { members, parentOf } = await membersOf(lineage, stores, exchanges);
  const parentId = (member: Credential) => {
    const parent = parentOf(member);
    return parent === null ? null : credentialId(parent);
  };
  return {
    lineage_id: id,
    client_id,
    sub: subOf(lineage),
    audience,
    scope,
    created_at: timeText(created_at),
    revoked_at: revoked_at === null ? null : timeText(revoked_at),
    count,
    exchanges: [...(lineage.exchanges ?? [])],
    members: members.map((member) => ({
      ...credentialView(member, now, false),
      parent_id: parentId(member),
    })),
  };
}
