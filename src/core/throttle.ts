// Throttling (spec 8.1, behaviour 5): a fixed window per credential and IP, as functions of state and
// now. Credentials are known here only by their digest.

import type { BlockedRequest } from './blocked-history.ts';
import { createBlockedHistory } from './blocked-history.ts';
import type { Client, Settings } from './schemas.ts';

export type CounterKind = 'code' | 'refresh_token' | 'client' | 'unknown';

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

export interface ThrottleDecision {
  readonly counter: Counter;
  readonly exceeded: boolean;
  readonly used: number;
  readonly limit: number;
  readonly window_seconds: number;
  /** Whole seconds until the window turns over, at least 1. */
  readonly reset_seconds: number;
  /** The same moment on the sandbox clock, in ms. */
  readonly resets_at: number;
}

/** What one request is counted under. */
export interface CounterKey {
  /** Tells counters apart; made of the credential itself, so it never leaves the throttle. */
  readonly key: string;
  readonly kind: CounterKind;
  readonly client_id: string;
  /** Number of the exchange, for the history of what was blocked. */
  readonly exchange: number;
  /** How a new counter shows itself; asked for once per counter. */
  readonly describe: () => Pick<Counter, 'id' | 'credential' | 'ip'>;
}

export interface Throttle {
  /** Counts one request; null in mode `off`. */
  count(key: CounterKey, settings: Settings['throttle'], now: number): ThrottleDecision | null;
  /** Last seen last. */
  list(): Counter[];
  find(id: string): Counter | undefined;
  /** The newest requests that were refused, newest first. */
  blocked(counter: Counter): readonly BlockedRequest[];
  release(id: string): boolean;
  clear(): void;
  readonly size: number;
  /** Requests let through and refused since the start, whatever has become of their counters. */
  readonly total: { readonly allowed: number; readonly blocked: number };
}

/** What holds for requests of this client: the workspace's throttling, with a limit of its own if it has one. */
export function limitsFor(
  settings: Settings['throttle'],
  client: Client | undefined,
): Settings['throttle'] {
  const own = client?.throttle ?? null;
  return own === null ? settings : { ...settings, ...own };
}

/** Whether the window has turned over; one that lies in the future (the clock was set back) is over. */
export function isOver(counter: Counter, windowSeconds: number, now: number): boolean {
  return now < counter.opened_at || now >= counter.opened_at + windowSeconds * 1000;
}

/** How many counters that were seen of late an eviction passes over before it takes one all the same. */
const SECOND_CHANCES = 64;

/** The first counter that was not seen since it was last passed over goes; answers which. */
function evictIdle(counters: Map<string, Entry>): Counter | undefined {
  let chances = SECOND_CHANCES;
  for (const [key, entry] of counters) {
    counters.delete(key);
    if (!entry.seen_again || chances-- === 0) return entry.counter;
    entry.seen_again = false;
    counters.set(key, entry);
  }
  return undefined;
}

interface Entry {
  readonly counter: Counter;
  /** Seen since it was put in its place: saves moving it at every request. */
  seen_again: boolean;
  /** When it was last seen, as a count of requests. */
  turn: number;
}

function createCounter({ kind, client_id, describe }: CounterKey, now: number): Counter {
  return {
    ...describe(),
    kind,
    client_id,
    used: 0,
    opened_at: now,
    allowed: 0,
    blocked: 0,
    last_seen_at: now,
  };
}

/** @param capacity counters kept at most; unknown credentials' go first, then the idle ones */
export function createThrottle(capacity = 100_000): Throttle {
  const known = new Map<string, Entry>();
  const unknown = new Map<string, Entry>();
  const history = createBlockedHistory<Counter>();
  const total = { allowed: 0, blocked: 0 };
  let turn = 0;

  const add = ({ key, kind }: CounterKey, counter: Counter) => {
    (kind === 'unknown' ? unknown : known).set(key, { counter, seen_again: false, turn });
    if (known.size + unknown.size <= capacity) return;
    const gone = evictIdle(unknown.size > 0 ? unknown : known);
    if (gone !== undefined) history.forget(gone);
  };

  /** The key's counter, in the place its kind belongs to. */
  const take = (key: CounterKey, now: number): Counter => {
    const [home, other] = key.kind === 'unknown' ? [unknown, known] : [known, unknown];
    const entry = home.get(key.key);
    turn += 1;
    if (entry !== undefined) {
      entry.seen_again = true;
      entry.turn = turn;
      return entry.counter;
    }
    const counter = other.get(key.key)?.counter ?? createCounter(key, now);
    other.delete(key.key);
    counter.kind = key.kind;
    add(key, counter);
    return counter;
  };

  const everyEntry = () => [...known, ...unknown];
  const findEntry = (id: string) => everyEntry().find(([, { counter }]) => counter.id === id);

  return {
    count: (key, settings, now) => {
      if (settings.mode === 'off') return null;
      const counter = take(key, now);
      counter.client_id = key.client_id;
      if (isOver(counter, settings.window_seconds, now)) {
        counter.used = 0;
        counter.opened_at = now;
      }
      const exceeded = counter.used >= settings.limit && settings.mode === 'enforce';
      if (exceeded) {
        counter.blocked += 1;
        total.blocked += 1;
        history.add(counter, { at: now, exchange: key.exchange });
      } else {
        counter.used += 1;
        counter.allowed += 1;
        total.allowed += 1;
      }
      counter.last_seen_at = now;
      const resets_at = counter.opened_at + settings.window_seconds * 1000;
      return {
        counter,
        exceeded,
        used: counter.used,
        limit: settings.limit,
        window_seconds: settings.window_seconds,
        reset_seconds: Math.max(1, Math.ceil((resets_at - now) / 1000)),
        resets_at,
      };
    },
    list: () =>
      everyEntry()
        .sort(([, a], [, b]) => a.counter.last_seen_at - b.counter.last_seen_at || a.turn - b.turn)
        .map(([, { counter }]) => counter),
    find: (id) => findEntry(id)?.[1].counter,
    blocked: history.of,
    release: (id) => {
      const found = findEntry(id);
      if (found === undefined) return false;
      const [key, { counter }] = found;
      history.forget(counter);
      return known.delete(key) || unknown.delete(key);
    },
    clear: () => {
      known.clear();
      unknown.clear();
      history.clear();
    },
    get size() {
      return known.size + unknown.size;
    },
    total,
  };
}
