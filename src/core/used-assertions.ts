// Which assertions have proven a client already: each is good once (OpenID Connect Core 9), and remembered
// until it would have expired anyway.

/** When an assertion was presented, in milliseconds of the sandbox clock, and in which exchange. */
interface Use {
  readonly at: number;
  readonly exchange: number;
  readonly until: number;
}

export interface UsedAssertions {
  /** Remembers a use until the assertion expires; answers the earlier one when there was one. */
  use(key: string, use: Use): Use | null;
  clear(): void;
  readonly size: number;
}

/** @param capacity uses remembered at most; the oldest goes first */
export function createUsedAssertions(capacity = 100_000): UsedAssertions {
  const used = new Map<string, Use>();
  const makeRoom = (now: number) => {
    for (const [key, { until }] of used) {
      if (until > now && used.size < capacity) return;
      used.delete(key);
    }
  };
  return {
    use: (key, use) => {
      const before = used.get(key);
      if (before !== undefined && before.until > use.at) return before;
      used.delete(key);
      makeRoom(use.at);
      used.set(key, use);
      return null;
    },
    clear: () => {
      used.clear();
    },
    get size() {
      return used.size;
    },
  };
}
