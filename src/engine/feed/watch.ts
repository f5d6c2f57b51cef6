// What viewers see of a service: the feed, with its totals, over the service's events. The token endpoint never waits for a
// viewer.

import type { FeedBatch } from '../../control/schemas.ts';
import type { DomainEvent } from '../../core/model/ports.ts';
import type { TokenService } from '../../core/service.ts';
import { type Counter, isOver } from '../../core/throttle/counters.ts';
import type { CapturedExchange } from '../../server/capture.ts';
import { limitsFor, type Throttle } from '../../core/throttle/throttle.ts';
import type { ExchangeRedactor } from '../exchanges/redaction.ts';
import { createAppTraffic } from './app-traffic.ts';
import type { ExchangeLog } from '../exchanges/log.ts';
import { exchangeSummary } from '../exchanges/summary.ts';
import { createFeed, type Feed } from './batches.ts';
import { createRequestCounts } from './request-counts.ts';
import { counterView } from '../views/records.ts';
import type { Settings } from '../../core/records/schemas.ts';

/** Tells listeners of events; there is one before there is anything to listen to. */
export interface Events {
  readonly emit: (event: DomainEvent) => void;
  readonly listen: (listener: (event: DomainEvent) => void) => void;
}

export function createEvents(): Events {
  const listeners: ((event: DomainEvent) => void)[] = [];
  return {
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
    listen: (listener) => {
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
  const liveTokens = createLiveTokens(() => ports.stores.liveAccessTokenCount(now()), stopwatch);
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

/** Events after which other counters, or counters under other limits, are the ones to look at. */
const RECOUNTED: readonly DomainEvent['type'][] = [
  'settings',
  'registry',
  'counters_released',
  'reset',
];

interface BlockedCounters {
  readonly event: (event: DomainEvent) => void;
  readonly count: () => number;
}

/** @param limitsOf what holds for a counter now */
function createBlockedCounters(
  throttle: Throttle,
  limitsOf: (counter: Counter) => Settings['throttle'],
  now: () => number,
): BlockedCounters {
  /** By id: a counter that had to go is not kept alive by being remembered here. */
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
    event: (event) => {
      // Walked when somebody looks: clients may be registered by the thousand.
      if (RECOUNTED.includes(event.type)) countAnew();
      if (event.type !== 'counter') return;
      seen(event.counter);
      // Some of them are counters that had to go.
      if (candidates.size > throttle.size) countAnew();
    },
    count: () => {
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

/** Milliseconds that a count stands for each token: a walk over 100,000 takes several. */
const STANDS_MS_A_TOKEN = 0.01;

/**
 * @param count walks over all
 * @param stopwatch milliseconds that only go forward
 * @returns how many there are, or were when last counted
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
