// Throttle counters, and their release.

import type { Counter } from '../../core/throttle/counter-store.ts';
import type { EngineParts } from '../parts.ts';
import { counterView, timeText } from '../format.ts';
import { existing, notFound } from './control-error.ts';
import { os } from './implementer.ts';
import { pageBelow } from './page.ts';

/** A position that does not change when earlier counters move or disappear. */
const placeOf = ({ last_seen_at, id }: Counter) =>
  `${String(last_seen_at).padStart(16, '0')} ${id}`;

const newestFirst = (a: Counter, b: Counter) =>
  b.last_seen_at - a.last_seen_at || (a.id < b.id ? 1 : -1);

export function throttleHandlers({ service }: EngineParts) {
  const { throttle, ports, registry } = service;
  const view = (counter: Counter) => {
    const client = registry.clients.get(counter.client_id);
    return counterView(counter, client, service.settings().throttle, ports.clock.now());
  };
  const released = () => {
    ports.emit({ type: 'counters_released' });
  };
  return {
    list: os.throttle.list.handler(({ input }) => {
      const page = pageBelow(throttle.list().sort(newestFirst), input, placeOf);
      return { ...page, items: page.items.map(view) };
    }),
    get: os.throttle.get.handler(({ input }) => {
      const counter = existing(throttle.find(input.id), 'counter', input.id);
      const blocked_requests = throttle
        .blocked(counter)
        .map(({ at, exchange }) => ({ at: timeText(at), exchange }));
      return { ...view(counter), blocked_requests };
    }),
    releaseAll: os.throttle.releaseAll.handler(() => {
      throttle.clear();
      released();
    }),
    release: os.throttle.release.handler(({ input }) => {
      if (!throttle.release(input.id)) throw notFound('counter', input.id);
      released();
    }),
  };
}
