// The denial list (behaviour 2): the self-contained access tokens that are no longer valid although their signature
// and their times are. Each entry denies a token, a whole lineage or the tokens of a deleted client, until the last
// of the tokens would have expired anyway.

import { keptText } from '../collections/kept-text.ts';
import { type AccessTokenId, parseLineageId } from '../model/access-token-id.ts';
import {
  clientKey,
  type ClientTokensId,
  type Denial,
  type DenialReason,
  type Denied,
  deniedKind,
  lineageKey,
  tokenKey,
} from '../model/denial.ts';
import { createOldestFirst } from '../collections/oldest-first.ts';

export type Denials = ReturnType<typeof createDenials>;

function createDenied(denial: Denial, by: number | null): Denied {
  const { reason, at, until } = denial;
  const key = keptText(denial.key);
  // Each member is copied by name: an object made by spreading takes twice the memory.
  return by === null ? { key, reason, at, until } : { key, reason, at, until, by };
}

function toSave({ by: _by, ...denial }: Denied): Denial {
  return denial;
}

/** Returns the entry that denies the token: its own, that of its lineage, or that of the client it was issued to. */
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

/** Restores a saved entry. */
function loadDenial({ tokens, lineages, clients }: DenialEntries, denial: Denial): void {
  const ofKind = { token: tokens, lineage: lineages, client: clients };
  ofKind[deniedKind(denial.key)].add(denial);
}

/**
 * @param capacity maximum number of entries
 * @param onChange called with each new entry, and with null when cleared; must return immediately
 */
export function createDenials(
  capacity: number = DENIAL_BOUNDS.entries,
  onChange: (entry: Denied | null) => void = () => undefined,
) {
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
    /** @param by number of the exchange; null for the control API */
    denyToken: (
      id: AccessTokenId,
      reason: DenialReason,
      at: number,
      until: number,
      by: number | null,
    ) => {
      const key = tokenKey(id);
      // The first time that a token ends is the one that counts.
      if (tokens.get(key) !== undefined) return;
      add(tokens, createDenied({ key, reason, at, until }, by));
    },
    /** @param with_client whether it ends because its client was deleted */
    denyLineage: (
      id: Pick<AccessTokenId, 'epoch' | 'lineage'>,
      at: number,
      until: number,
      by: number | null,
      with_client = false,
    ) => {
      const denied = createDenied({ key: lineageKey(id), reason: 'revoked', at, until }, by);
      add(lineages, with_client ? { ...denied, with_client } : denied);
    },
    /** @param up_to number of the last lineage that it is about; null for all of the epoch */
    denyClient: (id: ClientTokensId, up_to: number | null, at: number, until: number) => {
      const denied = createDenied({ key: clientKey(id), reason: 'revoked', at, until }, null);
      add(clients, up_to === null ? denied : { ...denied, up_to });
    },
    /** @param client digest of the client_id that the token was issued to */
    find: (id: AccessTokenId, client?: string) => findDenied(entries, id, client),
    /** The entries to be saved, oldest first. */
    list: () => [clients, lineages, tokens].flatMap((kind) => kind.list().map(toSave)),
    load: (denials: readonly Denial[]) => {
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

/** The entries of one kind, by key and oldest first. It does not interpret the keys. */
type DeniedEntries = ReturnType<typeof createDeniedEntries>;

/** Merges two entries of a lineage: one for the whole lineage replaces one into which tokens were folded. */
function join(before: Denied, next: Denied): Denied {
  const until = Math.max(before.until, next.until);
  if (before.up_to === undefined) return { ...before, until };
  if (next.up_to === undefined) return { ...next, until };
  return { ...before, until, up_to: Math.max(before.up_to, next.up_to) };
}

function createDeniedEntries() {
  const map = new Map<string, Denied>();
  const oldest = createOldestFirst(map);
  let earliest = Infinity;
  let added = 0;
  return {
    get size() {
      return map.size;
    },
    /** How many were added since the last iteration over all of them. */
    get added() {
      return added;
    },
    /** When the first of them expires: an iteration before that would find nothing to drop. */
    get earliest() {
      return earliest;
    },
    get: (key: string) => map.get(key),
    /** Adds the entry as the newest, merged with an existing entry of the same key. */
    add: (entry: Denied) => {
      const before = map.get(entry.key);
      map.delete(entry.key);
      map.set(entry.key, before === undefined ? entry : join(before, entry));
      oldest.added();
      added += 1;
      earliest = Math.min(earliest, entry.until);
    },
    takeOldest: (): Denied | undefined => {
      const key = oldest.take();
      if (key === undefined) return undefined;
      const entry = map.get(key);
      map.delete(key);
      return entry;
    },
    /** Iterates over all of them. */
    dropExpired: (now: number) => {
      added = 0;
      earliest = Infinity;
      for (const [key, { until }] of map) {
        if (until <= now) map.delete(key);
        else earliest = Math.min(earliest, until);
      }
    },
    /** Oldest first. */
    list: () => [...map.values()],
    clear: () => {
      map.clear();
      earliest = Infinity;
    },
  };
}

/** A key made of a digest or numbers, and the record. */
const DENIAL_BYTES = 176;

export const DENIAL_BOUNDS = { entries: 200_000, bytes: 200_000 * DENIAL_BYTES } as const;

/** The entries of the list, by what they deny. */
interface DenialEntries {
  readonly tokens: DeniedEntries;
  readonly lineages: DeniedEntries;
  readonly clients: DeniedEntries;
}

/** Expired entries are searched for again only after this part of the list was replaced. */
const PART = 1 / 16;

/** How many tokens are folded before a lineage is removed: each may belong to a different lineage. */
const FOLDS = 64;

const sizeOf = ({ tokens, lineages, clients }: DenialEntries) =>
  tokens.size + lineages.size + clients.size;

function dropExpired(
  { tokens, lineages, clients }: DenialEntries,
  capacity: number,
  now: number,
): void {
  const earliest = Math.min(tokens.earliest, lineages.earliest, clients.earliest);
  const added = tokens.added + lineages.added + clients.added;
  if (now < earliest || added < capacity * PART) return;
  for (const kind of [tokens, lineages, clients]) kind.dropExpired(now);
}

/** Folds the oldest token's entry into that of its lineage. This frees an entry only if the lineage already has one. */
function foldOldest({ tokens, lineages }: DenialEntries): void {
  const denial = tokens.takeOldest();
  if (denial === undefined) return;
  const { key, reason, at, until } = denial;
  const dot = key.lastIndexOf('.');
  const up_to = Number(key.slice(dot + 1));
  lineages.add({ key: keptText(key.slice(0, dot)), reason, at, until, up_to });
}

/** Folds entries until the capacity is not exceeded. */
function fold(entries: DenialEntries, capacity: number): void {
  const isFull = () => sizeOf(entries) > capacity;
  while (isFull()) {
    for (let count = 0; count < FOLDS && isFull(); count++) foldOldest(entries);
    if (isFull()) (entries.lineages.size > 0 ? entries.lineages : entries.clients).takeOldest();
  }
}

/**
 * Makes room. Expired entries are removed first. Then the oldest entries of single tokens are folded into their
 * lineage, which is denied up to their number. If that is not enough, the oldest lineages are removed, and finally
 * the clients that were deleted first.
 */
function makeRoom(entries: DenialEntries, capacity: number, now: number): void {
  if (sizeOf(entries) <= capacity) return;
  dropExpired(entries, capacity, now);
  fold(entries, capacity);
}
