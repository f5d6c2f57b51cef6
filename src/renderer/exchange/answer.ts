// Facts about an exchange, for the short lines of flow steps and the sequence diagram.

import { parseJsonObject, isJsonObject } from '../../json.ts';
import type { Exchange, ExchangeSummary } from '../../control/schemas.ts';
import { headerOf, FORM_TYPE, JSON_TYPE, redirectParameters } from '../../oauth/fields.ts';
import { decodeJwt } from '../../oauth/jwt.ts';
import { durationInWords, pluralize } from '../../words.ts';
import { toneOf, isSuccess } from '../ui/status.tsx';

/** What a response issues, inside a sentence. */
export const ISSUED_WORDS = {
  code: 'a code',
  access_token: 'an access token',
  refresh_token: 'a refresh token',
  id_token: 'an ID token',
} as const;

/** The claims in a successful response of userinfo or of a protected API; null for any other. */
export function claimsOf(exchange: Exchange): Record<string, unknown> | null {
  const { endpoint, response } = exchange;
  if (isRejected(exchange) || (endpoint !== 'userinfo' && endpoint !== 'api')) return null;
  const text = bodyText(response);
  const body = parseJsonObject(text);
  // A client may have its userinfo response signed (OpenID Connect Core 5.3.2).
  if (endpoint === 'userinfo') return body ?? decodeJwt(text)?.payload ?? null;
  return isJsonObject(body?.['claims']) ? body['claims'] : null;
}

/** The device authorization in a response (RFC 8628 3.2); null if the request was rejected. */
export function deviceOf(exchange: Exchange) {
  if (exchange.status !== 200 || exchange.endpoint !== 'device_authorization') return null;
  const body = parseJsonObject(bodyText(exchange.response)) ?? {};
  const { device_code, user_code, verification_uri_complete, expires_in } = body;
  if (typeof device_code !== 'string' || typeof user_code !== 'string') return null;
  const expires = Date.parse(exchange.clock.now) + Number(expires_in) * 1000;
  return {
    device_code,
    user_code,
    verification_uri_complete: String(verification_uri_complete),
    expires_at: new Date(expires).toISOString(),
  };
}

/** `cnf.jkt` of a token; null if the token is not bound or cannot be read. */
export function boundKeyOf(token: string | null): string | null {
  const { cnf } = (token === null ? null : decodeJwt(token))?.payload ?? {};
  return isJsonObject(cnf) && typeof cnf['jkt'] === 'string' ? cnf['jkt'] : null;
}

/** The tokens of an exchange that are bound to a key, the presented one first, each with the thumbprint of its key. */
export function boundKeys(exchange: Exchange) {
  const authorization = headerOf(exchange.request.headers, 'authorization') ?? '';
  const presented = /^(?:DPoP|Bearer) (.+)$/i.exec(authorization)?.[1] ?? null;
  const tokens = [
    ['The presented access token', presented],
    ['The access token in the response', tokenAnswerOf(exchange)?.access_token ?? null],
  ] as const;
  return tokens.flatMap(([what, token]) => {
    const jkt = boundKeyOf(token);
    return jkt === null ? [] : [{ what, jkt }];
  });
}

/** A captured body as text. A body that is not valid UTF-8 is captured as base64. */
export function bodyText(part: Exchange['request'] | Exchange['response']): string {
  if (part.body_encoding === 'utf8') return part.body;
  return Array.from(atob(part.body), (byte) => {
    const code = byte.charCodeAt(0);
    return code >= 0x20 && code < 0x7f ? byte : `\\x${code.toString(16).padStart(2, '0')}`;
  }).join('');
}

/** The query of a request's path. After the first question mark, others belong to it (RFC 3986 3.4). */
export const queryOf = ({ path }: Pick<Exchange, 'path'>): string =>
  path.split('?').slice(1).join('?');

export function bodyFields(part: Exchange['request']): Readonly<Record<string, unknown>> {
  const body = bodyText(part);
  return parseJsonObject(body) ?? Object.fromEntries(new URLSearchParams(body));
}

