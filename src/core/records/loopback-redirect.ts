// Redirect URIs that lead to the loopback interface of the machine (RFC 8252 7.3), as they are written: redirect URIs
// are compared character by character (RFC 9700 2.1).

import type { Client } from './schemas.ts';

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?(?=[/?]|$)/;

export interface LoopbackRedirect {
  /** Scheme and host. */
  readonly origin: string;
  /** null where it names none. */
  readonly port: number | null;
  /** Path and query. */
  readonly rest: string;
}

/** null for every other URI. */
export function parseLoopbackRedirect(uri: string): LoopbackRedirect | null {
  const [whole = '', origin, port] = LOOPBACK.exec(uri) ?? [];
  if (origin === undefined || !URL.canParse(uri)) return null;
  return { origin, port: port === undefined ? null : Number(port), rest: uri.slice(whole.length) };
}

function withoutPort(uri: string): string | null {
  const parsed = parseLoopbackRedirect(uri);
  return parsed && parsed.origin + parsed.rest;
}

/** Whether the client registered it, but for the port where that may vary: of a native client on the loopback. */
export function isOwnRedirectUri(
  { redirect_uris, application_type }: Pick<Client, 'redirect_uris' | 'application_type'>,
  given: string,
): boolean {
  if (redirect_uris.includes(given)) return true;
  const bare = application_type === 'native' ? withoutPort(given) : null;
  return bare !== null && redirect_uris.some((uri) => withoutPort(uri) === bare);
}
