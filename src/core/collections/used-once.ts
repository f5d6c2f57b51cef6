// Remembers which single-use JWTs were used, such as client assertions (OpenID Connect Core 9) and DPoP proofs (RFC
// 9449 11.1), until they would have expired anyway.

import { type Bounds, createBoundedMap } from './bounded-map.ts';

/** When it was used (in milliseconds of the sandbox clock), in which exchange, and until when that is remembered. */
interface Use {
  readonly at: number;
  readonly exchange: number;
  readonly until: number;
}

export type UsedOnce = ReturnType<typeof createUsedOnce>;

/** A digest and three numbers. */
const USE_BYTES = 190;

export const USED_ONCE_BOUNDS = { entries: 50_000, bytes: 50_000 * USE_BYTES } as const;

/** @param bounds of the remembered uses; the oldest is removed first */
export function createUsedOnce(bounds: Bounds = USED_ONCE_BOUNDS) {
  const used = createBoundedMap<string, Use>(bounds, () => USE_BYTES);
  const find = (key: string, at: number): Use | null => {
    const before = used.get(key);
    return before !== undefined && before.until > at ? before : null;
  };
  return {
    /**
     * Remembers a use until it expires; returns an earlier use if there was one.
     * @param key digest that identifies the JWT
     */
    use: (key: string, use: Use): Use | null => {
      const before = find(key, use.at);
      if (before === null) used.set(key, use);
      return before;
    },
    /** Returns the use that is still remembered at that moment; null if there is none. */
    find,
    clear: used.clear,
    fill: used.fill,
  };
}
