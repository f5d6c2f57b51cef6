// The throttle's counters: each has the requests of a credential and address in the current window. Bounded: those of
// unknown credentials go first, then those that were not seen for longest.

import { createIdleFirst, type IdleFirst, type Seen } from '../collections/idle-first.ts';

export type CounterKind =
  'code' | 'refresh_token' | 'device_code' | 'subject_token' | 'username' | 'client' | 'unknown';

/** One key's window, and what it has seen over all its windows. Times in milliseconds. */
export interface Counter {
  readonly id: string;
  kind: CounterKind;
  /** Short digest of the credential. */
  readonly credential: string;
  /** The client that presented it last: its limits are the ones to show. */
  client_id: string;
  readonly ip: string;
  used: number;
  opened_at: number;
  allowed: number;
  blocked: number;
  last_seen_at: number;
}

/** Whether the window has ended; one that lies in the future (the clock was set back) has, too. */
export function isOver(counter: Counter, windowSeconds: number, now: number): boolean {
  return now < counter.opened_at || now >= counter.opened_at + windowSeconds * 1000;
}

interface CounterStore {
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
