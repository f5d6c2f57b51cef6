// The captured exchanges, and those who wait for the next one.

import type { CapturedExchange, Capture, CaptureLimits } from '../server/capture.ts';
import { createCapture } from '../server/capture.ts';

export type ExchangeListener = (exchange: CapturedExchange) => void;

export interface ExchangeLog {
  readonly capture: Capture;
  /** Told of each exchange when its answer is made; must return at once. */
  readonly onExchange: (listener: ExchangeListener) => () => void;
  /** The next exchange that fits; null when none came in time or the signal stopped the wait. */
  readonly next: (
    fits: (exchange: CapturedExchange) => boolean,
    ms: number,
    signal: AbortSignal,
  ) => Promise<CapturedExchange | null>;
}

export function createExchangeLog(limits: () => CaptureLimits): ExchangeLog {
  const listeners = new Set<ExchangeListener>();
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
    next: (fits, ms, signal) =>
      new Promise((resolve) => {
        const finish = (exchange: CapturedExchange | null) => {
          clearTimeout(timer);
          forget();
          signal.removeEventListener('abort', stop);
          resolve(exchange);
        };
        const stop = () => {
          finish(null);
        };
        const timer = setTimeout(stop, ms).unref();
        const forget = onExchange((exchange) => {
          if (fits(exchange)) finish(exchange);
        });
        signal.addEventListener('abort', stop);
        if (signal.aborted) stop();
      }),
  };
}
