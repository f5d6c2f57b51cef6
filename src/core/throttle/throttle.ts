// Throttling (spec 8.1, behaviour 5): a fixed window per credential and IP, as functions of state and
// now. Credentials are known here only by their digest.

import { keptText } from '../collections/kept-text.ts';
import type { Client, Settings } from '../records/schemas.ts';
import { type Counter, type CounterKind, createCounterStore, isOver } from './counters.ts';
import { type Bounds, createBoundedMap } from '../collections/bounded-map.ts';
import { createRing, type Ring } from '../collections/ring.ts';

export interface ThrottleDecision {
  readonly counter: Counter;
  readonly exceeded: boolean;
  readonly used: number;
  readonly limit: number;
  readonly window_seconds: number;
  /** Whole seconds until the window resets, at least 1. */
  readonly reset_seconds: number;
  /** The same moment on the sandbox clock, in ms. */
  readonly resets_at: number;
}

/** What one request is counted under. */
interface CounterKey {
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
  /** What `count` would answer; counts nothing. */
  foresee(key: CounterKey, settings: Settings['throttle'], now: number): ThrottleDecision | null;
  /** Last seen last. */
  list(): Counter[];
  find(id: string): Counter | undefined;
  /** The newest requests that were rejected, newest first. */
  blocked(counter: Counter): readonly BlockedRequest[];
  release(id: string): boolean;
  /** Releases all that these clients presented last. */
  forgetClients(client_ids: ReadonlySet<string>): void;
  clear(): void;
  readonly size: number;
  /** Requests allowed and rejected since the start, also those whose counters are gone. */
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

/** Counts one request under the limits that hold for it. Mutates the counter. */
function countOne(
  counter: Counter,
  { mode, limit, window_seconds }: Settings['throttle'],
  now: number,
): ThrottleDecision {
  if (isOver(counter, window_seconds, now)) {
    counter.used = 0;
    counter.opened_at = now;
  }
  const exceeded = counter.used >= limit && mode === 'enforce';
  if (exceeded) {
    counter.blocked += 1;
  } else {
    counter.used += 1;
    counter.allowed += 1;
  }
  counter.last_seen_at = now;
  const resets_at = counter.opened_at + window_seconds * 1000;
  const reset_seconds = Math.max(1, Math.ceil((resets_at - now) / 1000));
  return { counter, exceeded, used: counter.used, limit, window_seconds, reset_seconds, resets_at };
}

/** @param capacity counters kept at most; unknown credentials' go first, then the idle ones */
export function createThrottle(capacity: number = COUNTER_BOUNDS.entries): Throttle {
  const history = createBlockedHistory();
  const counters = createCounterStore(capacity, ({ id }) => {
    history.forget(id);
  });
  const total = { allowed: 0, blocked: 0 };

  const release = (id: string): boolean => {
    history.forget(id);
    return counters.delete(id);
  };
  return {
    count: (key, settings, now) => {
      if (settings.mode === 'off') return null;
      const counter = counters.see(key.id, key.kind, () => createCounter(key, now));
      counter.client_id = key.client_id;
      const decision = countOne(counter, settings, now);
      if (decision.exceeded) history.add(counter.id, { at: now, exchange: key.exchange });
      total[decision.exceeded ? 'blocked' : 'allowed'] += 1;
      return decision;
    },
    foresee: (key, settings, now) => {
      if (settings.mode === 'off') return null;
      const { kind, client_id } = key;
      const counter = { ...(counters.find(key.id) ?? createCounter(key, now)), kind, client_id };
      return countOne(counter, settings, now);
    },
    list: counters.list,
    find: counters.find,
    blocked: ({ id }) => history.of(id),
    release,
    forgetClients: (client_ids) => {
      for (const { id, client_id } of counters.all()) if (client_ids.has(client_id)) release(id);
    },
    clear: () => {
      counters.clear();
      history.clear();
    },
    get size() {
      return counters.size;
    },
    total,
  };
}

/** A request that was rejected: when, in milliseconds of the sandbox clock, and its exchange's number. */
interface BlockedRequest {
  readonly at: number;
  readonly exchange: number;
}

/**
 * What throttling rejected, for each counter the newest few (behaviour 5). Bounded over all counters: those that were
 * blocked longest ago lose theirs.
 */
export interface BlockedHistory {
  /** @param id the counter's */
  add(id: string, request: BlockedRequest): void;
  /** Newest first. */
  of(id: string): readonly BlockedRequest[];
  forget(id: string): void;
  clear(): void;
  readonly size: number;
  readonly bytes: number;
}

/** Requests kept for each counter, at most. */
export const NEWEST_BLOCKED = 20;
const HISTORY_BYTES = 2700;

/** Counters with a history. */
export const BLOCKED_BOUNDS = { entries: 2000, bytes: 2000 * HISTORY_BYTES } as const;

export function createBlockedHistory(
  bounds: Bounds = BLOCKED_BOUNDS,
  each = NEWEST_BLOCKED,
): BlockedHistory {
  /** In the order in which they were last blocked. */
  const rings = createBoundedMap<string, Ring<BlockedRequest>>(bounds, () => HISTORY_BYTES);
  return {
    add: (id, request) => {
      const ring = rings.get(id) ?? createRing<BlockedRequest>(each);
      ring.add(request);
      rings.set(id, ring);
    },
    of: (id) => {
      const ring = rings.get(id);
      if (ring === undefined) return [];
      return Array.from({ length: ring.size }, (_, age) => ring.newest(age)).filter(
        (request) => request !== undefined,
      );
    },
    forget: rings.delete,
    clear: rings.clear,
    get size() {
      return rings.size;
    },
    get bytes() {
      return rings.bytes;
    },
  };
}
