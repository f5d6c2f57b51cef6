// The denial list (behaviour 2): which self-contained access tokens are no longer good, though their
// signature and their time are. One entry for a token, a whole lineage or a deleted client, until the
// latest of the tokens would have expired anyway.

import { keptText } from '../collections/kept-text.ts';
import type { AccessTokenId } from '../model/access-token-id.ts';
import { parseLineageId } from '../model/access-token-id.ts';
import type { ClientTokensId, Denial, DenialReason, Denied } from '../model/denial.ts';
import { clientKey, deniedKind, lineageKey, tokenKey } from '../model/denial.ts';
import type { DenialEntries } from './denial-bound.ts';
import { DENIAL_BOUNDS, fold, makeRoom, sizeOf } from './denial-bound.ts';
import type { DeniedEntries } from './denied-entries.ts';
import { createDeniedEntries } from './denied-entries.ts';

export interface Denials {
  /** @param by number of the exchange; null over control */
  denyToken(
    id: AccessTokenId,
    reason: DenialReason,
    at: number,
    until: number,
    by: number | null,
  ): void;
  denyLineage(epoch: string, lineage: string, at: number, until: number, by: number | null): void;
  /** @param up_to number of the last lineage that it is about; null for all of the epoch */
  denyClient(id: ClientTokensId, up_to: number | null, at: number, until: number): void;
  /** @param client digest of the client_id that the token was issued to */
  find(id: AccessTokenId, client?: string): Denied | undefined;
  /** For keeping; oldest first. */
  list(): readonly Denial[];
  load(denials: readonly Denial[]): void;
  readonly size: number;
  clear(): void;
}

function createDenied(denial: Denial, by: number | null): Denied {
  const { reason, at, until } = denial;
  const key = keptText(denial.key);
  // Member by member: a copy made with what it had spread into it takes twice the room.
  return by === null ? { key, reason, at, until } : { key, reason, at, until, by };
}

function withoutExchange({ by: _, ...denial }: Denied): Denial {
  return denial;
}

/** What is about the token: an entry of its own, of its lineage, or of the client it was issued to. */
function findDenied(
  { tokens, lineages, clients }: DenialEntries,
  id: AccessTokenId,
  client: string | undefined,
): Denied | undefined {
  const ofToken = tokens.get(tokenKey(id));
  if (ofToken !== undefined) return ofToken;
  const ofLineage = lineages.get(lineageKey(id));
  if (ofLineage !== undefined && id.n <= (ofLineage.up_to ?? Infinity)) return ofLineage;
  if (client === undefined || clients.size === 0) return undefined;
  const ofClient = clients.get(clientKey({ epoch: id.epoch, client }));
  if (ofClient === undefined) return undefined;
  return parseLineageId(id.lineage).number <= (ofClient.up_to ?? Infinity) ? ofClient : undefined;
}

/** Puts back what was kept. */
function loadDenial({ tokens, lineages, clients }: DenialEntries, denial: Denial): void {
  const ofKind = { token: tokens, lineage: lineages, client: clients };
  ofKind[deniedKind(denial.key)].add(denial);
}

/**
 * @param capacity entries kept at most
 * @param onChange called with each new entry, and with null when cleared; must return at once
 */
export function createDenials(
  capacity: number = DENIAL_BOUNDS.entries,
  onChange: (entry: Denied | null) => void = () => undefined,
): Denials {
  const tokens = createDeniedEntries();
  const lineages = createDeniedEntries();
  const clients = createDeniedEntries();
  const entries: DenialEntries = { tokens, lineages, clients };

  const add = (kind: DeniedEntries, denied: Denied) => {
    kind.add(denied);
    makeRoom(entries, capacity, denied.at);
    onChange(denied);
  };
  return {
    denyToken: (id, reason, at, until, by) => {
      const key = tokenKey(id);
      // The first end of a token is the one that counts.
      if (tokens.get(key) !== undefined) return;
      add(tokens, createDenied({ key, reason, at, until }, by));
    },
    denyLineage: (epoch, lineage, at, until, by) => {
      const key = lineageKey({ epoch, lineage });
      add(lineages, createDenied({ key, reason: 'revoked', at, until }, by));
    },
    denyClient: (id, up_to, at, until) => {
      const denied = createDenied({ key: clientKey(id), reason: 'revoked', at, until }, null);
      add(clients, up_to === null ? denied : { ...denied, up_to });
    },
    find: (id, client) => findDenied(entries, id, client),
    list: () => [clients, lineages, tokens].flatMap((kind) => kind.list().map(withoutExchange)),
    load: (denials) => {
      for (const denial of denials) loadDenial(entries, denial);
      fold(entries, capacity);
    },
    get size() {
      return sizeOf(entries);
    },
    clear: () => {
      for (const kind of [tokens, lineages, clients]) kind.clear();
      onChange(null);
    },
  };
}
