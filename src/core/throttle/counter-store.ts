// The throttle's counters: each counts the requests of a credential and address in the current window. They are
// bounded: counters of unknown credentials are removed first, then those that were idle for longest.

import { createIdleFirst, type IdleFirst, type Seen } from '../collections/idle-first.ts';

export type CounterKind =
  'code' | 'refresh_token' | 'device_code' | 'subject_token' | 'username' | 'client' | 'unknown';

/** The window of one key, with its totals over all windows. Times are in milliseconds. */
export interface Counter {
  readonly id: string;
  kind: CounterKind;
  /** Short digest of the credential. */
  readonly credential: string;
  /** The client that presented the credential last, whose limits are shown. */
  client_id: string;
  readonly ip: string;
  used: number;
  opened_at: number;
  allowed: number;
  blocked: number;
  last_seen_at: number;
}

/** Whether the window has ended. A window in the future has ended, too: the clock was set back. */
export function isOver(counter: Counter, windowSeconds: number, now: number): boolean {
  return now < counter.opened_at || now >= counter.opened_at + windowSeconds * 1000;
}

interface Entry extends Seen {
  readonly counter: Counter;
  /** When it was last used, as a number of requests. */
  turn: number;
}

/** @param onEvicted called with a counter that was removed to make room */
export function createCounterStore(capacity: number, onEvicted: (counter: Counter) => void) {
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
    /**
     * Returns the counter and marks it as used. It is created if it does not exist, and moved if its kind has changed.
     */
    see: (id: string, kind: CounterKind, create: () => Counter): Counter => {
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
    find: (id: string) => entryOf(id)?.counter,
    /** In no particular order. */
    all: () => entries().map(({ counter }) => counter),
    /** The most recently used counter is the last. */
    list: () =>
      entries()
        .sort((a, b) => a.counter.last_seen_at - b.counter.last_seen_at || a.turn - b.turn)
        .map(({ counter }) => counter),
    delete: (id: string) => known.delete(id) || unknown.delete(id),
    clear: () => {
      known.clear();
      unknown.clear();
    },
    get size() {
      return size();
    },
  };
}
