// How an authorization response travels (RFC 6749 4.1.2, OAuth 2.0 Multiple Response Type Encoding Practices 2.1,
// OAuth 2.0 Form Post Response Mode, draft-sakimura-oauth-wmrm-01): where it goes, by which mode, and what it says.

import { keptText } from '../collections/kept-text.ts';
import { OAuthError } from '../checks/errors.ts';
import { valueOf, type WithParameters } from '../model/request.ts';
import { type Evaluation, pass } from '../checks/trace.ts';

/** Where the answer to an authorization request goes: a redirect URI that is the client's own. */
export interface ResponseTarget {
  readonly redirect_uri: string;
  readonly response_mode: ResponseMode;
  /** As the request had it, to be echoed; null without. */
  readonly state: string | null;
}

/** What it says: each name once, in this order. */
export type ResponseParameters = Readonly<Record<string, string>>;

/** With the state as it came, and the issuer, so that answers cannot be mixed up (RFC 9207). */
export function responseParameters(
  said: ResponseParameters,
  state: string | null | undefined,
  iss: string,
): ResponseParameters {
  return { ...said, ...(state ? { state } : {}), iss };
}

/**
 * A URI with more parameters in its query; it keeps its own (RFC 6749 3.1.2). It is sent in a header, which
 * is kept with its exchange.
 */
export function uriWith(uri: string, parameters: ResponseParameters): string {
  const joint = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?';
  return keptText(`${uri}${joint}${new URLSearchParams(parameters).toString()}`);
}

/** The same with the parameters in its fragment: no redirect URI has one of its own (RFC 6749 3.1.2). */
export const uriWithFragment = (uri: string, parameters: ResponseParameters): string =>
  keptText(`${uri}#${new URLSearchParams(parameters).toString()}`);

/** The answer is posted to the window that embeds or opened ours, never to the redirect URI itself. */
const MESSAGE_MODES = ['web_message', 'okta_post_message'] as const;
export type MessageMode = (typeof MESSAGE_MODES)[number];

export const RESPONSE_MODES = ['query', 'fragment', 'form_post', ...MESSAGE_MODES] as const;
type ResponseMode = (typeof RESPONSE_MODES)[number];

const isMessageMode = (mode: string): mode is MessageMode =>
  (MESSAGE_MODES as readonly string[]).includes(mode);

/** What `frame-ancestors` can name: no wildcard, nothing that ends a directive, no IPv6 address. */
const NAMEABLE_ORIGIN = /^https?:\/\/[\w.-]+(?::\d{1,5})?$/;

/** The origin of a redirect URI, to which alone its message may go; null when it has none that CSP can name. */
function messageOrigin(redirect_uri: string): string | null {
  const origin = URL.canParse(redirect_uri) ? new URL(redirect_uri).origin : 'null';
  return NAMEABLE_ORIGIN.test(origin) ? origin : null;
}

const isSilent = (request: WithParameters) => valueOf(request, 'prompt') === 'none';

/** The mode that was asked for, also for a refusal; `query` where that one cannot carry an answer. */
export function responseModeOf(request: WithParameters, redirect_uri: string): ResponseMode {
  const asked = valueOf(request, 'response_mode');
  const mode = RESPONSE_MODES.find((known) => known === asked) ?? 'query';
  const carries = !isMessageMode(mode) || (isSilent(request) && messageOrigin(redirect_uri));
  return carries ? mode : 'query';
}

/** @throws OAuthError when the mode is unknown, or cannot carry the answer to this request */
export function checkResponseMode(
  request: WithParameters,
  redirect_uri: string,
  evaluation: Evaluation,
): void {
  const mode = valueOf(request, 'response_mode') ?? 'query';
  if (!(RESPONSE_MODES as readonly string[]).includes(mode)) {
    const expected = RESPONSE_MODES.join(', ');
    throw new OAuthError('response_mode_unsupported', { expected, got: mode.slice(0, 100) });
  }
  if (isMessageMode(mode)) {
    if (!isSilent(request)) throw new OAuthError('message_mode_not_silent', { got: mode });
    if (messageOrigin(redirect_uri) === null) {
      throw new OAuthError('message_mode_without_origin', { got: redirect_uri });
    }
  }
  pass(evaluation, 'response_mode', { got: mode });
}
