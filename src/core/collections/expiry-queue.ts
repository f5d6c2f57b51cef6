// A binary heap of records, ordered by expiry, which can also remove a record from its middle. Each operation takes
// O(log n).

export interface Expiring {
  readonly expires_at: number;
  /** Maintained by the queue; -1 while the item is not in a queue. */
  queue_index: number;
}

export function createExpiryQueue<T extends Expiring>() {
  let heap: T[] = [];
  const put = (item: T, index: number) => {
    heap[index] = item;
    item.queue_index = index;
  };
  const up = (item: T, from: number) => {
    let index = from;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || parent.expires_at <= item.expires_at) break;
      put(parent, index);
      index = above;
    }
    put(item, index);
  };
  const down = (item: T, from: number) => {
    let index = from;
    for (;;) {
      let below = 2 * index + 1;
      let child = heap[below];
      if (child === undefined) break;
      const right = heap[below + 1];
      if (right !== undefined && right.expires_at < child.expires_at) {
        child = right;
        below += 1;
      }
      if (item.expires_at <= child.expires_at) break;
      put(child, index);
      index = below;
    }
    put(item, index);
  };
  const remove = (item: T) => {
    const index = item.queue_index;
    item.queue_index = -1;
    // The index may date from before the queue was cleared.
    if (index < 0 || heap[index] !== item) return;
    const last = heap.pop();
    if (last === undefined || last === item) return;
    const above = heap[(index - 1) >> 1];
    if (index > 0 && above !== undefined && above.expires_at > last.expires_at) up(last, index);
    else down(last, index);
  };
  return {
    push: (item: T) => {
      heap.push(item);
      up(item, heap.length - 1);
    },
    remove,
    /** Removes and returns the record that expired first, if any has. */
    popExpired: (now: number): T | undefined => {
      const first = heap[0];
      if (first === undefined || first.expires_at > now) return undefined;
      remove(first);
      return first;
    },
    clear: () => {
      heap = [];
    },
  };
}
