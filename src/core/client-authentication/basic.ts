// HTTP Basic credentials of a client (RFC 7617, RFC 6749 2.3.1): form-decoded as the RFC says, and as they
// were sent, since most clients do not encode them.

import { readAuthorization } from './authorization-header.ts';

export interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

/** The alphabets of base64 and of base64url, which some clients write by mistake. */
const BASE64 = /^[A-Za-z0-9+/=_-]+$/;

export const isBasic = (authorization: string): boolean =>
  readAuthorization(authorization).scheme === 'basic';

function decodeBase64(credentials: string): string {
  const bytes = atob(credentials.replaceAll('-', '+').replaceAll('_', '/'));
  const escaped = Array.from(
    bytes,
    (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return decodeURIComponent(escaped.join(''));
}

/** The credentials of an HTTP Basic header without form-decoding; null if malformed. */
export function readBasicAsSent(authorization: string): BasicCredentials | null {
  const { scheme, credentials } = readAuthorization(authorization);
  if (scheme !== 'basic' || !BASE64.test(credentials)) return null;
  try {
    const text = decodeBase64(credentials);
    const colon = text.indexOf(':');
    return colon < 1 ? null : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  } catch {
    return null;
  }
}

/** The credentials of an HTTP Basic header, form-decoded as RFC 6749 2.3.1 says; null if malformed. */
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
