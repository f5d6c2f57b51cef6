// A map that gives up first what was not seen for longest. Nothing is moved when an entry is seen: an eviction
// passes over it once instead. (A key that is deleted and put in again each time leaves a dead entry behind in
// its hash bucket, and is found more slowly with each one.)

import { createOldestFirst } from './oldest-first.ts';

export interface Seen {
  /** Seen since it was put in its place. */
  seen_again: boolean;
}

export interface IdleFirst<K, V extends Seen> {
  /** Does not count as seeing it. */
  get(key: K): V | undefined;
  /** Puts in an entry whose key is not there yet. */
  add(key: K, value: V): void;
  delete(key: K): boolean;
  /** Removes the first entry that was not seen since it was last passed over. */
  evict(): V | undefined;
  /** In no order. */
  values(): IterableIterator<V>;
  readonly size: number;
  clear(): void;
}

/** How many entries that were seen again an eviction passes over before it takes one all the same. */
const SECOND_CHANCES = 64;

export function createIdleFirst<K, V extends Seen>(): IdleFirst<K, V> {
  const entries = new Map<K, V>();
  const oldest = createOldestFirst(entries);
  const add = (key: K, value: V) => {
    entries.set(key, value);
    oldest.added();
  };
  return {
    get: (key) => entries.get(key),
    add,
    delete: (key) => entries.delete(key),
    evict: () => {
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
    values: () => entries.values(),
    get size() {
      return entries.size;
    },
    clear: () => {
      entries.clear();
    },
  };
}