export function tokenAnswerOf(exchange: Exchange) {
  const body = exchange.status === 200 ? parseJsonObject(bodyText(exchange.response)) : null;
  if (typeof body?.access_token !== 'string') return null;
  const text = (name: string) => {
    const value = body[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    access_token: body.access_token,
    refresh_token: text('refresh_token'),
    id_token: text('id_token'),
    /** Bearer, or DPoP if the token is bound to a key (RFC 9449 5). */
    token_type: text('token_type'),
    expires_in: typeof body.expires_in === 'number' ? body.expires_in : null,
  };
}

/** Whether it was rejected. An authorization request is rejected by a redirect (RFC 6749 4.1.2.1). */
export const isRejected = ({ status, error }: Pick<Exchange, 'status' | 'error'>): boolean =>
  !isSuccess(status) || error !== null;

/** Whether it is the response to a device that must poll again (RFC 8628 3.5). */
export const isPending = ({ error }: Pick<Exchange, 'error'>): boolean =>
  error === 'authorization_pending' || error === 'slow_down';

/** Whether it was rejected, other than a device that must poll again. */
export const isFailure = (exchange: Pick<Exchange, 'status' | 'error'>): boolean =>
  isRejected(exchange) && !isPending(exchange);

/** The fault rule that was applied, and what it did. */
export const faultWords = ({ id, name, what }: NonNullable<ExchangeSummary['fault']>): string =>
  `Injected fault “${name || id}”: ${what}`;

/** The tone of its status, except that a redirect with an error counts as rejected. */
export const answerTone = ({ status, error }: Pick<Exchange, 'status' | 'error'>) =>
  isSuccess(status) && error !== null ? 'bad' : toneOf(status);

/** The parameters of an authorization response in a redirect, or null. */
export function redirectAnswerOf(exchange: Exchange): URLSearchParams | null {
  const parameters = redirectParameters(headerOf(exchange.response.headers, 'location') ?? '');
  return parameters.size === 0 ? null : parameters;
}

/** What was granted at the authorization endpoint, by a user or by the sandbox for a user. */
export interface Granted {
  readonly sub: string;
  readonly scope: string;
  /** How the decision was made: `already signed in`. */
  readonly how: string | null;
  /** Whether the user decided on the sign-in page. */
  readonly on_page: boolean;
}

const passedIn = ({ trace }: Exchange, check: string) =>
  trace.find(({ id, verdict }) => id === check && verdict === 'passed');

/** Whether this is an accepted form of the sign-in page; a rejected form decided nothing. */
export const isFormAccepted = (exchange: Exchange): boolean =>
  passedIn(exchange, 'form') !== undefined;

/** What was granted, according to the checks; null if no code was issued. */
export function grantedIn(exchange: Exchange): Granted | null {
  const user = passedIn(exchange, 'user');
  const isIssued = exchange.issued.some(({ kind }) => kind === 'code');
  if (!isIssued || user === undefined || user.got === null) return null;
  const scope = passedIn(exchange, 'consent')?.got ?? '';
  return { sub: user.got, scope, how: user.note, on_page: isFormAccepted(exchange) };
}

/** `JSON`, `Form`, or any other content type unchanged. */
function formatOf(exchange: Exchange): string {
  const type =
    headerOf(exchange.request.headers, 'content-type')?.split(';')[0]?.trim() ?? exchange.method;
  if (type === JSON_TYPE) return 'JSON';
  return type === FORM_TYPE ? 'Form' : type;
}

/** Sums up the result of a request in one line. */
export function resultLine(exchange: Exchange): string {
  const failed = exchange.trace.filter(({ verdict }) => verdict === 'failed').length;
  const checks = exchange.trace.filter(({ verdict }) => verdict !== 'not_reached').length;
  const parts = [formatOf(exchange)];
  if (exchange.fault !== null) parts.push(faultWords(exchange.fault));
  if (exchange.held !== null) parts.push(exchange.held.what);
  const answer = tokenAnswerOf(exchange);
  const life = answer?.expires_in ?? null;
  if (life !== null) parts.push(`expires in ${durationInWords(life)}`);
  if (failed > 0) parts.push(`${pluralize(checks, 'check')}, ${failed} failed`);
  else if (exchange.error !== null) parts.push(exchange.error);
  else if (checks > 0) parts.push(`${pluralize(checks, 'check')} passed`);
  if (exchange.deviations > 0) parts.push(pluralize(exchange.deviations, 'deviation'));
  return parts.join(' · ');
}
