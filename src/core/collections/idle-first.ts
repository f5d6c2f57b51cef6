// A map that evicts the entry that was idle for longest. An entry is not moved when it is used; instead, an eviction
// skips it once. (Deleting a key and adding it again at each use leaves dead entries in its hash bucket, which slow
// each lookup down.)

import { createOldestFirst } from './oldest-first.ts';

export interface Seen {
  /** Whether the entry was used since it was added or last skipped. */
  seen_again: boolean;
}

export type IdleFirst<K, V extends Seen> = ReturnType<typeof createIdleFirst<K, V>>;

/** How many entries that were used an eviction skips before it removes one anyway. */
const SECOND_CHANCES = 64;

export function createIdleFirst<K, V extends Seen>() {
  const entries = new Map<K, V>();
  const oldest = createOldestFirst(entries);
  const add = (key: K, value: V) => {
    entries.set(key, value);
    oldest.added();
  };
  return {
    /** Does not mark the entry as used. */
    get: (key: K) => entries.get(key),
    /** Adds an entry; the key must be new. */
    add,
    delete: (key: K) => entries.delete(key),
    /** Removes and returns the first entry that was not used since it was last skipped. */
    evict: (): V | undefined => {
      for (let chances = SECOND_CHANCES; ; chances -= 1) {
        const key = oldest.take();
        const value = key === undefined ? undefined : entries.get(key);
        if (key === undefined || value === undefined) return undefined;
        entries.delete(key);
        if (!value.seen_again || chances === 0) return value;
        value.seen_again = false;
        add(key, value);
      }
    },
    /** In no particular order. */
    values: () => entries.values(),
    get size() {
      return entries.size;
    },
    clear: () => {
      entries.clear();
    },
  };
}
