// The numbered, batched feed. An event only adds a record or sets a flag here, so that the token endpoint never waits
// for a viewer. viewers.ts decides who is served and when.

import { randomUUID } from 'node:crypto';
import type { FeedBatch } from '../../control/schemas.ts';
import { TOPICS, type Topic } from '../../control/topics.ts';
import type { DomainEvent } from '../../core/model/ports.ts';
import type { Counter } from '../../core/throttle/counter-store.ts';
import type { CapturedExchange } from '../../server/capture.ts';
import { createFeedViewers, MAX_VIEWERS, SharedBatch } from './viewers.ts';
import { createFeedHistory } from './history.ts';
import type { RequestCounts } from './request-counts.ts';

export type Feed = ReturnType<typeof createFeed>;

interface FeedSources {
  readonly totals: () => FeedBatch['totals'];
  readonly exchange: (exchange: CapturedExchange) => FeedBatch['exchanges'][number];
  readonly counter: (counter: Counter) => FeedBatch['counters'][number];
  readonly counts: RequestCounts;
  /** In ms of monotonic time. */
  readonly stopwatch: () => number;
}

function topicsOf(event: Exclude<DomainEvent, { type: 'counter' }>): readonly Topic[] {
  switch (event.type) {
    case 'credentials':
    case 'ceiling':
      return ['tokens'];
    case 'counters_released':
      return ['throttle'];
    case 'registry':
      // A client may have its own limit.
      return event.list === 'clients' ? ['clients', 'throttle'] : [event.list];
    case 'saved':
      return [event.list];
    case 'settings':
      // Access tokens are inactive under another issuer.
      return ['settings', 'server', 'throttle', 'keys', 'tokens'];
    case 'devices':
      return ['devices'];
    // Access tokens are inactive without their key.
    case 'keys':
    case 'key_generated':
      return ['keys', 'tokens'];
    case 'faults':
    case 'fault_hit':
      return ['faults'];
    case 'client_check':
      return ['client_check'];
    // The logout and the logout tokens are exchanges.
    case 'signed_out':
      return [];
    case 'reset':
      return TOPICS;
  }
}

export function createFeed(sources: FeedSources) {
  const history = createFeedHistory(sources.exchange);
  /** Number of the newest event. */
  let last = 0;
  let sandbox: string = randomUUID();

  const viewers = createFeedViewers({
    last: () => last,
    totals: sources.totals,
    batchSince: (seen, totals, rated) => {
      const { counters, ...changes } = history.since(seen, last);
      const rates = sources.counts.since(rated);
      const changed = counters.map(sources.counter);
      return new SharedBatch({ ...changes, sandbox, last, counters: changed, totals, rates });
    },
    beforeRound: history.summarize,
    onEmpty: history.clear,
    stopwatch: sources.stopwatch,
  });
  const notify = (record: (event: number) => void) => {
    last += 1;
    if (viewers.count() === 0) return;
    record(last);
    viewers.serveSoon();
  };
  const changed = (...topics: readonly Topic[]) => {
    notify((event) => {
      history.changed(event, topics);
    });
  };
  return {
    exchange: (exchange: CapturedExchange) => {
      sources.counts.add(last + 1, exchange);
      notify((event) => {
        history.exchange(event, exchange);
      });
    },
    event: (event: DomainEvent): void => {
      if (event.type === 'reset') {
        sandbox = randomUUID();
        history.clearExchanges();
        sources.counts.clear();
      }
      if (event.type !== 'counter') return changed(...topicsOf(event));
      notify((number) => {
        history.counter(number, event.counter);
      });
    },
    changed,
    /** Whether another viewer is accepted. */
    hasRoom: () => viewers.count() < MAX_VIEWERS,
    /** Returns batches from now on, the first one immediately. Ends with the signal or the feed. */
    subscribe: viewers.subscribe,
    close: viewers.close,
  };
}
