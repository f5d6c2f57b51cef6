// Captured exchanges, within limits of count and bytes. Everything is kept as sent; redaction happens where it is
// shown.

import { createBoundedMap } from '../core/collections/bounded-map.ts';
import type { Endpoint, Evaluation } from '../core/checks/trace.ts';
import type { Fault, GrantType, Sender } from '../core/records/schemas.ts';
import type { FaultInterruption } from '../core/faults/words.ts';
import type { PUBLISHED_DOCUMENTS } from '../core/records/trace-ids.ts';
import { lineageBytes } from '../core/model/credentials.ts';
import type { OAuthError } from '../core/checks/errors.ts';
import { jsonBytes, textBytes } from '../core/collections/weight.ts';
import { createLogins } from './logins.ts';
import { createRetries } from './retries.ts';

interface Requester {
  readonly client_id: string | null;
  readonly grant_type: GrantType | null;
}

/** What was done to an exchange while it was held, or why it was not (behaviour 8.9, 8.11). */
export interface HoldMark {
  /** In sentences. */
  readonly what: string;
  /** Whether its request or response was edited, replaced or dropped. */
  readonly changed: boolean;
}

/** Documents that no rules evaluate, but that clients read to find endpoints and keys. */
export type PublishedDocument = (typeof PUBLISHED_DOCUMENTS)[number];

/** A captured exchange. Times are ms since the epoch on the sandbox clock; durations are in ms. */
export interface CapturedExchange {
  readonly number: number;
  /** What is at the path of the request, which a provider shape may have moved; null for any other path. */
  readonly endpoint: Endpoint | PublishedDocument | null;
  readonly at: number;
  readonly clock_frozen: boolean;
  readonly clock_offset: number;
  /** The stopwatch time when the request arrived. */
  readonly started: number;
  readonly duration_ms: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly http_version: string;
  readonly ip: string;
  readonly sent_by: Sender;
  /** Names and values in turn, as sent, without the header that names the sender. */
  readonly request_headers: readonly string[];
  readonly request_body: Buffer;
  /** Bytes received; more than were kept if the body was too large. */
  readonly request_bytes: number;
  /** 0 if no response was sent. */
  readonly status: number;
  /** Names and values in turn, as sent. */
  readonly response_headers: readonly string[];
  readonly response_body: string;
  /** The `error` member of the response, or null. */
  readonly error: string | null;
  readonly evaluation: Evaluation | null;
  /**
   * The client and grant that the request names, if a fault rule answered before it was evaluated; only a registered
   * client.
   */
  readonly claimed: Requester | null;
  /** The fault rule that applied, as it was at that time. */
  readonly fault: Fault | null;
  /** Absent if the connection lasted as long as the fault. */
  readonly fault_interrupted?: FaultInterruption;
  /** null if no rule was to hold it. */
  readonly held: HoldMark | null;
  /** The number of the failed exchange whose request this one repeats; null if it repeats none (behaviour 3.13). */
  readonly retry_of: number | null;
  /** The number of the exchange with which its login began; null if it belongs to none (behaviour 3.14). */
  readonly login: number | null;
  /** Why an app did not respond to a logout token, in a sentence. */
  readonly problem?: string;
}

const NOBODY: Requester = { client_id: null, grant_type: null };

/** Returns the client and the grant of a request: the evaluated ones, else those that it names. */
export const requesterOf = ({ evaluation, claimed }: CapturedExchange): Requester =>
  evaluation ?? claimed ?? NOBODY;

/** The size of the record, its arrays, its buffer and its entries in the capture; measured and rounded up. */
const EXCHANGE_BYTES = 700;
const EVALUATION_BYTES = 300;
const CHECK_BYTES = 48;
/** Including its id and its entry in the list. */
const ISSUED_BYTES = 112;
/** An error has a stack trace. */
const REFUSAL_BYTES = 1500;
const DECISION_BYTES = 420;
/** The text of a header and its entry in the list. */
const HEADER_BYTES = 32;

/** For texts in which HTTP allows only characters of one byte. */
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

/**
 * Returns the memory that an exchange takes: everything that it references, as if nothing else did. It still shows
 * credentials, counters and rules that were deleted elsewhere.
 */
export function exchangeBytes(exchange: CapturedExchange): number {
  const { request_body, response_body, request_headers, response_headers, target } = exchange;
  // The displayed form of the target is kept as well.
  let bytes = EXCHANGE_BYTES + request_body.length + textBytes(response_body) + 2 * target.length;
  bytes += headerBytes(request_headers) + headerBytes(response_headers);
  if (exchange.evaluation !== null) bytes += evaluationBytes(exchange.evaluation);
  if (exchange.fault !== null) bytes += jsonBytes(exchange.fault);
  if (exchange.held !== null) bytes += textBytes(exchange.held.what);
  if (exchange.problem !== undefined) bytes += textBytes(exchange.problem);
  return bytes;
}

export interface CaptureLimits {
  readonly max_exchanges: number;
  readonly max_bytes: number;
}

export type Capture = ReturnType<typeof createCapture>;

interface Filed {
  readonly exchange: CapturedExchange;
  /** The size when the exchange was stored, because what it references may change. */
  readonly bytes: number;
}

/** @param onExchange called with each exchange once its response is being sent; must return immediately */
export function createCapture(
  limits: () => CaptureLimits,
  onExchange: (exchange: CapturedExchange) => void,
) {
  // A number is taken when a request arrives, and the exchange is stored when it was answered. The map is therefore
  // only roughly in order, and its first key is old enough to be deleted. An exchange that alone exceeds the limit is
  // deleted as well.
  const exchanges = createBoundedMap<number, Filed>(
    {
      get entries() {
        return limits().max_exchanges;
      },
      get bytes() {
        return limits().max_bytes;
      },
    },
    ({ bytes }) => bytes,
  );
  const retries = createRetries();
  const logins = createLogins();
  let last = 0;
  let cleared = 0;
  let total = 0;

  return {
    /** Takes the next exchange number. Numbers grow by one and are never reused. */
    nextNumber: () => ++last,
    /** Returns the number of the failed exchange that this one repeats, or null; called once for each exchange. */
    retryOf: (exchange: CapturedExchange) => retries.of(exchange, requesterOf(exchange).client_id),
    /** Returns the number of the exchange with which the login of this one began, or null; called once for each. */
    loginOf: logins.of,
    add: (exchange: CapturedExchange) => {
      total += 1;
      exchanges.set(exchange.number, { exchange, bytes: exchangeBytes(exchange) });
      onExchange(exchange);
    },
    get: (number: number) => exchanges.get(number)?.exchange,
    newestFirst: () =>
      Array.from(exchanges.values(), ({ exchange }) => exchange).sort(
        (a, b) => b.number - a.number,
      ),
    /** The last number taken; 0 before the first. */
    get last() {
      return last;
    },
    /** `clear` deleted all exchanges up to this number. */
    get cleared() {
      return cleared;
    },
    get size() {
      return exchanges.fill.size;
    },
    get bytes() {
      return exchanges.fill.bytes;
    },
    /** Number of exchanges since the start, including those no longer kept. */
    get total() {
      return total;
    },
    clear: () => {
      exchanges.clear();
      retries.clear();
      logins.clear();
      cleared = last;
    },
  };
}
