// Throttling (spec 8.1, behaviour 5): a fixed window per credential and IP, as functions of state and
// now. Credentials are known here only by their digest.

import type { Settings } from './schemas.ts';

export type CounterKind = 'code' | 'refresh_token' | 'client' | 'unknown';

/** One key's window, and what it has seen over all its windows. Times in milliseconds. */
export interface Counter {
  readonly id: string;
  kind: CounterKind;
  /** Short digest of the credential. */
  readonly credential: string;
  readonly client_id: string;
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

export interface Throttle {
  /** Counts one request; null in mode `off`. */
  count(
    key: Pick<Counter, 'id' | 'kind' | 'credential' | 'client_id' | 'ip'>,
    settings: Settings['throttle'],
    now: number,
  ): ThrottleDecision | null;
  /** Last seen last. */
  list(): Counter[];
  release(id: string): boolean;
  clear(): void;
  readonly size: number;
}

/** Whether the window has turned over; one that lies in the future (the clock was set back) is over. */
export function isOver(counter: Counter, windowSeconds: number, now: number): boolean {
  return now < counter.opened_at || now >= counter.opened_at + windowSeconds * 1000;
}

/** @param capacity counters kept at most; unknown credentials' go first, then the idle ones */
export function createThrottle(capacity = 100_000): Throttle {
  // Each map is kept in the order last seen, so that its first key is the idlest.
  const known = new Map<string, Counter>();
  const unknown = new Map<string, Counter>();

  const evict = () => {
    if (known.size + unknown.size <= capacity) return;
    const map = unknown.size > 0 ? unknown : known;
    for (const id of map.keys()) {
      map.delete(id);
      return;
    }
  };

  return {
    count: (key, settings, now) => {
      if (settings.mode === 'off') return null;
      const counter = known.get(key.id) ??
        unknown.get(key.id) ?? {
          ...key,
          used: 0,
          opened_at: now,
          allowed: 0,
          blocked: 0,
          last_seen_at: now,
        };
      if (isOver(counter, settings.window_seconds, now)) {
        counter.used = 0;
        counter.opened_at = now;
      }
      const exceeded = counter.used >= settings.limit && settings.mode === 'enforce';
      if (exceeded) counter.blocked += 1;
      else {
        counter.used += 1;
        counter.allowed += 1;
      }
      counter.last_seen_at = now;
      counter.kind = key.kind;
      known.delete(key.id);
      unknown.delete(key.id);
      (key.kind === 'unknown' ? unknown : known).set(key.id, counter);
      evict();
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
      [...known.values(), ...unknown.values()].sort((a, b) => a.last_seen_at - b.last_seen_at),
    release: (id) => known.delete(id) || unknown.delete(id),
    clear: () => {
      known.clear();
      unknown.clear();
    },
    get size() {
      return known.size + unknown.size;
    },
  };
}
