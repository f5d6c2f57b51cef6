// Formats domain records for control.

import type { Counter as CounterView } from '../control/schemas.ts';
import type { Client, Settings } from '../core/records/schemas.ts';
import { type Counter, isOver } from '../core/throttle/counter-store.ts';
import { limitsFor } from '../core/throttle/throttle.ts';

/** RFC 3339 UTC with milliseconds. */
export const timeText = (ms: number): string => new Date(ms).toISOString();

export const timeTextOrNull = (ms: number | null): string | null =>
  ms === null ? null : timeText(ms);

/** Returns the whole seconds until a moment of machine time, in ms since the epoch; 0 once it has passed. */
export const secondsUntil = (ms: number): number =>
  Math.max(0, Math.ceil((ms - Date.now()) / 1000));

/** @param client the client of the counter; undefined if it is no longer registered */
export function counterView(
  counter: Counter,
  client: Client | undefined,
  settings: Settings['throttle'],
  now: number,
): CounterView {
  const { limit, window_seconds } = limitsFor(settings, client);
  return {
    id: counter.id,
    kind: counter.kind,
    credential: counter.credential,
    client_id: counter.client_id,
    ip: counter.ip,
    used: isOver(counter, window_seconds, now) ? 0 : counter.used,
    limit,
    limit_from: client?.throttle ? 'client' : 'workspace',
    window_seconds,
    opened_at: timeText(counter.opened_at),
    resets_at: timeText(counter.opened_at + window_seconds * 1000),
    allowed: counter.allowed,
    blocked: counter.blocked,
    last_seen_at: timeText(counter.last_seen_at),
  };
}

/** Returns sandbox time minus machine time. @param ms the offset in milliseconds */
export const offsetSeconds = (ms: number): number => Math.round(ms / 1000) || 0;
