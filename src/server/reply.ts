// Answers: the only place where an error becomes a status, and where an answer meets the wire and the
// capture.

import type { ServerResponse } from 'node:http';
import { readAuthorization } from '../core/client-authentication/authorization-header.ts';
import type { OAuthError } from '../core/checks/errors.ts';
import type { ErrorCode, RefusalReason } from '../core/checks/refusals/index.ts';
import { DEVICE_CODE_GRANT } from '../core/records/enumerations.ts';
import type { Dialect, Fault, GrantType, Settings } from '../core/records/schemas.ts';
import type { TokenService } from '../core/service.ts';
import type { ThrottleDecision } from '../core/throttle/throttle.ts';
import { shapedError } from '../core/shape/shaped.ts';
import type { ResolvedShape } from '../core/shape/resolve.ts';
import { type Evaluation, fail, noteShape } from '../core/checks/trace.ts';
import { type CaptureContext, evaluationOf, type PendingExchange } from './pending-exchange.ts';
import { isOwnSignIn, locationIn } from './sender.ts';

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

/** Of the answer to OPTIONS by which a browser asks whether it may send another request (Fetch 3.2.2). */
export const PREFLIGHT_STATUS = 204;

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

/** The statuses with which Auth0 answers a device that polls. */
const AUTH0_POLLS: Partial<Record<ErrorCode, number>> = {
  authorization_pending: 403,
  slow_down: 429,
  expired_token: 403,
  access_denied: 403,
  invalid_grant: 403,
};

/** What Auth0 says of the credential of a grant; of those that it does not have it says nothing. */
const AUTH0_INVALID_GRANT: Partial<Record<GrantType, string>> = {
  authorization_code: 'Invalid authorization code',
  refresh_token: 'Unknown or invalid refresh token.',
  password: 'Wrong email or password.',
};

const AUTH0_PKCE = 'Failed to verify code verifier';

/** What the auth0 dialect says otherwise (behaviour 3.10); the recorded cause stays the same. */
function auth0Wire({ code, reason, check }: OAuthError, grant: GrantType | null): Partial<Wire> {
  if (code === 'invalid_client') return { error: 'access_denied', description: 'Unauthorized' };
  if (reason === 'redirect_uri_differs' || code === 'unauthorized_client') {
    return { status: 403, error: 'unauthorized_client' };
  }
  const polled = grant === DEVICE_CODE_GRANT ? AUTH0_POLLS[code] : undefined;
  if (polled !== undefined) return { status: polled };
  const ofGrant = grant === null ? undefined : AUTH0_INVALID_GRANT[grant];
  const description = check === 'pkce' ? AUTH0_PKCE : ofGrant;
  return code === 'invalid_grant' && description !== undefined ? { status: 403, description } : {};
}

function wireOf(refusal: OAuthError, dialect: Dialect, grant: GrantType | null): Wire {
  const plain = {
    status: statusOf(refusal.reason, refusal.code),
    error: refusal.code,
    description: refusal.description,
  };
  return dialect === 'auth0' ? { ...plain, ...auth0Wire(refusal, grant) } : plain;
}

interface ErrorAnswer {
  readonly status: number;
  readonly error: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The codes of RFC 9449 7.1 and 9, which a resource answers with 401. */
const OF_PROOF: readonly ErrorCode[] = ['invalid_dpop_proof', 'use_dpop_nonce'];

/**
 * The answer to a refusal in JSON: in the dialect, or as the imitated provider answers it where its shape says so. The
 * recorded cause stays the same.
 */
export function errorAnswer(
  refusal: OAuthError,
  evaluation: Evaluation,
  service: TokenService,
  dialect: Dialect,
  shape: ResolvedShape | null,
): ErrorAnswer {
  const { status, error, description } = wireOf(refusal, dialect, evaluation.grant_type);
  const { sha256, clock } = service.ports;
  const facts = { sha256, issuer: service.issuer(), now: clock.now() };
  const own = shape && shapedError(shape, refusal, evaluation, facts);
  if (own) noteShape(evaluation, shape.name, 'status and body of the error');
  const body = own?.body ?? { error, error_description: description };
  const isUnproven = evaluation.endpoint === 'userinfo' && OF_PROOF.includes(refusal.code);
  return {
    status: isUnproven ? 401 : (own?.status ?? status),
    error: typeof body['error'] === 'string' ? body['error'] : error,
    body,
  };
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
  const { error, description } = wireOf(refusal, dialect, null);
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
  const { dialect } = service.settings();
  const shape = service.shape();
  const { status, error, body } = errorAnswer(refusal, evaluation, service, dialect, shape);
  return {
    status,
    headers: ['Content-Type', 'application/json', ...NO_STORE, ...headers],
    body: JSON.stringify(body),
    error,
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
