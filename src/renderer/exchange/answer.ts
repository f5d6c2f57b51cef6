// What an exchange says, in the short lines of the steps and the diagram.

import { redirectParameters, FORM_TYPE, headerOf, JSON_TYPE } from '../../oauth/fields.ts';
import { parseJsonObject } from '../../oauth/json-object.ts';
import type { Exchange, ExchangeSummary } from '../../control/schemas.ts';
import { pluralize } from '../ui/short-forms.ts';
import { durationInWords } from '../../words.ts';
import { toneOf, wentWell } from '../ui/status.tsx';

export interface TokenAnswer {
  access_token: string;
  refresh_token: string | null;
  id_token: string | null;
  /** Bearer, or DPoP for a token that is bound to a key (RFC 9449 5). */
  token_type: string | null;
  expires_in: number | null;
}

/** A captured body as text. A body that was not valid UTF-8 is kept as base64. */
export function bodyText(part: Exchange['request'] | Exchange['response']): string {
  if (part.body_encoding === 'utf8') return part.body;
  return Array.from(atob(part.body), (byte) => {
    const code = byte.charCodeAt(0);
    return code >= 0x20 && code < 0x7f ? byte : `\\x${code.toString(16).padStart(2, '0')}`;
  }).join('');
}

/** The tokens of a successful token response, or null. */
export function tokenAnswerOf(exchange: Exchange): TokenAnswer | null {
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
    token_type: text('token_type'),
    expires_in: typeof body.expires_in === 'number' ? body.expires_in : null,
  };
}

/** Whether it was rejected. An authorization request is rejected by a redirect (RFC 6749 4.1.2.1). */
export const isRefused = ({ status, error }: Pick<Exchange, 'status' | 'error'>): boolean =>
  !wentWell(status) || error !== null;

/** Which fault rule had a hand in the response, and what it did. */
export const faultWords = ({ id, name, what }: NonNullable<ExchangeSummary['fault']>): string =>
  `Injected fault “${name || id}”: ${what}`;

/** Its colour: that of its status, except that a redirect with an error counts as rejected. */
export const answerTone = ({ status, error }: Pick<Exchange, 'status' | 'error'>) =>
  wentWell(status) && error !== null ? 'bad' : toneOf(status);

/** The parameters that an authorization response carries back to the app, or null. */
export function redirectAnswerOf(exchange: Exchange): URLSearchParams | null {
  const parameters = redirectParameters(headerOf(exchange.response.headers, 'location') ?? '');
  return parameters.size === 0 ? null : parameters;
}

/** What a user, or the sandbox for a user, granted at the authorization endpoint. */
export interface Granted {
  readonly sub: string;
  readonly scope: string;
  /** How it was decided: `already signed in`. */
  readonly how: string | null;
  /** Whether the user decided on the sign-in page. */
  readonly on_page: boolean;
}

const passedIn = ({ trace }: Exchange, check: string) =>
  trace.find(({ id, verdict }) => id === check && verdict === 'passed');

/** Whether it is a form of the sign-in page that was accepted; what a rejected one says decided nothing. */
export const isFormAccepted = (exchange: Exchange): boolean =>
  passedIn(exchange, 'form') !== undefined;

/** What was granted, as its checks found it; null when no code was issued. */
export function grantedIn(exchange: Exchange): Granted | null {
  const user = passedIn(exchange, 'user');
  const isIssued = exchange.issued.some(({ kind }) => kind === 'code');
  if (!isIssued || user === undefined || user.got === null) return null;
  const scope = passedIn(exchange, 'consent')?.got ?? '';
  return { sub: user.got, scope, how: user.note, on_page: isFormAccepted(exchange) };
}

/** `JSON`, `Form`, or the type as it was sent. */
export function formatOf(exchange: Exchange): string {
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
  const answer = tokenAnswerOf(exchange);
  const life = answer?.expires_in ?? null;
  if (life !== null) parts.push(`expires in ${durationInWords(life)}`);
  if (failed > 0) parts.push(`${pluralize(checks, 'check')}, ${failed} failed`);
  else if (exchange.error !== null) parts.push(exchange.error);
  else if (checks > 0) parts.push(`${pluralize(checks, 'check')} passed`);
  if (exchange.deviations > 0) parts.push(pluralize(exchange.deviations, 'deviation'));
  return parts.join(' · ');
}
