// What went over the wire, kept within bounds of count and bytes. Everything is kept as sent; those
// who show it to others redact it.

import { createOldestFirst } from '../core/collections/oldest-first.ts';
import type { CapturedExchange } from './captured-exchange.ts';
import { exchangeBytes } from './exchange-bytes.ts';

export interface CaptureLimits {
  readonly max_exchanges: number;
  readonly max_bytes: number;
}

export interface Capture {
  /** Takes the next exchange number; they grow by one and are never given twice. */
  nextNumber(): number;
  /** The number given last; 0 before the first. */
  readonly last: number;
  /** Up to this number all were emptied by `clear`. */
  readonly cleared: number;
  add(exchange: CapturedExchange): void;
  get(number: number): CapturedExchange | undefined;
  /** Newest first. */
  newestFirst(): Iterable<CapturedExchange>;
  readonly size: number;
  readonly bytes: number;
  /** Exchanges since start, whether still kept or not. */
  readonly total: number;
  clear(): void;
}

interface Filed {
  readonly exchange: CapturedExchange;
  /** As weighed when it was filed: what it refers to may change. */
  readonly bytes: number;
}

/** @param onExchange called with each exchange once its answer is on the way; must return at once */
export function createCapture(
  limits: () => CaptureLimits,
  onExchange: (exchange: CapturedExchange) => void,
): Capture {
  // Numbers are given when a request arrives and filed when it is answered, so the map is only
  // roughly in order; its first key is old enough to go.
  const exchanges = new Map<number, Filed>();
  const oldest = createOldestFirst(exchanges);
  let last = 0;
  let cleared = 0;
  let total = 0;
  let bytes = 0;

  const drop = (number: number) => {
    bytes -= exchanges.get(number)?.bytes ?? 0;
    exchanges.delete(number);
  };
  /** One that alone is larger than all may be goes as well. */
  const trim = () => {
    const { max_exchanges, max_bytes } = limits();
    while (exchanges.size > max_exchanges || bytes > max_bytes) {
      const number = oldest.take();
      if (number !== undefined) drop(number);
    }
  };
  return {
    nextNumber: () => ++last,
    add: (exchange) => {
      total += 1;
      drop(exchange.number);
      const filed = { exchange, bytes: exchangeBytes(exchange) };
      exchanges.set(exchange.number, filed);
      oldest.added();
      bytes += filed.bytes;
      trim();
      onExchange(exchange);
    },
    get: (number) => exchanges.get(number)?.exchange,
    newestFirst: () =>
      Array.from(exchanges.values(), ({ exchange }) => exchange).sort(
        (a, b) => b.number - a.number,
      ),
    get last() {
      return last;
    },
    get cleared() {
      return cleared;
    },
    get size() {
      return exchanges.size;
    },
    get bytes() {
      return bytes;
    },
    get total() {
      return total;
    },
    clear: () => {
      exchanges.clear();
      cleared = last;
      bytes = 0;
    },
  };
}
