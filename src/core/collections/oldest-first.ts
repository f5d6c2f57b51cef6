// Removes the entries of a map, oldest first. A new iterator over a map first skips all entries that were deleted
// before the first remaining one, which may be as many as the map holds, so one iterator is reused for many removals.

/** The minimum number of additions and removals for which one iterator is used. */
const LEAST = 1000;

export function createOldestFirst<K>(map: ReadonlyMap<K, unknown>) {
  let walk: Iterator<K> | null = null;
  let left = 0;
  const use = () => {
    // An engine keeps the tables that a map has outgrown as long as an iterator refers to them.
    if (--left < 0) walk = null;
  };
  return {
    /** Must be called for each entry that is added. */
    added: use,
    /** Returns the oldest key. Delete it, or add it again as the newest, before taking another one. */
    take: (): K | undefined => {
      use();
      if (walk === null) {
        walk = map.keys();
        left = Math.max(LEAST, map.size);
      }
      const next = walk.next();
      if (next.done !== true) return next.value;
      walk = null;
      return map.keys().next().value;
    },
  };
}
