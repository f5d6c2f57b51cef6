// What viewers see of a service: the feed, with its totals, over the service's events.

import type { FeedBatch } from '../../control/schemas.ts';
import type { DomainEvent } from '../../core/model/events.ts';
import type { TokenService } from '../../core/service.ts';
import type { Counter } from '../../core/throttle/counter.ts';
import { limitsFor } from '../../core/throttle/throttle.ts';
import type { ExchangeRedactor } from '../exchanges/redaction.ts';
import { createAppTotals } from './app-totals.ts';
import { createBlockedCounters } from './blocked-counters.ts';
import type { ExchangeLog } from '../exchanges/log.ts';
import { exchangeSummary } from '../exchanges/summary.ts';
import type { Feed } from './batches.ts';
import { createFeed } from './batches.ts';
import { createLiveTokens } from './live-tokens.ts';
import { counterView } from '../views/records.ts';

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
  const app = createAppTotals();
  const totals = (): FeedBatch['totals'] => ({
    exchanges: capture.size,
    exchange_bytes: capture.bytes,
    live_credentials: ports.stores.liveCount(now()) + liveTokens(),
    counters: throttle.size,
    blocked_counters: blocked.count(),
    requests: capture.total,
    allowed: throttle.total.allowed,
    throttled: throttle.total.blocked,
    app: app.now(),
  });
  const feed = createFeed({
    stopwatch,
    totals,
    exchange: (exchange) => exchangeSummary(exchange, redactor),
    counter: (counter) => counterView(counter, clientOf(counter), limits(), now()),
  });
  events.listen(blocked.event);
  events.listen(feed.event);
  onExchange(app.exchange);
  onExchange(feed.exchange);
  return feed;
}
