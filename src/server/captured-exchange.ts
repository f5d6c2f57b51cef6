// One exchange as it is kept: everything as it was sent. Those who show it to others redact it.

import type { Evaluation } from '../core/checks/trace.ts';
import type { Fault, GrantType, Sender } from '../core/records/schemas.ts';

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
