// The denial list (behaviour 2): which self-contained access tokens are no longer good, though their
// signature and their time are. One entry for a token or for a whole lineage, until the latest of them
// would have expired anyway.

/** Names an access token: `<epoch>.<lineage>.<n>`, as in `jti` or `sid`. */
export interface AccessTokenId {
  readonly epoch: string;
  readonly lineage: string;
  readonly n: number;
}

const ACCESS_TOKEN_ID = /^([\w-]{1,64})\.([0-9a-z]{1,12})\.(\d{1,12})$/;

export function formatAccessTokenId({ epoch, lineage, n }: AccessTokenId): string {
  return `${epoch}.${lineage}.${n}`;
}

/** null for what is no such name. */
export function parseAccessTokenId(text: unknown): AccessTokenId | null {
  const found = typeof text === 'string' ? ACCESS_TOKEN_ID.exec(text) : null;
  if (found === null) return null;
  const [, epoch = '', lineage = '', n = ''] = found;
  return { epoch, lineage, n: Number(n) };
}

export type DenialReason = 'revoked' | 'expired';

/** Keys: `<epoch>.<lineage>` for a lineage, `<epoch>.<lineage>.<n>` for one token. */
export interface Denial {
  readonly key: string;
  /** Why, and since when, in milliseconds of the sandbox clock. */
  readonly reason: DenialReason;
  readonly at: number;
  /** The end of its use: when the tokens it is about expire, in milliseconds of the sandbox clock. */
  readonly until: number;
  /** Of a lineage that single tokens were folded into: the last number that it is about. */
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
  find(id: AccessTokenId): Denied | undefined;
  /** For keeping; oldest first. */
  list(): readonly Denial[];
  load(denials: readonly Denial[]): void;
  readonly size: number;
  clear(): void;
}

function createDenied(denial: Denial, by: number | null): Denied {
  return by === null ? denial : { ...denial, by };
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

/**
 * @param capacity entries kept at most: what has run out goes first; then the oldest entries of single
 * tokens fold into their lineage, which is refused up to their number; then the oldest lineages go
 * @param onChange told of each new entry, and of a clearing by null; must return at once
 */
export function createDenials(capacity = 200_000, onChange: (entry: Denied | null) => void = () => undefined): Denials {
  const tokens = new Map<string, Denied>();
  const lineages = new Map<string, Denied>();
  /** When the first of them runs out: a walk before that would find nothing to drop. */
  let earliest = Infinity;

  const size = () => tokens.size + lineages.size;
  const putToken = (denial: Denied) => {
    tokens.set(denial.key, denial);
    earliest = Math.min(earliest, denial.until);
  };
  const putLineage = (denial: Denied) => {
    const before = lineages.get(denial.key);
    lineages.delete(denial.key);
    lineages.set(denial.key, before === undefined ? denial : join(before, denial));
    earliest = Math.min(earliest, denial.until);
  };
  const dropExpired = (now: number) => {
    if (now < earliest) return;
    earliest = Infinity;
    for (const entries of [tokens, lineages]) {
      for (const [key, { until }] of entries) {
        if (until <= now) entries.delete(key);
        else earliest = Math.min(earliest, until);
      }
    }
  };
  const fold = () => {
    for (const [key, denial] of tokens) {
      if (size() <= capacity) return;
      tokens.delete(key);
      const dot = key.lastIndexOf('.');
      const up_to = Number(key.slice(dot + 1));
      putLineage({ ...withoutExchange(denial), key: key.slice(0, dot), up_to });
    }
    for (const key of lineages.keys()) {
      if (lineages.size <= capacity) return;
      lineages.delete(key);
    }
  };
  const makeRoom = (now: number) => {
    if (size() <= capacity) return;
    dropExpired(now);
    fold();
  };
  const findLineage = ({ epoch, lineage, n }: AccessTokenId) => {
    const denial = lineages.get(`${epoch}.${lineage}`);
    return denial !== undefined && n <= (denial.up_to ?? Infinity) ? denial : undefined;
  };
  return {
    denyToken: (id, reason, at, until, by) => {
      const key = formatAccessTokenId(id);
      if (tokens.has(key)) return;
      const denied = createDenied({ key, reason, at, until }, by);
      putToken(denied);
      makeRoom(at);
      onChange(denied);
    },
    denyLineage: (epoch, lineage, at, until, by) => {
      const key = `${epoch}.${lineage}`;
      const denied = createDenied({ key, reason: 'revoked', at, until }, by);
      putLineage(denied);
      makeRoom(at);
      onChange(denied);
    },
    find: (id) => tokens.get(formatAccessTokenId(id)) ?? findLineage(id),
    list: () => [...lineages.values(), ...tokens.values()].map(withoutExchange),
    load: (denials) => {
      for (const denial of denials) {
        if (denial.key.split('.').length === 3) putToken(denial);
        else putLineage(denial);
      }
      fold();
    },
    get size() {
      return size();
    },
    clear: () => {
      tokens.clear();
      lineages.clear();
      earliest = Infinity;
      onChange(null);
    },
  };
}
