// Answers: the only place where an error becomes a status, and where an answer meets the wire and the
// capture.

import type { ServerResponse } from 'node:http';
import { readAuthorization } from '../core/client-authentication/authorization-header.ts';
import type { OAuthError } from '../core/checks/errors.ts';
import type { ErrorCode, RefusalReason } from '../core/checks/refusals/index.ts';
import type { Dialect, Fault, Settings } from '../core/records/schemas.ts';
import type { TokenService } from '../core/service.ts';
import type { ThrottleDecision } from '../core/throttle/throttle.ts';
import { shapedError } from '../core/shape/errors.ts';
import type { Evaluation } from '../core/checks/trace.ts';
import { fail, noteShape } from '../core/checks/trace.ts';
import type { PendingExchange, CaptureContext } from './pending-exchange.ts';
import { isOwnSignIn, locationIn } from './sender.ts';
import { evaluationOf } from './pending-exchange.ts';

/** How an answer under a fault meets the wire; without, it is sent whole and at once. */
export type Delivery = Extract<Fault['effect'], { kind: 'drop' | 'cut' | 'dribble' }>;

export interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  /** The `error` member of the body, or null. */
  readonly error: string | null;
  readonly delivery?: Delivery;
}

const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  unsupported_response_type: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  invalid_request_uri: 400,
  registration_not_supported: 400,
  login_required: 400,
  consent_required: 400,
  access_denied: 403,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  too_many_requests: 429,
  method_not_allowed: 405,
  not_found: 404,
  server_error: 500,
};

