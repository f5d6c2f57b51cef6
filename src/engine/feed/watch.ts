// Feeds the service's events to viewers, with totals. The token endpoint never waits for a viewer.

import type { FeedBatch } from '../../control/schemas.ts';
import type { DomainEvent } from '../../core/model/ports.ts';
import type { TokenService } from '../../core/service.ts';
import { type Counter, isOver } from '../../core/throttle/counter-store.ts';
import type { CapturedExchange } from '../../server/capture.ts';
import { limitsFor, type Throttle } from '../../core/throttle/throttle.ts';
import type { ExchangeRedactor } from '../exchanges/exchange-redactor.ts';
import { createAppTraffic } from './app-traffic.ts';
import type { ExchangeLog } from '../exchanges/log.ts';
import { exchangeSummary } from '../exchanges/summary.ts';
import { createFeed, type Feed } from './batches.ts';
import { createRequestCounts } from './request-counts.ts';
import { counterView } from '../format.ts';
import type { Settings } from '../../core/records/schemas.ts';

/** Passes events to listeners; exists before the service that emits them. */
export type Events = ReturnType<typeof createEvents>;

export function createEvents() {
  const listeners: ((event: DomainEvent) => void)[] = [];
  return {
    emit: (event: DomainEvent) => {
      for (const listener of listeners) listener(event);
    },
    listen: (listener: (event: DomainEvent) => void) => {
      listeners.push(listener);
    },
  };
}

export function watch(
  service: TokenService,
  { capture, onExchange }: ExchangeLog,
  events: Events,
  redactor: ExchangeRedactor,
  stopwatch: () => number,
): Feed {
  const { throttle, ports, registry } = service;
  const limits = () => service.settings().throttle;
  const clientOf = (counter: Counter) => registry.clients.get(counter.client_id);
  const now = () => ports.clock.now();
  const limitsOf = (counter: Counter) => limitsFor(limits(), clientOf(counter));
  const blocked = createBlockedCounters(throttle, limitsOf, now);
  const liveTokens = createLiveTokens(
    () => ports.stores.liveAccessTokenCount(service.isLive),
    stopwatch,
  );
  const counts = createRequestCounts(stopwatch);
  const summaryOf = (exchange: CapturedExchange) => exchangeSummary(exchange, redactor);
  const appTraffic = createAppTraffic(summaryOf);
  const totals = (): FeedBatch['totals'] => ({
    exchanges: capture.size,
    exchange_bytes: capture.bytes,
    live_credentials: ports.stores.liveCount(now()) + liveTokens(),
    counters: throttle.size,
    blocked_counters: blocked.count(),
    requests: capture.total,
    allowed: throttle.total.allowed,
    throttled: throttle.total.blocked,
    app: counts.app(),
    app_traffic: appTraffic.now(),
  });
  const feed = createFeed({
    stopwatch,
    totals,
    counts,
    exchange: summaryOf,
    counter: (counter) => counterView(counter, clientOf(counter), limits(), now()),
  });
  events.listen(blocked.event);
  events.listen(feed.event);
  events.listen(({ type }) => {
    if (type === 'reset') appTraffic.clear();
  });
  onExchange(appTraffic.exchange);
  onExchange(feed.exchange);
  return feed;
}

/** Events that change the counters or their limits. */
const RECOUNTED: readonly DomainEvent['type'][] = [
  'settings',
  'registry',
  'counters_released',
  'reset',
];

/** @param limitsOf returns the current limits of a counter */
function createBlockedCounters(
  throttle: Throttle,
  limitsOf: (counter: Counter) => Settings['throttle'],
  now: () => number,
) {
  /** By id, so that deleted counters are not kept in memory here. */
  const candidates = new Set<string>();
  let recount = false;
  const seen = (counter: Counter) => {
    if (counter.used >= limitsOf(counter).limit) candidates.add(counter.id);
  };
  const countAnew = () => {
    candidates.clear();
    recount = true;
  };
  return {
    event: (event: DomainEvent) => {
      // Computed on demand, because there may be thousands of clients.
      if (RECOUNTED.includes(event.type)) countAnew();
      if (event.type !== 'counter') return;
      seen(event.counter);
      // Some of the counters were deleted.
      if (candidates.size > throttle.size) countAnew();
    },
    count: (): number => {
      if (recount) {
        recount = false;
        throttle.list().forEach(seen);
      }
      const at = now();
      let blocked = 0;
      for (const id of candidates) {
        const counter = throttle.find(id);
        if (counter === undefined) {
          candidates.delete(id);
          continue;
        }
        const { mode, limit, window_seconds } = limitsOf(counter);
        if (counter.used < limit || isOver(counter, window_seconds, at)) candidates.delete(id);
        else if (mode === 'enforce') blocked += 1;
      }
      return blocked;
    },
  };
}

/** Milliseconds for which a count is reused, per token; counting 100,000 takes several. */
const STANDS_MS_A_TOKEN = 0.01;

/**
 * @param count counts all
 * @param stopwatch returns monotonic time in ms
 * @returns the number, or the number at the last count
 */
export function createLiveTokens(count: () => number, stopwatch: () => number): () => number {
  let counted = { live: 0, until: 0 };
  return () => {
    if (stopwatch() < counted.until) return counted.live;
    const live = count();
    counted = { live, until: stopwatch() + live * STANDS_MS_A_TOKEN };
    return live;
  };
}
