// How an authorization response travels (RFC 6749 4.1.2, OAuth 2.0 Multiple Response Type Encoding Practices 2.1,
// OAuth 2.0 Form Post Response Mode, draft-sakimura-oauth-wmrm-01): where it goes, by which mode, and what it says.

import { keptText } from '../collections/kept-text.ts';
import type { ResponseMode } from './response-mode.ts';

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
