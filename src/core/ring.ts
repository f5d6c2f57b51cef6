// The newest N of something: adding beyond the capacity gives back the oldest one.

export interface Ring<T> {
  /** Adds one; answers the one that had to go. */
  add(item: T): T | undefined;
  /** The item added so many additions ago: 0 is the newest. */
  newest(age: number): T | undefined;
  readonly size: number;
  clear(): void;
}

export function createRing<T>(capacity: number): Ring<T> {
  let items: T[] = [];
  let next = 0;
  return {
    add: (item) => {
      const gone = items[next];
      items[next] = item;
      next = (next + 1) % capacity;
      return gone;
    },
    newest: (age) =>
      age < items.length ? items[(next - 1 - age + 2 * capacity) % capacity] : undefined,
    get size() {
      return items.length;
    },
    clear: () => {
      items = [];
      next = 0;
    },
  };
}
