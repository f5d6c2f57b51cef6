// What went over the wire, kept within bounds of count and bytes: the exchanges, the bytes that each keeps alive, and
// the list of the newest. Everything is kept as sent; those who show it to others redact it.

import { createOldestFirst } from '../core/collections/oldest-first.ts';
import type { Evaluation } from '../core/checks/trace.ts';
import type { Fault, GrantType, Sender } from '../core/records/schemas.ts';
import { lineageBytes } from '../core/model/credentials.ts';
import type { OAuthError } from '../core/checks/errors.ts';
import { jsonBytes, textBytes } from '../core/collections/weight.ts';

/** Whose request it is and with which grant. */
interface Requester {
  readonly client_id: string | null;
  readonly grant_type: GrantType | null;
}

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
  readonly sent_by: Sender;
  /** Name, value, name, value, as sent, without the header that names the sender. */
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
  readonly evaluation: Evaluation | null;
  /** As a request says of itself that a fault rule answered before it was evaluated: a client that is registered. */
  readonly claimed: Requester | null;
  /** The rule that did something to it, as it was then. */
  readonly fault: Fault | null;
}

const NOBODY: Requester = { client_id: null, grant_type: null };

/** The client and the grant of a request: as evaluated, else as claimed. */
export const requesterOf = ({ evaluation, claimed }: CapturedExchange): Requester =>
  evaluation ?? claimed ?? NOBODY;

/** The record itself, its arrays, its buffer, and its places in the capture; measured, and rounded up. */
const EXCHANGE_BYTES = 700;
const EVALUATION_BYTES = 300;
const CHECK_BYTES = 48;
/** With its id, and its place in the list. */
const ISSUED_BYTES = 112;
/** A refusal knows where in the code it was made. */
const REFUSAL_BYTES = 1500;
const DECISION_BYTES = 420;
/** A header's text, and its place in the list. */
const HEADER_BYTES = 32;

/** Of texts that HTTP lets be one byte a character only. */
function headerBytes(headers: readonly string[]): number {
  let bytes = HEADER_BYTES * headers.length;
  for (const text of headers) bytes += text.length;
  return bytes;
}

function membersBytes(members: object): number {
  let bytes = CHECK_BYTES;
  for (const member of Object.values(members) as unknown[]) {
    if (typeof member === 'string') bytes += textBytes(member);
  }
  return bytes;
}

const refusalBytes = (refusal: OAuthError | null) =>
  refusal === null ? 0 : REFUSAL_BYTES + membersBytes(refusal.facts);

function evaluationBytes(evaluation: Evaluation): number {
  const { checks, deviations, advisories, throttle, credential, lineage } = evaluation;
  const { issued, sign_in } = evaluation;
  let bytes = EVALUATION_BYTES + CHECK_BYTES * advisories.length;
  for (const check of checks) bytes += typeof check === 'string' ? 8 : membersBytes(check);
  for (const deviation of deviations) bytes += membersBytes(deviation);
  if (throttle !== null) bytes += DECISION_BYTES;
  if (credential !== null) bytes += credential.bytes;
  else if (lineage !== null) bytes += lineageBytes(lineage);
  bytes += ISSUED_BYTES * issued.length;
  if (sign_in !== null) bytes += jsonBytes(sign_in);
  return bytes + refusalBytes(evaluation.refusal) + refusalBytes(evaluation.finding);
}

/** Each change of a rule makes another one. */
const faultBytes = new WeakMap<Fault, number>();

function bytesOfFault(fault: Fault): number {
  const known = faultBytes.get(fault) ?? jsonBytes(fault);
  faultBytes.set(fault, known);
  return known;
}

/**
 * What an exchange takes in memory: all that it keeps alive, counted as if nothing else did. A credential may have left
 * the stores, a counter and a rule may be gone, and the exchange still shows them.
 */
export function exchangeBytes(exchange: CapturedExchange): number {
  const { request_body, response_body, request_headers, response_headers, target } = exchange;
  // The target is kept as it is shown, too.
  let bytes = EXCHANGE_BYTES + request_body.length + textBytes(response_body) + 2 * target.length;
  bytes += headerBytes(request_headers) + headerBytes(response_headers);
  if (exchange.evaluation !== null) bytes += evaluationBytes(exchange.evaluation);
  if (exchange.fault !== null) bytes += bytesOfFault(exchange.fault);
  return bytes;
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
