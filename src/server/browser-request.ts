// Reads what a browser sends to the authorization, device and logout endpoints: parameters in the query of a GET or
// in a posted form, including repeated ones, and cookies.

import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '../core/authorization/authentication.ts';
import type { AuthorizationRequest } from '../core/authorization/request-parameters.ts';
import { OAuthError } from '../core/checks/errors.ts';
import { noteQuery } from '../core/checks/parameters.ts';
import { MEDIA_TYPES } from '../core/model/request.ts';
import { type Evaluation, pass } from '../core/checks/trace.ts';
import type { PendingExchange } from './pending-exchange.ts';
import { decodeUtf8, hasValidEscapes, queryNames, readContentType } from './body.ts';
import type { TokenService } from '../core/service.ts';
import { encodeRandom } from '../core/issuing/random-text.ts';

/** The field that distinguishes a submitted form from an app's request. */
export const FORM_FIELD = 'grantbench_form';

/** Returns the user whom a form names: the one that was typed, or else the selected one; empty for none. */
export const chosenSub = (fields: URLSearchParams): string =>
  fields.get('typed_sub')?.trim() || (fields.get('sub') ?? '');

/** Returns the password and the one-time code of a form; empty texts if it has none. */
export const credentialsIn = (fields: URLSearchParams): Credentials => ({
  password: fields.get('password') ?? '',
  one_time_code: fields.get('one_time_code') ?? '',
});

function parse(text: string): URLSearchParams {
  if (text.includes('%') && !hasValidEscapes(text)) throw new OAuthError('parameters_not_utf8');
  return new URLSearchParams(text);
}

const NO_FORM: readonly string[] = ['content_type_missing', 'content_type_unreadable'];

/** JSON, which the token endpoint also accepts, is rejected with its own message. */
function contentType(headers: IncomingHttpHeaders): string {
  try {
    return readContentType(headers);
  } catch (error) {
    if (!(error instanceof OAuthError) || !NO_FORM.includes(error.reason)) throw error;
    return error.facts.got ?? 'no content type';
  }
}

function checkIsForm(headers: IncomingHttpHeaders, evaluation: Evaluation): void {
  const got = contentType(headers);
  if (got !== 'form') {
    const expected = MEDIA_TYPES.form;
    throw new OAuthError('content_type_not_form', {
      expected,
      got: got === 'json' ? MEDIA_TYPES.json : got,
    });
  }
  evaluation.content_type = 'form';
  pass(evaluation, 'content_type');
}

/** Returns all parameters in their order. @throws OAuthError if the body is not a form or not UTF-8 */
export function readFields(
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  evaluation: Evaluation,
): URLSearchParams {
  pass(evaluation, 'method', { got: pending.method });
  if (pending.method !== 'POST') return parse(query);
  noteQuery(queryNames(query), evaluation);
  checkIsForm(headers, evaluation);
  return parse(decodeUtf8(pending.request_body));
}

/** Returns the parameters in the terms of the protocol. */
export function asRequest(fields: URLSearchParams): AuthorizationRequest {
  const parameters = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of fields) {
    if (parameters.has(name)) repeated.add(name);
    else parameters.set(name, value);
  }
  return { parameters, repeated };
}

/**
 * The cookies of the pages for users. Cookies are shared by all ports of a host, so their names contain the port, and
 * two sandboxes on one machine have separate sign-ins. They end with the browser session; the service decides by its
 * own clock how long a session lasts.
 */
export type Cookies = ReturnType<typeof readCookies>;

/** Returns the port in the Host header. It only decides the name of a cookie. */
function portOf(headers: IncomingHttpHeaders, issuer: URL): string {
  const [, named] = /:(\d{1,5})$/.exec(headers.host ?? '') ?? [];
  return named ?? (issuer.port || issuer.protocol.slice(0, -1));
}

/** 256 bits in base64url, as generated here; any other value is ignored. */
function readCookie(headers: IncomingHttpHeaders, wanted: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = pair.trim().split('=');
    if (name === wanted && /^[\w-]{43}$/.test(value)) return value;
  }
  return null;
}

export function readCookies(headers: IncomingHttpHeaders, service: TokenService) {
  const issuer = new URL(service.issuer());
  const port = portOf(headers, issuer);
  const names = { session: `grantbench_session_${port}`, browser: `grantbench_browser_${port}` };
  const path = new URL(service.base()).pathname.replace(/\/$/, '') || '/';
  const isSecure = issuer.protocol === 'https:';
  const lax = isSecure ? 'SameSite=Lax; Secure' : 'SameSite=Lax';
  // A silent sign-in runs in a frame of the app's page, which may belong to another site.
  const embedded = isSecure ? 'SameSite=None; Secure' : lax;
  const set = (name: string, value: string, sites: string) => [
    'Set-Cookie',
    `${name}=${value}; Path=${path}; HttpOnly; ${sites}`,
  ];
  const signedIn = `grantbench_signed_in_${port}=yes`;
  const showSession = (isSignedIn: boolean) => {
    const attributes = `Path=${path}; ${embedded}${isSignedIn ? '' : '; Max-Age=0'}`;
    return ['Set-Cookie', `${signedIn}; ${attributes}`];
  };
  const ifFramed = (isSignedIn: boolean) =>
    service.shape()?.given.provider === 'keycloak' ? showSession(isSignedIn) : [];
  const probe = `grantbench_embedded_${port}`;
  const visitor = {
    session: readCookie(headers, names.session),
    browser: readCookie(headers, names.browser) ?? encodeRandom(service.ports.random(32)),
  };
  return {
    visitor,
    /** Identifies the browser, so that a form is only accepted from the browser to which it was shown. */
    keepBrowser: () => set(names.browser, visitor.browser, lax),
    keepSession: (id: string) => [...set(names.session, id, embedded), ...ifFramed(true)],
    dropSession: () => [...set(names.session, '', `${embedded}; Max-Age=0`), ...ifFramed(false)],
    /** The cookie by which a script sees that a user is signed in, for the frames of Keycloak. */
    signedIn,
    showSession,
    /** Sets a cookie like that of the session, to see whether the browser sends it from a frame. */
    probe: () => set(probe, 'yes', embedded),
    probed: (headers.cookie ?? '').split('; ').includes(`${probe}=yes`),
  };
}
