// Validates redirect URIs, and compares them with those of a client. It uses no schemas, so that a start stays fast.

import { UNSAFE_SCHEMES } from './enumerations.ts';

/** Printable ASCII (RFC 6749 appendix A). */
export const VSCHAR = /^[\x20-\x7e]*$/;

/** The messages for every single-line text in a record. */
export const VISIBLE_RULES = {
  empty: 'must not be empty',
  long: (max: number) => `must be at most ${max} characters`,
  ascii: 'must be printable ASCII (RFC 6749 appendix A)',
};

export const MAX_URI = 2000;

export function absoluteUri(value: string): URL | null {
  return /^[a-z][a-z0-9+.-]*:/i.test(value) && URL.canParse(value) ? new URL(value) : null;
}

/** `localhost:3000/callback` would be parsed as a URI with the scheme `localhost:`. */
const HOST_AND_PORT = /^[a-z0-9.-]+:\d+(?=[/?#]|$)/i;

/** Returns why a browser must not be redirected to a URI (RFC 6749 3.1.2); null if it can be. */
export function redirectUriFault(value: string): 'relative' | 'unsafe' | 'fragment' | null {
  const uri = HOST_AND_PORT.test(value) ? null : absoluteUri(value);
  if (uri === null || /\s/.test(value)) return 'relative';
  if ((UNSAFE_SCHEMES as readonly string[]).includes(uri.protocol)) return 'unsafe';
  return value.includes('#') ? 'fragment' : null;
}

const FAULTS = {
  relative: (value: string) =>
    HOST_AND_PORT.test(value)
      ? 'must begin with a scheme such as http://, not with a host and port'
      : 'must be an absolute URI (RFC 6749 3.1.2)',
  unsafe: (value: string) => `must not use the scheme ${new URL(value).protocol}`,
  fragment: () => 'must not have a fragment (RFC 6749 3.1.2)',
};

/** The broken rules as messages that continue a sentence after the name of the member. */
export function redirectUriRule(value: string): string | null {
  const fault = redirectUriFault(value);
  return fault === null ? null : FAULTS[fault](value);
}

/**
 * Returns why a text cannot be registered as a redirect URI, as a message that continues a sentence after its name;
 * null if it can.
 */
export function redirectUriProblem(value: string): string | null {
  if (value === '') return VISIBLE_RULES.empty;
  if (value.length > MAX_URI) return VISIBLE_RULES.long(MAX_URI);
  return VSCHAR.test(value) ? redirectUriRule(value) : VISIBLE_RULES.ascii;
}

/**
 * A URI on the loopback interface (RFC 8252 7.3). It is not normalized, because URIs are compared by characters (RFC
 * 9700 2.1).
 */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?(?=[/?]|$)/;

interface LoopbackRedirect {
  /** Scheme and host. */
  readonly origin: string;
  readonly port: number | null;
  /** Path and query. */
  readonly rest: string;
}

/** Returns null for every other URI. */
export function parseLoopbackRedirect(uri: string): LoopbackRedirect | null {
  const [whole = '', origin, port] = LOOPBACK.exec(uri) ?? [];
  if (origin === undefined || !URL.canParse(uri)) return null;
  return { origin, port: port === undefined ? null : Number(port), rest: uri.slice(whole.length) };
}

function withoutPort(uri: string): string | null {
  const parsed = parseLoopbackRedirect(uri);
  return parsed && parsed.origin + parsed.rest;
}

/** The members of a client's record that are compared. */
interface OwnRedirectUris {
  readonly redirect_uris: readonly string[];
  readonly application_type: string;
}

/** Whether the client registered the URI. For a native client, the port of a loopback URI may vary. */
export function isOwnRedirectUri(
  { redirect_uris, application_type }: OwnRedirectUris,
  given: string,
): boolean {
  if (redirect_uris.includes(given)) return true;
  const bare = application_type === 'native' ? withoutPort(given) : null;
  return bare !== null && redirect_uris.some((uri) => withoutPort(uri) === bare);
}
