// Returns a lineage for control: its members, and which of them was presented for which.

import type {
  Credential as CredentialView,
  Lineage as LineageView,
} from '../../control/schemas.ts';
import type { Evaluation } from '../../core/checks/trace.ts';
import {
  type Credential,
  credentialId,
  endedAt,
  type Lineage,
  lineageId,
  revokedAt,
  subOf,
} from '../../core/model/credentials.ts';
import type { CredentialStore } from '../../core/model/ports.ts';
import type { TokenService } from '../../core/service.ts';
import type { ExchangeLog } from '../exchanges/log.ts';
import type { EngineParts } from '../parts.ts';
import { timeText, timeTextOrNull } from './records.ts';

type LineageParts = Pick<EngineParts, 'service' | 'exchanges'>;

export function credentialView(
  credential: Credential,
  service: TokenService,
  secrets: boolean,
): CredentialView {
  const now = service.ports.clock.now();
  const { lineage } = credential;
  const access = credential.kind === 'access_token';
  const code = credential.kind === 'code';
  return {
    id: credentialId(credential),
    kind: credential.kind,
    state: service.stateOf(credential),
    value: secrets ? credential.value : null,
    lineage_id: lineageId(lineage),
    client_id: lineage.registration.client_id,
    sub: subOf(lineage),
    audience: access ? credential.audience : lineage.audience,
    scope: access ? credential.scope : lineage.scope,
    redirect_uri: code ? credential.redirect_uri : null,
    code_challenge_method: code ? credential.code_challenge_method : null,
    issued_at: timeText(credential.issued_at),
    expires_at: timeText(credential.expires_at),
    ended_at: timeTextOrNull(endedAt(credential, now)),
    issued_by: credential.issued_by,
    ended_by: credential.end?.by ?? null,
  };
}

/** Maximum number of shown members and exchanges of a lineage (behaviour 4.9). */
const NEWEST = 50;
const ALL = Number.POSITIVE_INFINITY;

type ParentOf = (credential: Credential) => Credential | null;

/**
 * Returns the credential that was presented for another: as recorded in its exchange, else the member that it
 * consumed, else the only possible one.
 */
function parentsAmong(known: readonly Credential[], { capture }: ExchangeLog): ParentOf {
  return ({ issued_by, lineage, n }) => {
    if (issued_by === null) return null;
    const presented = capture.get(issued_by)?.evaluation?.credential ?? null;
    if (presented?.lineage === lineage) return presented;
    const used = known.find(
      ({ end, state }) => end?.by === issued_by && (state === 'redeemed' || state === 'rotated'),
    );
    const [only = null, ...others] = known.filter(
      (member) => member.kind === 'refresh_token' && member.n < n && member.issued_by !== issued_by,
    );
    return used ?? (others.length === 0 ? only : null);
  };
}

const inOrder = (a: Credential, b: Credential) => a.n - b.n;

/** Returns the newest members, those presented for them, and the first one, oldest first. */
async function membersOf(
  lineage: Lineage,
  stores: CredentialStore,
  exchanges: ExchangeLog,
): Promise<{ members: readonly Credential[]; parentOf: ParentOf }> {
  const mine = (credential: Credential) => credential.lineage === lineage;
  const newest = await stores.list(NEWEST, ALL, mine);
  const renewing = await stores.list(
    NEWEST,
    ALL,
    (credential) => mine(credential) && credential.kind === 'refresh_token',
  );
  const parentOf = parentsAmong([...new Set([...newest, ...renewing])], exchanges);
  const first = await stores.findById(`${lineageId(lineage)}.1`);
  const members = new Set([first, ...newest.map(parentOf), ...newest]);
  return {
    members: [...members].filter((member) => member !== null && member !== undefined).sort(inOrder),
    parentOf,
  };
}

/**
 * Returns the newest exchanges of a lineage, oldest first: those that issued or ended its members, captured ones of
 * the lineage or that presented a member, and for a device its request and decision.
 */
function exchangesOf(
  lineage: Lineage,
  members: readonly Credential[],
  { service: { devices }, exchanges: { capture } }: LineageParts,
): number[] {
  const id = lineageId(lineage);
  const isAbout = ({ lineage: about, credential, access_token }: Evaluation) =>
    about === lineage ||
    credential?.lineage === lineage ||
    (access_token?.epoch === lineage.epoch && access_token.lineage === id);
  const numbers = new Set<number>();
  const add = (number: number | null) => {
    if (number !== null) numbers.add(number);
  };
  for (const { issued_by, end } of members) {
    add(issued_by);
    add(end?.by ?? null);
  }
  for (const { number, evaluation } of capture.newestFirst()) {
    if (evaluation !== null && isAbout(evaluation)) add(number);
  }
  for (const { issued_by, decision, redeemed } of devices.list()) {
    if (redeemed === null || !numbers.has(redeemed.exchange)) continue;
    add(issued_by);
    add(decision?.exchange ?? null);
  }
  return [...numbers].sort((a, b) => a - b).slice(-NEWEST);
}

export async function lineageView(lineage: Lineage, parts: LineageParts): Promise<LineageView> {
  const { audience, scope, created_at, count } = lineage;
  const { service } = parts;
  const { stores } = service.ports;
  const { members, parentOf } = await membersOf(lineage, stores, parts.exchanges);
  const parentId = (member: Credential) => {
    const parent = parentOf(member);
    return parent === null ? null : credentialId(parent);
  };
  return {
    lineage_id: lineageId(lineage),
    client_id: lineage.registration.client_id,
    sub: subOf(lineage),
    audience,
    scope,
    created_at: timeText(created_at),
    revoked_at: timeTextOrNull(revokedAt(lineage)),
    count,
    exchanges: exchangesOf(lineage, members, parts),
    members: members.map((member) => ({
      ...credentialView(member, service, false),
      parent_id: parentId(member),
    })),
  };
}
