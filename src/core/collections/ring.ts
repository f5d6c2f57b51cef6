// The newest N of something, in their order: adding beyond the capacity gives back the oldest one.

export interface Ring<T> {
  /** Adds one; answers the one that had to go. */
  add(item: T): T | undefined;
  /** Takes the oldest one out. */
  dropOldest(): T | undefined;
  /** The item added so many additions ago: 0 is the newest. */
  newest(age: number): T | undefined;
  readonly size: number;
  clear(): void;
}

export function createRing<T>(capacity: number): Ring<T> {
  /** Grows up to the capacity, then goes round. */
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
  return {
    add: (item) => {
      const gone = size === capacity ? dropOldest() : undefined;
      items[next] = item;
      next = (next + 1) % capacity;
      size += 1;
      return gone;
    },
    dropOldest,
    newest: (age) => (age < size ? items[placeOf(age)] : undefined),
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
