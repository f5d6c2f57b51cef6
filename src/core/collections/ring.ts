// A ring buffer with the newest N items in order: adding to a full one removes and returns the oldest.

export type Ring<T> = ReturnType<typeof createRing<T>>;

export function createRing<T>(capacity: number) {
  /** Grows up to the capacity, then wraps around. */
  let items: (T | undefined)[] = [];
  let next = 0;
  let size = 0;
  const placeOf = (age: number) => (next - 1 - age + 2 * capacity) % capacity;
  const dropOldest = (): T | undefined => {
    if (size === 0) return undefined;
    const place = placeOf(size - 1);
    const gone = items[place];
    items[place] = undefined;
    size -= 1;
    return gone;
  };
  const newest = (age: number) => (age < size ? items[placeOf(age)] : undefined);
  return {
    /** Adds an item; returns the item that was removed to make room. */
    add: (item: T): T | undefined => {
      const gone = size === capacity ? dropOldest() : undefined;
      items[next] = item;
      next = (next + 1) % capacity;
      size += 1;
      return gone;
    },
    dropOldest,
    /** Returns the item that was added this many additions ago: 0 is the newest. */
    newest,
    newestFirst: () =>
      Array.from({ length: size }, (_, age) => newest(age)).filter((item) => item !== undefined),
    get size() {
      return size;
    },
    clear: () => {
      items = [];
      next = 0;
      size = 0;
    },
  };
}
