// What went over the wire, kept within bounds of count and bytes. Everything is kept as sent; those
// who show it to others redact it.

import type { Fault } from '../core/schemas.ts';
import type { Judgement } from '../core/trace.ts';

/** One exchange as it happened. Times: sandbox clock in ms since the epoch; durations in ms. */
export interface CapturedExchange {
  readonly number: number;
  readonly at: number;
  readonly clock_frozen: boolean;
  readonly clock_offset: number;
  /** Stopwatch reading when it arrived. */
  readonly started: number;
  readonly duration_ms: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly http_version: string;
  readonly ip: string;
  /** Name, value, name, value, as sent. */
  readonly request_headers: readonly string[];
  readonly request_body: Buffer;
  /** Bytes that came; more than were kept when the body was too large. */
  readonly request_bytes: number;
  /** 0 when nothing was sent. */
  readonly status: number;
  /** Name, value, name, value, as sent. */
  readonly response_headers: readonly string[];
  readonly response_body: string;
  /** The `error` member of the answer, or null. */
  readonly error: string | null;
  readonly judgement: Judgement | null;
  /** The rule that did something to it, as it was then. */
  readonly fault: Fault | null;
}

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

/** What one record costs beside its texts, roughly. */
const RECORD_BYTES = 1500;

function weigh(exchange: CapturedExchange): number {
  let bytes = RECORD_BYTES + exchange.request_body.length + exchange.response_body.length;
  for (const text of exchange.request_headers) bytes += text.length;
  for (const text of exchange.response_headers) bytes += text.length;
  return bytes + exchange.target.length;
}

/** @param onExchange told of each exchange once its answer is on the way; must return at once */
export function createCapture(
  limits: () => CaptureLimits,
  onExchange: (exchange: CapturedExchange) => void,
): Capture {
  // Numbers are given when a request arrives and filed when it is answered, so the map is only
  // roughly in order; its first key is old enough to go.
  const exchanges = new Map<number, CapturedExchange>();
  let last = 0;
  let cleared = 0;
  let total = 0;
  let bytes = 0;

  const trim = () => {
    const { max_exchanges, max_bytes } = limits();
    for (const [number, oldest] of exchanges) {
      if (exchanges.size <= max_exchanges && (bytes <= max_bytes || exchanges.size === 1)) return;
      exchanges.delete(number);
      bytes -= weigh(oldest);
    }
  };
  return {
    nextNumber: () => ++last,
    add: (exchange) => {
      total += 1;
      exchanges.set(exchange.number, exchange);
      bytes += weigh(exchange);
      trim();
      onExchange(exchange);
    },
    get: (number) => exchanges.get(number),
    newestFirst: () => [...exchanges.values()].sort((a, b) => b.number - a.number),
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
