// Which assertions have proven a client already: each is good once (OpenID Connect Core 9), and remembered
// until it would have expired anyway.

import type { Bounds } from '../collections/bounded-map.ts';
import { createBoundedMap } from '../collections/bounded-map.ts';

/** When an assertion was presented, in milliseconds of the sandbox clock, and in which exchange. */
interface Use {
  readonly at: number;
  readonly exchange: number;
  readonly until: number;
}

export interface UsedAssertions {
  /**
   * Remembers a use until the assertion expires; answers the earlier one when there was one.
   * @param key digest that tells assertions apart
   */
  use(key: string, use: Use): Use | null;
  clear(): void;
  readonly size: number;
  readonly bytes: number;
}

/** A digest and three numbers. */
const USE_BYTES = 190;

export const ASSERTION_BOUNDS = { entries: 50_000, bytes: 50_000 * USE_BYTES } as const;

/** @param bounds of the uses remembered; the oldest goes first */
export function createUsedAssertions(bounds: Bounds = ASSERTION_BOUNDS): UsedAssertions {
  const used = createBoundedMap<string, Use>(bounds, () => USE_BYTES);
  return {
    use: (key, use) => {
      const before = used.get(key);
      if (before !== undefined && before.until > use.at) return before;
      used.set(key, use);
      return null;
    },
    clear: used.clear,
    get size() {
      return used.size;
    },
    get bytes() {
      return used.bytes;
    },
  };
}