/** Refusals that HTTP has a status of its own for. */
const HTTP_STATUS: Partial<Record<RefusalReason, number>> = {
  body_too_large: 413,
  body_stalled: 408,
  request_slow: 408,
  expectation_unknown: 417,
  headers_too_large: 431,
  authorization_client_unknown: 400,
  logout_client_unknown: 400,
  device_denied: 400,
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

/** What Auth0 answers a device that polls. */
const AUTH0_POLLS: Partial<Record<ErrorCode, number>> = {
  authorization_pending: 403,
  slow_down: 429,
  expired_token: 403,
};

/** What the auth0 dialect says otherwise (behaviour 3); the recorded cause stays the same. */
function auth0Wire(refusal: OAuthError): Partial<Wire> {
  if (refusal.code === 'invalid_client') {
    return { error: 'access_denied', description: 'Unauthorized' };
  }
  const polled = AUTH0_POLLS[refusal.code];
  if (polled !== undefined) return { status: polled };
  if (refusal.reason.startsWith('device_')) return { status: 403 };
  if (refusal.reason === 'redirect_uri_differs' || refusal.reason === 'grant_not_allowed') {
    return { status: 403, error: 'unauthorized_client' };
  }
  if (refusal.code !== 'invalid_grant' || refusal.reason === 'token_of_other_client') return {};
  const description = refusal.isAboutRefreshToken
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

interface ErrorAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** As the imitated provider answers it, where its shape says so; the recorded cause stays the same. */
function asProvider(
  refusal: OAuthError,
  plain: ErrorAnswer,
  service: TokenService,
  evaluation: Evaluation,
): ErrorAnswer {
  const shape = service.shape();
  if (shape === null) return plain;
  const { sha256, clock } = service.ports;
  const facts = { sha256, issuer: service.issuer(), now: clock.now() };
  const own = shapedError(shape, refusal, evaluation, facts);
  if (own === null) return plain;
  noteShape(evaluation, shape.name, 'status and body of the error');
  return { status: own.status ?? plain.status, body: own.body ?? plain.body };
}

/** Headers as a flat list: name, value, name, value. */
export type HeaderList = readonly string[];

const NONE: HeaderList = [];

/**
 * The challenge for a client that used the Authorization header, with the error that the body has; never an
 * echo of what it sent.
 */
export function challenge(
  refusal: OAuthError,
  authorization: string | undefined,
  dialect: Dialect,
): HeaderList {
  if (refusal.code !== 'invalid_client' || authorization === undefined) return NONE;
  const { scheme, credentials } = readAuthorization(authorization);
  const wanted = scheme === 'bearer' && credentials !== '' ? 'Bearer' : 'Basic';
  const { error, description } = wireOf(refusal, dialect);
  const attributes = `realm="grantbench", error="${error}", error_description="${description}"`;
  return ['WWW-Authenticate', `${wanted} ${attributes}`];
}

/** Every answer of the token endpoint forbids caches to keep it (RFC 6749 5.1). */
export const NO_STORE: HeaderList = ['Cache-Control', 'no-store', 'Pragma', 'no-cache'];

export function json(body: unknown, headers: HeaderList = NONE): Answer {
  return {
    status: 200,
    headers: ['Content-Type', 'application/json', ...headers],
    body: JSON.stringify(body),
    error: null,
  };
}

/** Records the refusal on the exchange and answers it. */
export function refuse(
  pending: PendingExchange,
  refusal: OAuthError,
  service: TokenService,
  headers: HeaderList = NONE,
): Answer {
  const evaluation = evaluationOf(pending);
  fail(evaluation, refusal);
  const wire = wireOf(refusal, service.settings().dialect);
  const own = { error: wire.error, error_description: wire.description };
  const { status, body } = asProvider(
    refusal,
    { status: wire.status, body: own },
    service,
    evaluation,
  );
  return {
    status,
    headers: ['Content-Type', 'application/json', ...NO_STORE, ...headers],
    body: JSON.stringify(body),
    error: typeof body['error'] === 'string' ? body['error'] : wire.error,
  };
}

/** The rate headers of behaviour 5, each family as the settings have it. */
export function rateHeaders(
  decision: ThrottleDecision | null,
  settings: Settings['throttle'],
): HeaderList {
  if (decision === null) return NONE;
  const { limit, used, window_seconds, reset_seconds, resets_at, exceeded } = decision;
  const remaining = exceeded ? 0 : Math.max(0, limit - used);
  const headers: string[] = [];
  if (settings.ratelimit_headers) {
    headers.push('RateLimit-Policy', `"token-ip";q=${limit};w=${window_seconds}`);
    headers.push('RateLimit', `"token-ip";r=${remaining};t=${reset_seconds}`);
  }
  if (settings.x_ratelimit_headers) {
    headers.push('X-RateLimit-Limit', String(limit), 'X-RateLimit-Remaining', String(remaining));
    headers.push('X-RateLimit-Reset', String(Math.ceil(resets_at / 1000)));
  }
  if (exceeded && settings.retry_after_header) headers.push('Retry-After', String(reset_seconds));
  return headers;
}

/** The HTTP Date of a moment; made once a second. */
function createHttpDate(): (ms: number) => string {
  let second = Number.NaN;
  let text = '';
  return (ms) => {
    const now = Math.floor(ms / 1000);
    if (now !== second) {
      second = now;
      text = new Date(ms).toUTCString();
    }
    return text;
  };
}

const httpDate = createHttpDate();

/** The answer's headers and those that every one carries; `Date` reads the sandbox clock (behaviour 6). */
export function completeHeaders(
  pending: PendingExchange,
  answer: Answer,
  { service }: CaptureContext,
): string[] {
  const { exchange_header } = service.settings();
  return [
    ...answer.headers,
    ...(exchange_header ? ['Grantbench-Exchange', String(pending.number)] : NONE),
    'Date',
    httpDate(service.ports.clock.now()),
    'Content-Length',
    String(Buffer.byteLength(answer.body)),
  ];
}

/** Files the exchange under its number. @param sent the answer as it went over the wire */
export function file(
  pending: PendingExchange,
  sent: Answer,
  { capture, stopwatch, ownStates }: CaptureContext,
): void {
  pending.duration_ms = stopwatch() - pending.started;
  pending.status = sent.status;
  pending.response_headers = sent.headers;
  pending.response_body = sent.body;
  pending.error = sent.error;
  // The form of a sign-in page has no state; its redirect has.
  if (isOwnSignIn(locationIn(sent.headers), ownStates)) pending.sent_by = 'workbench';
  capture.add(pending);
}

/** Completes the answer and files the exchange. */
export function conclude(
  pending: PendingExchange,
  answer: Answer,
  context: CaptureContext,
): string[] {
  const headers = completeHeaders(pending, answer, context);
  file(pending, { ...answer, headers }, context);
  return headers;
}

/** Sends the answer and files the exchange, whether or not the client is still there. */
export function send(
  response: ServerResponse,
  pending: PendingExchange,
  answer: Answer,
  context: CaptureContext,
): void {
  const headers = conclude(pending, answer, context);
  response.sendDate = false;
  response.writeHead(answer.status, headers);
  response.end(pending.method === 'HEAD' ? undefined : answer.body);
}
