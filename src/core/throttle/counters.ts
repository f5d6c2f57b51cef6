// Throttling (spec 8.1, behaviour 5): a fixed window per credential and IP, as functions of state and
// now. Credentials are known here only by their digest.

import type { BlockedRequest } from './blocked-history.ts';
import { createBlockedHistory } from './blocked-history.ts';
import { keptText } from '../collections/kept-text.ts';
import type { OldestFirst } from '../collections/oldest-first.ts';
import { createOldestFirst } from '../collections/oldest-first.ts';
import type { Client, Settings } from '../records/schemas.ts';

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
  /** Digest of the credential and whatever else tells counters apart; it names the counter. */
  readonly id: string;
  readonly kind: CounterKind;
  readonly client_id: string;
  /** Number of the exchange, for the history of what was blocked. */
  readonly exchange: number;
  /** How a new counter shows itself; asked for once per counter. */
  readonly describe: () => Pick<Counter, 'credential' | 'ip'>;
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
  /** Releases all that these clients presented last. */
  forgetClients(client_ids: ReadonlySet<string>): void;
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
function evictIdle({ entries, oldest }: Counters): Counter | undefined {
  for (let chances = SECOND_CHANCES; ; chances -= 1) {
    const id = oldest.take();
    const entry = id === undefined ? undefined : entries.get(id);
    if (id === undefined || entry === undefined) return undefined;
    entries.delete(id);
    if (!entry.seen_again || chances === 0) return entry.counter;
    entry.seen_again = false;
    entries.set(id, entry);
  }
}

interface Entry {
  readonly counter: Counter;
  /** Seen since it was put in its place: saves moving it at every request. */
  seen_again: boolean;
  /** When it was last seen, as a count of requests. */
  turn: number;
}

interface Counters {
  readonly entries: Map<string, Entry>;
  readonly oldest: OldestFirst<string>;
}

function createCounters(): Counters {
  const entries = new Map<string, Entry>();
  return { entries, oldest: createOldestFirst(entries) };
}

function createCounter({ id, kind, client_id, describe }: CounterKey, now: number): Counter {
  const { credential, ip } = describe();
  return {
    id: keptText(id),
    credential: keptText(credential),
    ip: keptText(ip),
    kind,
    client_id,
    used: 0,
    opened_at: now,
    allowed: 0,
    blocked: 0,
    last_seen_at: now,
  };
}

/** A counter's texts are digests and an address: each takes no more bytes than this. */
const COUNTER_BYTES = 352;

export const COUNTER_BOUNDS = { entries: 100_000, bytes: 100_000 * COUNTER_BYTES } as const;

/** @param capacity counters kept at most; unknown credentials' go first, then the idle ones */
export function createThrottle(capacity: number = COUNTER_BOUNDS.entries): Throttle {
  const known = createCounters();
  const unknown = createCounters();
  const history = createBlockedHistory();
  const total = { allowed: 0, blocked: 0 };
  let turn = 0;

  const size = () => known.entries.size + unknown.entries.size;

  const add = (counter: Counter) => {
    const { id, kind } = counter;
    const { entries, oldest } = kind === 'unknown' ? unknown : known;
    entries.set(id, { counter, seen_again: false, turn });
    oldest.added();
    if (size() <= capacity) return;
    const gone = evictIdle(unknown.entries.size > 0 ? unknown : known);
    if (gone !== undefined) history.forget(gone.id);
  };

  /** The key's counter, in the place its kind belongs to. */
  const take = (key: CounterKey, now: number): Counter => {
    const [home, other] = key.kind === 'unknown' ? [unknown, known] : [known, unknown];
    const entry = home.entries.get(key.id);
    turn += 1;
    if (entry !== undefined) {
      entry.seen_again = true;
      entry.turn = turn;
      return entry.counter;
    }
    const counter = other.entries.get(key.id)?.counter ?? createCounter(key, now);
    other.entries.delete(key.id);
    counter.kind = key.kind;
    add(counter);
    return counter;
  };

  const everyEntry = () => [...known.entries.values(), ...unknown.entries.values()];
  const find = (id: string) => (known.entries.get(id) ?? unknown.entries.get(id))?.counter;
  const release = (id: string): boolean => {
    history.forget(id);
    return known.entries.delete(id) || unknown.entries.delete(id);
  };

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
        history.add(counter.id, { at: now, exchange: key.exchange });
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
        .sort((a, b) => a.counter.last_seen_at - b.counter.last_seen_at || a.turn - b.turn)
        .map(({ counter }) => counter),
    find,
    blocked: ({ id }) => history.of(id),
    release,
    forgetClients: (client_ids) => {
      for (const { counter } of everyEntry()) {
        if (client_ids.has(counter.client_id)) release(counter.id);
      }
    },
    clear: () => {
      known.entries.clear();
      unknown.entries.clear();
      history.clear();
    },
    get size() {
      return size();
    },
    total,
  };
}
