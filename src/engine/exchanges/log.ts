// The captured exchanges, and waits for the next one. The number of waits is limited, because each checks every
// exchange.

import type { CapturedExchange, Capture, CaptureLimits } from '../../server/capture.ts';
import { createCapture } from '../../server/capture.ts';
import { waitFor } from '../promises.ts';

/** Maximum number of concurrent waits. */
export const MAX_WAITS = 200;

export type ExchangeListener = (exchange: CapturedExchange) => void;

export interface ExchangeLog {
  readonly capture: Capture;
  /** Called with each exchange when its response is complete; must return immediately. */
  readonly onExchange: (listener: ExchangeListener) => () => void;
  /** Whether another wait is accepted. */
  readonly hasRoom: () => boolean;
  /** Resolves to the next matching exchange, or to null after the timeout or an abort. */
  readonly next: (
    fits: (exchange: CapturedExchange) => boolean,
    ms: number,
    signals: readonly (AbortSignal | undefined)[],
  ) => Promise<CapturedExchange | null>;
}

export function createExchangeLog(limits: () => CaptureLimits): ExchangeLog {
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
    onExchange,
    hasRoom: () => waits < MAX_WAITS,
    next: (fits, ms, signals) => {
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
