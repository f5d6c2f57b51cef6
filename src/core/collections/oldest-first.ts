// Takes the entries of a map out from the oldest on. A new walk over a map passes all that was deleted
// before its first entry, which may be as many as it holds; so one walk serves many removals.

interface OldestFirst<K> {
  /** To be called with each entry that is added. */
  added(): void;
  /** The oldest key. It must be deleted, or added again as the newest, before another is taken. */
  take(): K | undefined;
}

/** So many additions and removals one walk serves at least. */
const LEAST = 1000;

export function createOldestFirst<K>(map: ReadonlyMap<K, unknown>): OldestFirst<K> {
  let walk: Iterator<K> | null = null;
  let left = 0;
  const use = () => {
    // An engine keeps the tables that a map has outgrown for as long as a walk stands in them.
    if (--left < 0) walk = null;
  };
  return {
    added: use,
    take: () => {
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
