// Sends responses: the only place where an error becomes a status, and where a response is sent and captured.

import type { ServerResponse } from 'node:http';
import { readAuthorization } from '../core/client-authentication/authorization-header.ts';
import type { SentParameters } from '../core/authorization/response.ts';
import type { OAuthError } from '../core/checks/errors.ts';
import type { ErrorCode } from '../core/checks/refusals/index.ts';
import type { Dialect, Fault, Settings } from '../core/records/schemas.ts';
import { SignedAnswer } from '../core/presented/signed-answer.ts';
import type { TokenService } from '../core/service.ts';
import type { ThrottleDecision } from '../core/throttle/throttle.ts';
import { shapedError } from '../core/shape/shaped.ts';
import type { ResolvedShape } from '../core/shape/resolve.ts';
import { type Evaluation, fail, noteShape } from '../core/checks/trace.ts';
import { type CaptureContext, evaluationOf, type PendingExchange } from './pending-exchange.ts';
import { statusOf, wireOf } from './dialects.ts';
import { headerIn, isOwnSignIn } from './sender.ts';

/** How a fault sends the response; without a fault, it is sent completely and immediately. */
export type Delivery = Extract<Fault['effect'], { kind: 'drop' | 'cut' | 'dribble' }>;

export interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  /** The `error` member of the response body, or null. */
  readonly error: string | null;
  readonly delivery?: Delivery;
  /** Of an authorization response: its parameters, and a function that sends others in the same response mode. */
  readonly authorization?: {
    readonly parameters: SentParameters;
    readonly send: (parameters: SentParameters) => Promise<Answer>;
  };
}

/** Nothing is sent; the connection is closed. */
export const NO_ANSWER: Answer = {
  status: 0,
  headers: [],
  body: '',
  error: null,
  delivery: { kind: 'drop' },
};

/** The status of the response to a CORS preflight (Fetch 3.2.2). */
export const PREFLIGHT_STATUS = 204;

/** The code and the description of an error, as its body has them. */
export interface ErrorTexts {
  readonly error: string;
  readonly description: string;
}

interface ErrorAnswer extends ErrorTexts {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The error codes of RFC 9449 7.1 and 9 with status 401 at a resource. */
const OF_PROOF: readonly ErrorCode[] = ['invalid_dpop_proof', 'use_dpop_nonce'];

/** A protected API is not the provider's, so neither dialect nor shape change its errors. */
function apiErrorAnswer({ reason, code, description }: OAuthError): ErrorAnswer {
  const status = OF_PROOF.includes(code) ? 401 : statusOf(reason, code);
  return {
    status,
    error: code,
    description,
    body: { error: code, error_description: description },
  };
}

/**
 * Returns the JSON response for an error, in the dialect or in the shape of the imitated provider. The recorded cause
 * stays the same.
 */
export function errorAnswer(
  refusal: OAuthError,
  evaluation: Evaluation,
  service: TokenService,
  dialect: Dialect,
  shape: ResolvedShape | null,
): ErrorAnswer {
  if (evaluation.endpoint === 'api') return apiErrorAnswer(refusal);
  const { status, error, description } = wireOf(refusal, dialect, evaluation.grant_type);
  const { sha256, clock } = service.ports;
  const facts = { sha256, issuer: service.issuer(), now: clock.now() };
  const own = shape && shapedError(shape, refusal, evaluation, facts);
  if (own) noteShape(evaluation, shape.name, 'status and body of the error');
  const body = own?.body ?? { error, error_description: description };
  const text = (member: string, otherwise: string) => {
    const { [member]: value } = body;
    return typeof value === 'string' ? value : otherwise;
  };
  const isUnproven = evaluation.endpoint === 'userinfo' && OF_PROOF.includes(refusal.code);
  return {
    status: isUnproven ? 401 : (own?.status ?? status),
    error: text('error', error),
    description: text('error_description', description),
    body,
  };
}

/** Headers as a flat list of names and values in turn. */
export type HeaderList = readonly string[];

const NONE: HeaderList = [];

/** The characters that the attributes of a challenge may not have (RFC 6750 3): those of a provider may have others. */
const quoted = (text: string): string =>
  `"${text.replace(/[\r\n\t]+/g, ' ').replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'")}"`;

/** Returns the attributes of a challenge that say the same as the body. */
export const errorAttributes = ({ error, description }: ErrorTexts): string =>
  `error=${quoted(error)}, error_description=${quoted(description)}`;

/**
 * Returns the challenge for a client that used the Authorization header, with the error of the body. It never repeats
 * what the client sent.
 */
export function challenge(
  refusal: OAuthError,
  authorization: string | undefined,
  texts: ErrorTexts,
): HeaderList {
  if (refusal.code !== 'invalid_client' || authorization === undefined) return NONE;
  const { scheme, credentials } = readAuthorization(authorization);
  const wanted = scheme === 'bearer' && credentials !== '' ? 'Bearer' : 'Basic';
  return ['WWW-Authenticate', `${wanted} realm="grantbench", ${errorAttributes(texts)}`];
}

/** Every response of the token endpoint forbids caching (RFC 6749 5.1). */
export const NO_STORE: HeaderList = ['Cache-Control', 'no-store', 'Pragma', 'no-cache'];

export function json(body: unknown, headers: HeaderList = NONE): Answer {
  return {
    status: 200,
    headers: ['Content-Type', 'application/json', ...headers],
    body: JSON.stringify(body),
    error: null,
  };
}

export const jsonOrJwt = (answer: object, media_type: string, headers: HeaderList): Answer =>
  answer instanceof SignedAnswer
    ? {
        status: 200,
        headers: ['Content-Type', media_type, ...headers],
        body: answer.jwt,
        error: null,
      }
    : json(answer, headers);

/**
 * Records the error on the exchange and returns the response.
 * @param challengeFor returns the challenge, which says what the body says
 */
export function reject(
  pending: PendingExchange,
  refusal: OAuthError,
  service: TokenService,
  headers: HeaderList = NONE,
  challengeFor: (texts: ErrorTexts) => HeaderList = () => NONE,
): Answer {
  const evaluation = evaluationOf(pending);
  fail(evaluation, refusal);
  const { dialect } = service.settings();
  const shape = service.shape();
  const answer = errorAnswer(refusal, evaluation, service, dialect, shape);
  const { status, error, body } = answer;
  return {
    status,
    headers: ['Content-Type', 'application/json', ...NO_STORE, ...headers, ...challengeFor(answer)],
    body: JSON.stringify(body),
    error,
  };
}

/** Returns the rate limit headers of behaviour 5, in the formats of the settings. */
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

/** Returns the HTTP Date of a time; cached for a second. */
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

/** Returns the headers of the response and those of all responses. `Date` is on the sandbox clock (behaviour 6). */
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

/** Captures the exchange under its number. @param sent the response as it was sent */
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
  // The form of a sign-in page has no state, but its redirect has one.
  const location = ownStates.size === 0 ? undefined : headerIn(sent.headers, 'location');
  if (isOwnSignIn(location, ownStates)) pending.sent_by = 'workbench';
  pending.retry_of = capture.retryOf(pending);
  pending.login = capture.loginOf(pending);
  capture.add(pending);
}

/** Completes the response and captures the exchange. */
export function conclude(
  pending: PendingExchange,
  answer: Answer,
  context: CaptureContext,
): string[] {
  const headers = completeHeaders(pending, answer, context);
  file(pending, { ...answer, headers }, context);
  return headers;
}

/** Sends the response and captures the exchange, even if the client is gone. */
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
