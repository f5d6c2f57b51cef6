// The entries of one kind in the denial list, by their keys and from the oldest on. It knows what becomes
// of two entries with one key and which have expired, but not what their keys name.

import { createOldestFirst } from '../collections/oldest-first.ts';
import type { Denied } from '../model/denial.ts';

export interface DeniedEntries {
  readonly size: number;
  /** How many were added since the last walk over all of them. */
  readonly added: number;
  /** When the first of them expires: a walk before that would find nothing to drop. */
  readonly earliest: number;
  get(key: string): Denied | undefined;
  /** Becomes the newest, joined with the entry that has this key already. */
  add(entry: Denied): void;
  /** Removes the oldest entry. */
  takeOldest(): Denied | undefined;
  /** Walks over all of them. */
  dropExpired(now: number): void;
  /** Oldest first. */
  list(): readonly Denied[];
  clear(): void;
}

/** A lineage's entry and what joins it: one about the whole lineage wins over what was folded. */
function join(before: Denied, next: Denied): Denied {
  const until = Math.max(before.until, next.until);
  if (before.up_to === undefined) return { ...before, until };
  if (next.up_to === undefined) return { ...next, until };
  return { ...before, until, up_to: Math.max(before.up_to, next.up_to) };
}

export function createDeniedEntries(): DeniedEntries {
  const map = new Map<string, Denied>();
  const oldest = createOldestFirst(map);
  let earliest = Infinity;
  let added = 0;
  return {
    get size() {
      return map.size;
    },
    get added() {
      return added;
    },
    get earliest() {
      return earliest;
    },
    get: (key) => map.get(key),
    add: (entry) => {
      const before = map.get(entry.key);
      map.delete(entry.key);
      map.set(entry.key, before === undefined ? entry : join(before, entry));
      oldest.added();
      added += 1;
      earliest = Math.min(earliest, entry.until);
    },
    takeOldest: () => {
      const key = oldest.take();
      if (key === undefined) return undefined;
      const entry = map.get(key);
      map.delete(key);
      return entry;
    },
    dropExpired: (now) => {
      added = 0;
      earliest = Infinity;
      for (const [key, { until }] of map) {
        if (until <= now) map.delete(key);
        else earliest = Math.min(earliest, until);
      }
    },
    list: () => [...map.values()],
    clear: () => {
      map.clear();
      earliest = Infinity;
    },
  };
}
