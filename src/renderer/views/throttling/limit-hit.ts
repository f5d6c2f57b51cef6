// The first throttled request of each throttle window, for the texts about reaching the limit. Pure.

import type { Counter, Exchange } from '../../../control/schemas.ts';
import { headerOf } from '../../../oauth/fields.ts';

const HITS_KEPT = 8;

export interface LimitHit {
  readonly run: number;
  readonly exchange: number;
  /** The limit that was exceeded: `30 requests in 1 min`; null when the trace does not say. */
  readonly limit: string | null;
  /** Machine time in ms. */
  readonly at_ms: number;
  /** Sandbox time less machine time, in ms, at that moment. */
  readonly offset_ms: number;
  /** Sandbox time in ms; null when the response does not say. */
  readonly resets_at: number | null;
}

/** Seconds until the window resets, from `Retry-After`, else from `RateLimit`; null without both. */
export function secondsToReset({ response: { headers } }: Exchange): number | null {
  const seconds =
    headerOf(headers, 'retry-after') ?? /;t=(\d+)/.exec(headerOf(headers, 'ratelimit') ?? '')?.[1];
  return seconds === undefined || !/^\d+$/.test(seconds) ? null : Number(seconds);
}

/**
 * Adds the response if it is the first 429 of a window.
 * @param now machine time in ms
 * @param offset_ms sandbox time less machine time
 */
export function withLimitHit(
  hits: readonly LimitHit[],
  exchange: Exchange,
  run: number,
  now: number,
  offset_ms: number,
): readonly LimitHit[] {
  if (!exchange.throttled) return hits;
  const at = Date.parse(exchange.at);
  const before = hits.findLast((hit) => hit.run === run);
  if (before !== undefined && (before.resets_at === null || at < before.resets_at)) return hits;
  const wait = secondsToReset(exchange);
  const resets_at = wait === null ? null : at + wait * 1000;
  const limit = exchange.trace.find(({ id }) => id === 'throttle')?.expected ?? null;
  const hit = { run, exchange: exchange.number, limit, at_ms: now, offset_ms, resets_at };
  return [...hits, hit].slice(-HITS_KEPT);
}

/** `Retry-After` is rounded up. */
const ROUNDED_MS = 1000;

/**
 * The hits, without a coming reset that no counter has: counters can be reset, and a change of the settings changes windows.
 * @param now sandbox time in ms
 */
export const withKnownResets = (
  hits: readonly LimitHit[],
  counters: readonly Counter[],
  now: number,
): readonly LimitHit[] =>
  hits.map((hit) => {
    const at = hit.resets_at ?? 0;
    const isKnown = counters.some(
      ({ blocked, resets_at }) => blocked > 0 && Math.abs(at - Date.parse(resets_at)) <= ROUNDED_MS,
    );
    return at <= now || isKnown ? hit : { ...hit, resets_at: null };
  });
