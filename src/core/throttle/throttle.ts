// Throttling (spec 8.1, behaviour 5): a fixed window per credential and IP address, as functions of state and time.
// It knows credentials only by their digest.

import { keptText } from '../collections/kept-text.ts';
import type { Client, Settings } from '../records/schemas.ts';
import { type Counter, type CounterKind, createCounterStore, isOver } from './counter-store.ts';
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
  /** The same moment in milliseconds of the sandbox clock. */
  readonly resets_at: number;
}

/** The key under which a request is counted. */
interface CounterKey {
  /** Digest of the credential and everything else that distinguishes counters; it identifies the counter. */
  readonly id: string;
  readonly kind: CounterKind;
  readonly client_id: string;
  /** Number of the exchange, for the history of throttled requests. */
  readonly exchange: number;
  /** Returns what a new counter shows; called once per counter. */
  readonly describe: () => Pick<Counter, 'credential' | 'ip'>;
}

export type Throttle = ReturnType<typeof createThrottle>;

/**
 * Returns the limits for requests of this client: the workspace's throttling, with the client's own limit if it has
 * one.
 */
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

/** The most bytes that a counter takes: its texts are digests and an address. */
const COUNTER_BYTES = 352;

export const COUNTER_BOUNDS = { entries: 100_000, bytes: 100_000 * COUNTER_BYTES } as const;

/** Counts one request against these limits. Mutates the counter. */
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

/** @param capacity maximum number of counters; those of unknown credentials are removed first, then idle ones */
export function createThrottle(capacity: number = COUNTER_BOUNDS.entries) {
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
    /** Counts one request; null in mode `off`. */
    count: (key: CounterKey, settings: Settings['throttle'], now: number) => {
      if (settings.mode === 'off') return null;
      const counter = counters.see(key.id, key.kind, () => createCounter(key, now));
      counter.client_id = key.client_id;
      const decision = countOne(counter, settings, now);
      if (decision.exceeded) history.add(counter.id, { at: now, exchange: key.exchange });
      total[decision.exceeded ? 'blocked' : 'allowed'] += 1;
      return decision;
    },
    /** Returns what `count` would return, without counting. */
    foresee: (key: CounterKey, settings: Settings['throttle'], now: number) => {
      if (settings.mode === 'off') return null;
      const { kind, client_id } = key;
      const counter = { ...(counters.find(key.id) ?? createCounter(key, now)), kind, client_id };
      return countOne(counter, settings, now);
    },
    /** The most recently used counter is the last. */
    list: counters.list,
    find: counters.find,
    /** The latest throttled requests, newest first. */
    blocked: ({ id }: Counter) => history.of(id),
    release,
    /** Releases all counters of credentials that these clients presented last. */
    forgetClients: (client_ids: ReadonlySet<string>) => {
      for (const { id, client_id } of counters.all()) if (client_ids.has(client_id)) release(id);
    },
    clear: () => {
      counters.clear();
      history.clear();
    },
    get size() {
      return counters.size;
    },
    /** Requests allowed and throttled since the start, including those whose counters were removed. */
    total,
  };
}

/** A throttled request: when (in milliseconds of the sandbox clock), and the number of its exchange. */
interface BlockedRequest {
  readonly at: number;
  readonly exchange: number;
}

/**
 * The latest throttled requests of each counter (behaviour 5). The number of counters with a history is bounded: the
 * counter that was throttled longest ago loses its history.
 */
export type BlockedHistory = ReturnType<typeof createBlockedHistory>;

/** Maximum number of requests for each counter. */
export const NEWEST_BLOCKED = 20;
const HISTORY_BYTES = 2700;

/** Counters with a history. */
export const BLOCKED_BOUNDS = { entries: 2000, bytes: 2000 * HISTORY_BYTES } as const;

export function createBlockedHistory(bounds: Bounds = BLOCKED_BOUNDS, each = NEWEST_BLOCKED) {
  /** In the order in which they were last throttled. */
  const rings = createBoundedMap<string, Ring<BlockedRequest>>(bounds, () => HISTORY_BYTES);
  return {
    /** @param id of the counter */
    add: (id: string, request: BlockedRequest) => {
      const ring = rings.get(id) ?? createRing<BlockedRequest>(each);
      ring.add(request);
      rings.set(id, ring);
    },
    /** Newest first. */
    of: (id: string) => rings.get(id)?.newestFirst() ?? [],
    forget: rings.delete,
    clear: rings.clear,
    fill: rings.fill,
  };
}
