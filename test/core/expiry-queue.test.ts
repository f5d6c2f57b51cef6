// The queue of expiries and the ring, compared with simple models.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Expiring } from '../../src/core/collections/expiry-queue.ts';
import { createExpiryQueue } from '../../src/core/collections/expiry-queue.ts';
import { createRing } from '../../src/core/collections/ring.ts';

interface Item extends Expiring {
  readonly name: number;
}

const item = (name: number, expires_at: number): Item => ({ name, expires_at, queue_index: -1 });

describe('the expiry queue', () => {
  const operation = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('push'), value: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove'), value: fc.nat(50) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('pop'), value: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('clear'), value: fc.nat(0) }) },
  );

  test('equals a plain list after any pushes, removals, pops and clears', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 120 }), (operations) => {
        const queue = createExpiryQueue<Item>();
        const all: Item[] = [];
        let model: Item[] = [];
        for (const { do: what, value } of operations) {
          if (what === 'push') {
            const pushed = item(all.length, value);
            all.push(pushed);
            model.push(pushed);
            queue.push(pushed);
          } else if (what === 'remove') {
            const removed = all[value];
            if (removed === undefined) continue;
            model = model.filter((other) => other !== removed);
            queue.remove(removed);
          } else if (what === 'pop') {
            const earliest = Math.min(...model.map(({ expires_at }) => expires_at));
            const popped = queue.popExpired(value);
            expect(popped?.expires_at).toBe(earliest <= value ? earliest : undefined);
            if (popped !== undefined) expect(model).toContain(popped);
            model = model.filter((other) => other !== popped);
          } else {
            model = [];
            queue.clear();
          }
        }
        const rest: Item[] = [];
        for (let next = queue.popExpired(99); next; next = queue.popExpired(99)) rest.push(next);
        expect(rest.map(({ expires_at }) => expires_at)).toEqual(
          model.map(({ expires_at }) => expires_at).sort((a, b) => a - b),
        );
        expect(new Set(rest)).toEqual(new Set(model));
      }),
      { numRuns: 500 },
    );
  });

  test('records each item’s position, or -1 when the item is not queued', () => {
    const queue = createExpiryQueue<Item>();
    const one = item(1, 5);
    queue.push(one);
    expect(one.queue_index).toBe(0);
    queue.remove(one);
    queue.remove(one);
    expect(one.queue_index).toBe(-1);
    expect(queue.popExpired(99)).toBeUndefined();
  });

  test('is unharmed by the removal of an item that was cleared', () => {
    const queue = createExpiryQueue<Item>();
    const [old, fresh, other] = [item(1, 5), item(2, 6), item(3, 7)];
    queue.push(old);
    queue.clear();
    queue.push(fresh);
    queue.push(other);
    queue.remove(old);
    expect([queue.popExpired(9), queue.popExpired(9)]).toEqual([fresh, other]);
  });
});

describe('the ring', () => {
  test('keeps the newest N items and returns the removed item', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(fc.nat()), (capacity, values) => {
        const ring = createRing<number>(capacity);
        const model: number[] = [];
        for (const value of values) {
          model.push(value);
          expect(ring.add(value)).toBe(model.at(-1 - capacity));
          const kept = model.slice(-capacity).reverse();
          expect(ring.size).toBe(kept.length);
          expect(Array.from({ length: capacity + 1 }, (_, age) => ring.newest(age))).toEqual([
            ...kept,
            ...Array.from({ length: capacity + 1 - kept.length }, () => undefined),
          ]);
        }
      }),
    );
  });

  test('is empty after it is cleared, and can be filled again', () => {
    const ring = createRing<string>(2);
    ring.add('a');
    ring.add('b');
    ring.add('c');
    ring.clear();
    expect([ring.size, ring.newest(0)]).toEqual([0, undefined]);
    expect(ring.add('d')).toBeUndefined();
    expect(ring.newest(0)).toBe('d');
  });
});
