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
}

export interface Denials {
  denyToken(id: AccessTokenId, reason: DenialReason, at: number, until: number): void;
  denyLineage(epoch: string, lineage: string, at: number, until: number): void;
  find(id: AccessTokenId): Denial | undefined;
  /** Oldest first. */
  list(): readonly Denial[];
  load(denials: readonly Denial[]): void;
  readonly size: number;
  clear(): void;
}

/**
 * @param capacity entries kept at most: what has run out goes first; then the oldest entries of single
 * tokens fold into their lineage, which is refused whole; then the oldest lineages go
 */
export function createDenials(capacity = 200_000): Denials {
  const tokens = new Map<string, Denial>();
  const lineages = new Map<string, Denial>();

  const extendLineage = (denial: Denial) => {
    const until = Math.max(denial.until, lineages.get(denial.key)?.until ?? 0);
    const first = lineages.get(denial.key) ?? denial;
    lineages.delete(denial.key);
    lineages.set(denial.key, { ...first, until });
  };
  const dropExpired = (entries: Map<string, Denial>, now: number) => {
    for (const [key, { until }] of entries) if (until <= now) entries.delete(key);
  };
  const fold = () => {
    for (const [key, denial] of tokens) {
      tokens.delete(key);
      extendLineage({ ...denial, key: key.slice(0, key.lastIndexOf('.')) });
      if (tokens.size + lineages.size <= capacity) return;
    }
    for (const key of lineages.keys()) {
      if (lineages.size <= capacity) return;
      lineages.delete(key);
    }
  };
  /** Rarely: a walk for each entry beyond the capacity would be paid by every revocation. */
  const makeRoom = (now: number) => {
    if (tokens.size + lineages.size <= capacity) return;
    dropExpired(tokens, now);
    dropExpired(lineages, now);
    if (tokens.size + lineages.size > capacity) fold();
  };
  return {
    denyToken: (id, reason, at, until) => {
      const key = formatAccessTokenId(id);
      if (!tokens.has(key)) tokens.set(key, { key, reason, at, until });
      makeRoom(at);
    },
    denyLineage: (epoch, lineage, at, until) => {
      extendLineage({ key: `${epoch}.${lineage}`, reason: 'revoked', at, until });
      makeRoom(at);
    },
    find: (id) => tokens.get(formatAccessTokenId(id)) ?? lineages.get(`${id.epoch}.${id.lineage}`),
    list: () => [...lineages.values(), ...tokens.values()],
    load: (denials) => {
      for (const denial of denials) {
        const single = denial.key.split('.').length === 3;
        (single ? tokens : lineages).set(denial.key, denial);
      }
    },
    get size() {
      return tokens.size + lineages.size;
    },
    clear: () => {
      tokens.clear();
      lineages.clear();
    },
  };
}
