// Answers: the only place where an error becomes a status, and where an answer meets the wire and the
// capture.

import type { ServerResponse } from 'node:http';
import type { ErrorCode } from '../core/errors.ts';
import { OAuthError } from '../core/errors.ts';
import type { RefusalReason } from '../core/refusals.ts';
import type { Dialect, Settings } from '../core/schemas.ts';
import type { TokenService } from '../core/service.ts';
import type { ThrottleDecision } from '../core/throttle.ts';
import { fail } from '../core/trace.ts';
import type { Arrival, Reception } from './arrival.ts';
import { judgementOf } from './arrival.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** The `error` member of the body, or null. */
  readonly error: string | null;
}

const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  too_many_requests: 429,
  method_not_allowed: 405,
  not_found: 404,
  temporarily_unavailable: 503,
  server_error: 500,
};

/** Refusals that HTTP has a status of its own for. */
const HTTP_STATUS: Partial<Record<RefusalReason, number>> = {
  body_too_large: 413,
  body_stalled: 408,
  headers_too_large: 431,
};

/** The status of a refusal in the rfc6749 dialect. */
export function statusOf(reason: RefusalReason, error: ErrorCode): number {
  return HTTP_STATUS[reason] ?? STATUS[error];
}

interface Wire {
  readonly status: number;
  readonly error: string;
  readonly description: string;
}

/** What the auth0 dialect says otherwise (behaviour 3); the recorded cause stays the same. */
function auth0Wire(refusal: OAuthError): Partial<Wire> {
  if (refusal.code === 'invalid_client') {
    return { error: 'access_denied', description: 'Unauthorized' };
  }
  if (refusal.reason === 'redirect_uri_differs' || refusal.reason === 'grant_not_allowed') {
    return { status: 403, error: 'unauthorized_client' };
  }
  if (refusal.code !== 'invalid_grant') return {};
  const description = refusal.reason.startsWith('refresh_token')
    ? 'Unknown or invalid refresh token.'
    : 'Invalid authorization code';
  return { status: 403, description };
}

function wireOf(refusal: OAuthError, dialect: Dialect): Wire {
  const plain = {
    status: statusOf(refusal.reason, refusal.code),
    error: refusal.code,
    description: refusal.description,
  };
  return dialect === 'auth0' ? { ...plain, ...auth0Wire(refusal) } : plain;
}

/** The scheme a client used, when it is one we know: never an echo of what it sent. */
function challenge(authorization: string | undefined): Record<string, string> {
  if (authorization === undefined) return {};
  const scheme = /^bearer\s/i.test(authorization) ? 'Bearer' : 'Basic';
  return { 'WWW-Authenticate': `${scheme} realm="grantbench"` };
}

const JSON_HEADERS = { 'Content-Type': 'application/json' } as const;

/** Every answer of the token endpoint forbids caches to keep it (RFC 6749 5.1). */
export const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

export function json(body: unknown, headers: Record<string, string> = {}, status = 200): Answer {
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body), error: null };
}

/** Records the refusal on the exchange and answers it. */
export function refuse(
  arrival: Arrival,
  refusal: OAuthError,
  service: TokenService,
  headers: Record<string, string> = {},
): Answer {
  fail(judgementOf(arrival), refusal);
  const wire = wireOf(refusal, service.settings().dialect);
  const basic =
    refusal.code === 'invalid_client' ? challenge(arrival.headers.authorization) : {};
  const body = JSON.stringify({ error: wire.error, error_description: wire.description });
  return {
    status: wire.status,
    headers: { ...JSON_HEADERS, ...NO_STORE, ...basic, ...headers },
    body,
    error: wire.error,
  };
}

/** The rate headers of behaviour 5, each family as the settings have it. */
export function rateHeaders(
  decision: ThrottleDecision,
  settings: Settings['throttle'],
): Record<string, string> {
  const { limit, used, window_seconds, reset_seconds, resets_at, exceeded } = decision;
  const remaining = exceeded ? 0 : Math.max(0, limit - used);
  const headers: Record<string, string> = {};
  if (settings.ratelimit_headers) {
    headers['RateLimit-Policy'] = `"token-ip";q=${limit};w=${window_seconds}`;
    headers['RateLimit'] = `"token-ip";r=${remaining};t=${reset_seconds}`;
  }
  if (settings.x_ratelimit_headers) {
    headers['X-RateLimit-Limit'] = String(limit);
    headers['X-RateLimit-Remaining'] = String(remaining);
    headers['X-RateLimit-Reset'] = String(Math.ceil(resets_at / 1000));
  }
  if (exceeded && settings.retry_after_header) headers['Retry-After'] = String(reset_seconds);
  return headers;
}

let dateSecond = Number.NaN;
let dateText = '';

/** The HTTP Date of a moment; made once a second. */
function httpDate(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(ms).toUTCString();
  }
  return dateText;
}

/** Headers that every answer carries. `Date` reads the sandbox clock (behaviour 6). */
export function completeHeaders(
  arrival: Arrival,
  answer: Answer,
  service: TokenService,
): Record<string, string> {
  return {
    ...answer.headers,
    ...(service.settings().exchange_header ? { 'Grantbench-Exchange': String(arrival.number) } : {}),
    Date: httpDate(service.ports.clock.now()),
    'Content-Length': String(Buffer.byteLength(answer.body)),
  };
}

/** Files the exchange under its number. */
export function record(
  arrival: Arrival,
  answer: Answer,
  headers: Record<string, string>,
  { capture, stopwatch }: Reception,
): void {
  capture.add({
    number: arrival.number,
    at: arrival.at,
    clock_frozen: arrival.clock_frozen,
    clock_offset: arrival.clock_offset,
    duration_ms: stopwatch() - arrival.started,
    method: arrival.method,
    target: arrival.target,
    http_version: arrival.http_version,
    ip: arrival.ip,
    request_headers: arrival.raw_headers,
    request_body: arrival.body,
    request_bytes: arrival.body_bytes,
    status: answer.status,
    response_headers: headers,
    response_body: answer.body,
    error: answer.error,
    judgement: arrival.judgement,
  });
}

/** Sends the answer and files the exchange, whether or not the client is still there. */
export function send(
  response: ServerResponse,
  arrival: Arrival,
  answer: Answer,
  reception: Reception,
): void {
  const headers = completeHeaders(arrival, answer, reception.service);
  record(arrival, answer, headers, reception);
  response.sendDate = false;
  response.writeHead(answer.status, headers);
  response.end(arrival.method === 'HEAD' ? undefined : answer.body);
}
