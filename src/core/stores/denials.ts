// The denial list (behaviour 2): which self-contained access tokens are no longer good, though their
// signature and their time are. One entry for a token or for a whole lineage, until the latest of them
// would have expired anyway.

import { keptText } from '../collections/kept-text.ts';
import type { OldestFirst } from '../collections/oldest-first.ts';
import { createOldestFirst } from '../collections/oldest-first.ts';
import type { AccessTokenId } from '../model/access-token-id.ts';
import { formatAccessTokenId, parseLineageId } from '../model/access-token-id.ts';

export type DenialReason = 'revoked' | 'expired';

/** Names a deleted client's tokens of one epoch: what it was issued up to a lineage, or all. */
export interface ClientTokensId {
  readonly epoch: string;
  /** Digest of its client_id. */
  readonly client: string;
}

/**
 * Keys: `<epoch>.<lineage>` for a lineage, `<epoch>.<lineage>.<n>` for one token, and
 * `<epoch>.client-<digest>` for a client that was deleted.
 */
export interface Denial {
  readonly key: string;
  /** Why, and since when, in milliseconds of the sandbox clock. */
  readonly reason: DenialReason;
  readonly at: number;
  /** The end of its use: when the tokens it is about expire, in milliseconds of the sandbox clock. */
  readonly until: number;
  /**
   * Of a lineage that single tokens were folded into: the last number that it is about. Of a client: the
   * number of the last lineage; none in an epoch that opens no more.
   */
  readonly up_to?: number;
}

/** A denial of this run: exchanges are numbered anew by the next one. */
export interface Denied extends Denial {
  /** Number of the exchange that ended the tokens; none when it came over control. */
  readonly by?: number;
}

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
  const { key, reason, at, until } = denial;
  // Member by member: a copy made with what it had spread into it takes twice the room.
  return by === null ? denial : { key, reason, at, until, by };
}

function withoutExchange({ by: _, ...denial }: Denied): Denial {
  return denial;
}

/** A lineage's entry and what joins it: one about the whole lineage wins over what was folded. */
function join(before: Denied, next: Denied): Denied {
  const until = Math.max(before.until, next.until);
  if (before.up_to === undefined) return { ...before, until };
  if (next.up_to === undefined) return { ...next, until };
  return { ...before, until, up_to: Math.max(before.up_to, next.up_to) };
}

/** Of base64url: 96 bits of the digest. */
const DIGEST_CHARACTERS = 16;

/** Like no lineage's, which has no hyphen. */
const clientKey = ({ epoch, client }: ClientTokensId) =>
  `${epoch}.client-${client.slice(0, DIGEST_CHARACTERS)}`;

const isClientKey = (key: string) => key.includes('.client-');

interface Entries {
  readonly map: Map<string, Denied>;
  readonly oldest: OldestFirst<string>;
}

function createEntries(): Entries {
  const map = new Map<string, Denied>();
  return { map, oldest: createOldestFirst(map) };
}

function takeOldest({ map, oldest }: Entries): Denied | undefined {
  const key = oldest.take();
  const denial = key === undefined ? undefined : map.get(key);
  if (key !== undefined) map.delete(key);
  return denial;
}

/** Between two walks over all for what has run out, so large a part of the list must be new. */
const PART = 1 / 16;

/** How many tokens are folded before a lineage goes: each may be of a lineage of its own. */
const FOLDS = 64;

/** A key of digest or numbers, and the record. */
const DENIAL_BYTES = 176;

export const DENIAL_BOUNDS = { entries: 200_000, bytes: 200_000 * DENIAL_BYTES } as const;

/**
 * @param capacity entries kept at most: what has run out goes first; then the oldest entries of single
 * tokens fold into their lineage, which is refused up to their number; where that makes no room the
 * oldest lineages go, and at last the clients that were deleted first
 * @param onChange told of each new entry, and of a clearing by null; must return at once
 */
