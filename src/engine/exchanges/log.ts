// The captured exchanges, and waits for the next one. The number of waits is limited, because each checks every
// exchange.

import { type CapturedExchange, type CaptureLimits, createCapture } from '../../server/capture.ts';
import { waitFor } from '../promises.ts';

export const MAX_WAITS = 200;

export type ExchangeListener = (exchange: CapturedExchange) => void;

export type ExchangeLog = ReturnType<typeof createExchangeLog>;

export function createExchangeLog(limits: () => CaptureLimits) {
  const listeners = new Set<ExchangeListener>();
  let waits = 0;
  const capture = createCapture(limits, (exchange) => {
    for (const listener of listeners) listener(exchange);
  });
  const onExchange = (listener: ExchangeListener) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  return {
    capture,
    /** Called with each exchange when its response is complete; must return immediately. */
    onExchange,
    /** Whether another wait is accepted. */
    hasRoom: () => waits < MAX_WAITS,
    /** Resolves to the next matching exchange, or to null after the timeout or an abort. */
    next: (
      fits: (exchange: CapturedExchange) => boolean,
      ms: number,
      signals: readonly (AbortSignal | undefined)[],
    ) => {
      waits += 1;
      return waitFor<CapturedExchange>(ms, signals, (found) =>
        onExchange((exchange) => {
          if (fits(exchange)) found(exchange);
        }),
      ).finally(() => {
        waits -= 1;
      });
    },
  };
}
