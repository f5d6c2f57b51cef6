// The throttle's counters, bounded: those of unknown credentials go first, then those that were not seen for
// longest.

import type { IdleFirst, Seen } from '../collections/idle-first.ts';
import { createIdleFirst } from '../collections/idle-first.ts';
import type { Counter, CounterKind } from './counter.ts';

export interface CounterStore {
  /** The counter as seen now: in the place that its kind belongs to, made if there is none. */
  see(id: string, kind: CounterKind, create: () => Counter): Counter;
  find(id: string): Counter | undefined;
  /** In no order. */
  all(): Counter[];
  /** Last seen last. */
  list(): Counter[];
  delete(id: string): boolean;
  clear(): void;
  readonly size: number;
}

interface Entry extends Seen {
  readonly counter: Counter;
  /** When it was last seen, as a count of requests. */
  turn: number;
}

/** @param onEvicted called with a counter that had to make room */
export function createCounterStore(
  capacity: number,
  onEvicted: (counter: Counter) => void,
): CounterStore {
  const known = createIdleFirst<string, Entry>();
  const unknown = createIdleFirst<string, Entry>();
  let turn = 0;

  const size = () => known.size + unknown.size;
  const entryOf = (id: string) => known.get(id) ?? unknown.get(id);
  const entries = () => [...known.values(), ...unknown.values()];
  const add = (home: IdleFirst<string, Entry>, counter: Counter) => {
    home.add(counter.id, { counter, seen_again: false, turn });
    if (size() <= capacity) return;
    const evicted = (unknown.size > 0 ? unknown : known).evict();
    if (evicted !== undefined) onEvicted(evicted.counter);
  };
  return {
    see: (id, kind, create) => {
      const [home, other] = kind === 'unknown' ? [unknown, known] : [known, unknown];
      turn += 1;
      const entry = home.get(id);
      if (entry !== undefined) {
        entry.seen_again = true;
        entry.turn = turn;
        return entry.counter;
      }
      const counter = other.get(id)?.counter ?? create();
      other.delete(id);
      counter.kind = kind;
      add(home, counter);
      return counter;
    },
    find: (id) => entryOf(id)?.counter,
    all: () => entries().map(({ counter }) => counter),
    list: () =>
      entries()
        .sort((a, b) => a.counter.last_seen_at - b.counter.last_seen_at || a.turn - b.turn)
        .map(({ counter }) => counter),
    delete: (id) => known.delete(id) || unknown.delete(id),
    clear: () => {
      known.clear();
      unknown.clear();
    },
    get size() {
      return size();
    },
  };
}
