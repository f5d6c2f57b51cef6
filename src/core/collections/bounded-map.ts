// A map with a maximum number of entries and bytes: when it exceeds either, the oldest entries are removed.
// Everything that is kept from one request to the next is in one of these; docs/internals/security.md lists the
// exceptions and their bounds.

import { createOldestFirst } from './oldest-first.ts';

export interface Bounds {
  readonly entries: number;
  readonly bytes: number;
}

/**
 * @param weigh returns the bytes of an entry; must return the same number as long as the entry is kept
 * @param onGone called with each entry that is removed to make room
 */
export function createBoundedMap<K, V>(
  bounds: Bounds,
  weigh: (value: V, key: K) => number,
  onGone: (value: V) => void = () => undefined,
) {
  const map = new Map<K, V>();
  const oldest = createOldestFirst(map);
  let bytes = 0;

  const remove = (key: K): boolean => {
    const value = map.get(key);
    if (value === undefined || !map.delete(key)) return false;
    bytes -= weigh(value, key);
    return true;
  };
  const dropOldest = () => {
    const key = oldest.take();
    const gone = key === undefined ? undefined : map.get(key);
    if (key === undefined || gone === undefined) return;
    remove(key);
    onGone(gone);
  };
  return {
    get: (key: K) => map.get(key),
    /** Adds an entry as the newest; an entry with the same key is replaced. */
    set: (key: K, value: V) => {
      remove(key);
      map.set(key, value);
      bytes += weigh(value, key);
      oldest.added();
      while (map.size > bounds.entries || bytes > bounds.bytes) dropOldest();
    },
    delete: remove,
    keys: () => map.keys(),
    values: () => map.values(),
    entries: () => map.entries(),
    /** How full it is. */
    fill: {
      get size() {
        return map.size;
      },
      get bytes() {
        return bytes;
      },
    },
    clear: () => {
      map.clear();
      bytes = 0;
    },
  };
}