export function createDenials(
  capacity: number = DENIAL_BOUNDS.entries,
  onChange: (entry: Denied | null) => void = () => undefined,
): Denials {
  const tokens = createEntries();
  const lineages = createEntries();
  const clients = createEntries();
  /** When the first of them runs out: a walk before that would find nothing to drop. */
  let earliest = Infinity;
  let sinceWalk = 0;

  const size = () => tokens.map.size + lineages.map.size + clients.map.size;
  const put = ({ map, oldest }: Entries, denial: Denied) => {
    const before = map.get(denial.key);
    map.delete(denial.key);
    map.set(denial.key, before === undefined ? denial : join(before, denial));
    oldest.added();
    sinceWalk += 1;
    earliest = Math.min(earliest, denial.until);
  };
  const dropExpired = (now: number) => {
    if (now < earliest || sinceWalk < capacity * PART) return;
    sinceWalk = 0;
    earliest = Infinity;
    for (const { map } of [tokens, lineages, clients]) {
      for (const [key, { until }] of map) {
        if (until <= now) map.delete(key);
        else earliest = Math.min(earliest, until);
      }
    }
  };
  /** Makes room only where its lineage has an entry already. */
  const foldOldest = () => {
    const denial = takeOldest(tokens);
    if (denial === undefined) return;
    const { key, reason, at, until } = denial;
    const dot = key.lastIndexOf('.');
    const up_to = Number(key.slice(dot + 1));
    put(lineages, { key: keptText(key.slice(0, dot)), reason, at, until, up_to });
  };
  const fold = () => {
    while (size() > capacity) {
      for (let count = 0; count < FOLDS && size() > capacity; count++) foldOldest();
      if (size() > capacity) takeOldest(lineages.map.size > 0 ? lineages : clients);
    }
  };
  const makeRoom = (now: number) => {
    if (size() <= capacity) return;
    dropExpired(now);
    fold();
  };
  const findLineage = ({ epoch, lineage, n }: AccessTokenId) => {
    const denial = lineages.map.get(`${epoch}.${lineage}`);
    return denial !== undefined && n <= (denial.up_to ?? Infinity) ? denial : undefined;
  };
  const findClient = ({ epoch, lineage }: AccessTokenId, client: string | undefined) => {
    if (client === undefined || clients.map.size === 0) return undefined;
    const denial = clients.map.get(clientKey({ epoch, client }));
    const covered =
      denial !== undefined && parseLineageId(lineage).number <= (denial.up_to ?? Infinity);
    return covered ? denial : undefined;
  };
  return {
    denyToken: (id, reason, at, until, by) => {
      const key = keptText(formatAccessTokenId(id));
      if (tokens.map.has(key)) return;
      const denied = createDenied({ key, reason, at, until }, by);
      put(tokens, denied);
      makeRoom(at);
      onChange(denied);
    },
    denyLineage: (epoch, lineage, at, until, by) => {
      const key = keptText(`${epoch}.${lineage}`);
      const denied = createDenied({ key, reason: 'revoked', at, until }, by);
      put(lineages, denied);
      makeRoom(at);
      onChange(denied);
    },
    denyClient: (id, up_to, at, until) => {
      const covered = up_to === null ? {} : { up_to };
      const key = keptText(clientKey(id));
      const denied: Denied = { key, reason: 'revoked', at, until, ...covered };
      put(clients, denied);
      makeRoom(at);
      onChange(denied);
    },
    find: (id, client) =>
      tokens.map.get(formatAccessTokenId(id)) ?? findLineage(id) ?? findClient(id, client),
    list: () =>
      [clients, lineages, tokens].flatMap(({ map }) => [...map.values()].map(withoutExchange)),
    load: (denials) => {
      for (const denial of denials) {
        if (isClientKey(denial.key)) put(clients, denial);
        else put(denial.key.split('.').length === 3 ? tokens : lineages, denial);
      }
      fold();
    },
    get size() {
      return size();
    },
    clear: () => {
      tokens.map.clear();
      lineages.map.clear();
      clients.map.clear();
      earliest = Infinity;
      onChange(null);
    },
  };
}
