// What throttling refused, for each counter the newest few (behaviour 5). Bounded over all counters:
// those that were blocked longest ago lose theirs.

import type { Ring } from './ring.ts';
import { createRing } from './ring.ts';

/** A request that was refused: when, in milliseconds of the sandbox clock, and its exchange's number. */
export interface BlockedRequest {
  readonly at: number;
  readonly exchange: number;
}

export interface BlockedHistory<Key> {
  add(key: Key, request: BlockedRequest): void;
  /** Newest first. */
  of(key: Key): readonly BlockedRequest[];
  forget(key: Key): void;
  clear(): void;
}

/**
 * @param keys keys with a history, at most
 * @param each requests kept for each of them, at most
 */
export function createBlockedHistory<Key>(keys = 5000, each = 20): BlockedHistory<Key> {
  /** In the order in which they were last blocked. */
  const rings = new Map<Key, Ring<BlockedRequest>>();

  const makeRoom = () => {
    for (const oldest of rings.keys()) {
      if (rings.size < keys) return;
      rings.delete(oldest);
    }
  };
  const take = (key: Key): Ring<BlockedRequest> => {
    const known = rings.get(key);
    if (known === undefined) makeRoom();
    else rings.delete(key);
    const ring = known ?? createRing<BlockedRequest>(each);
    rings.set(key, ring);
    return ring;
  };
  return {
    add: (key, request) => {
      take(key).add(request);
    },
    of: (key) => {
      const ring = rings.get(key);
      const ages = Array.from({ length: ring?.size ?? 0 }, (_, age) => age);
      return ages.flatMap((age) => ring?.newest(age) ?? []);
    },
    forget: (key) => {
      rings.delete(key);
    },
    clear: () => {
      rings.clear();
    },
  };
}
