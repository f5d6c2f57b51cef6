// Parses the Authorization header (RFC 9110 11.6.2), in the same way wherever it is used, into the scheme and what
// follows it. It does not use a regular expression, because those take quadratic time over long runs of spaces. The
// caller interprets the credentials.

interface Authorization {
  /** In lower case: schemes are compared case-insensitively. */
  readonly scheme: string;
  /** What follows the scheme, without surrounding spaces; empty if nothing does. */
  readonly credentials: string;
}

/** @param header the value of the header; null or undefined if there is none */
export function readAuthorization(header: string | null | undefined): Authorization {
  const text = header ?? '';
  const mark = text.search(/[ \t]/);
  if (mark < 0) return { scheme: text.toLowerCase(), credentials: '' };
  let start = mark;
  while (text[start] === ' ') start += 1;
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  // Only spaces separate the two: after a tab there are no credentials.
  const credentials = start === mark ? '' : text.slice(start, end);
  return { scheme: text.slice(0, mark).toLowerCase(), credentials };
}

export interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

/** The alphabets of base64 and of base64url, which some clients use by mistake. */
const BASE64 = /^[A-Za-z0-9+/=_-]+$/;

export const isBasic = (authorization: string): boolean =>
  readAuthorization(authorization).scheme === 'basic';

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text that an HTTP Basic header contains; null if it is not base64 of UTF-8. */
function basicText(authorization: string): string | null {
  const { scheme, credentials } = readAuthorization(authorization);
  if (scheme !== 'basic' || !BASE64.test(credentials)) return null;
  try {
    const bytes = atob(credentials.replaceAll('-', '+').replaceAll('_', '/'));
    return UTF_8.decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** Returns what an HTTP Basic header without a colon contains, which some clients send as the client_id; or null. */
export function readBasicIdAlone(authorization: string): string | null {
  const text = basicText(authorization);
  return text === null || text.includes(':') ? null : text;
}

/** Returns the credentials of an HTTP Basic header without form-decoding them; null if they are malformed. */
export function readBasicAsSent(authorization: string): BasicCredentials | null {
  const text = basicText(authorization);
  if (text === null) return null;
  const colon = text.indexOf(':');
  return colon < 1 ? null : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** Returns the credentials of an HTTP Basic header, form-decoded as RFC 6749 2.3.1 says; null if they are malformed. */
export function parseBasic(authorization: string): BasicCredentials | null {
  const sent = readBasicAsSent(authorization);
  if (sent === null) return null;
  const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '));
  try {
    return { id: decode(sent.id), secret: decode(sent.secret) };
  } catch {
    return null;
  }
}
