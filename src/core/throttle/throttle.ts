// Throttling (spec 8.1, behaviour 5): a fixed window per credential and IP, as functions of state and
// now. Credentials are known here only by their digest.

import type { BlockedRequest } from './blocked-history.ts';
import { createBlockedHistory } from './blocked-history.ts';
import { keptText } from '../collections/kept-text.ts';
import type { Client, Settings } from '../records/schemas.ts';
import { createCounterStore } from './counter-store.ts';
import type { Counter, CounterKind } from './counter.ts';
import { isOver } from './counter.ts';

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
