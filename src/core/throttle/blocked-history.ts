// What throttling refused, for each counter the newest few (behaviour 5). Bounded over all counters:
// those that were blocked longest ago lose theirs.

import type { Bounds } from '../collections/bounded-map.ts';
import { createBoundedMap } from '../collections/bounded-map.ts';
import type { Ring } from '../collections/ring.ts';
import { createRing } from '../collections/ring.ts';

/** A request that was refused: when, in milliseconds of the sandbox clock, and its exchange's number. */
export interface BlockedRequest {
  readonly at: number;
  readonly exchange: number;
}

export interface BlockedHistory {
  /** @param id the counter's */
  add(id: string, request: BlockedRequest): void;
  /** Newest first. */
  of(id: string): readonly BlockedRequest[];
  forget(id: string): void;
  clear(): void;
  readonly size: number;
  readonly bytes: number;
}

/** Requests kept for each counter, at most. */
const EACH = 20;
const HISTORY_BYTES = 2700;

/** Counters with a history. */
export const BLOCKED_BOUNDS = { entries: 2000, bytes: 2000 * HISTORY_BYTES } as const;

export function createBlockedHistory(bounds: Bounds = BLOCKED_BOUNDS, each = EACH): BlockedHistory {
  /** In the order in which they were last blocked. */
  const rings = createBoundedMap<string, Ring<BlockedRequest>>(bounds, () => HISTORY_BYTES);
  return {
    add: (id, request) => {
      const ring = rings.get(id) ?? createRing<BlockedRequest>(each);
      ring.add(request);
      rings.set(id, ring);
    },
    of: (id) => {
      const ring = rings.get(id);
      if (ring === undefined) return [];
      return Array.from({ length: ring.size }, (_, age) => ring.newest(age)).filter(
        (request) => request !== undefined,
      );
    },
    forget: rings.delete,
    clear: rings.clear,
    get size() {
      return rings.size;
    },
    get bytes() {
      return rings.bytes;
    },
  };
}
