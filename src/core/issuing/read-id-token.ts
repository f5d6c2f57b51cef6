// ID tokens that a client sends back: as a hint, or in a token exchange.

import { isJsonObject } from '../../json.ts';
import { parseAccessTokenId } from '../model/access-token-id.ts';
import type { Registry } from '../registry/lists.ts';
import { ID_CLAIMS } from '../shape/template-rules.ts';
import { decodeJws } from './foreign-signatures.ts';
import type { Keyring, VerifiedJws } from './keyring.ts';
import { LOGOUT_EVENT } from './logout-token.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Whether these are the claims of an access token of this service. */
export const isAccessToken = (claims: Claims): boolean =>
  ID_CLAIMS.some((name) => parseAccessTokenId(claims[name]) !== null);

/** Returns why a JWT that this issuer signed is not an ID token (OpenID Connect Core 2); null if it is one. */
export function otherThanIdToken(claims: Claims, issuer: string): string | null {
  if (isAccessToken(claims)) return 'it is an access token';
  if (claims['aud'] === issuer) return 'it is a refresh token';
  if (isJsonObject(claims['events']) && LOGOUT_EVENT in claims['events']) {
    return 'it is a logout token';
  }
  const missing = ['sub', 'iat', 'exp'].find((name) => claims[name] === undefined);
  return missing === undefined ? null : `it has no ${missing}`;
}

/** Returns the `client_id` that an ID token was issued to; empty if it has none. */
export function audienceOf({ aud }: Claims): string {
  const first: unknown = Array.isArray(aud) ? aud[0] : aud;
  return typeof first === 'string' ? first : '';
}

interface Issuer {
  readonly registry: Registry;
  readonly keyring: Keyring;
}

export const clientOfIdToken = (claims: Claims, { registry }: Pick<Issuer, 'registry'>) =>
  registry.clients.get(audienceOf(claims));

/** Verifies an ID token. With HS256, it is signed with the secret of its client (OpenID Connect Core 10.1). */
export async function verifyIdToken(token: string, issuer: Issuer): Promise<VerifiedJws> {
  const decoded = decodeJws(token);
  if (decoded === null) return { problem: 'malformed' };
  const secret = clientOfIdToken(decoded.claims, issuer)?.client_secret ?? null;
  const isShared = decoded.header['alg'] === 'HS256' && decoded.header['kid'] === undefined;
  return isShared && secret !== null
    ? issuer.keyring.verifyShared(token, secret)
    : issuer.keyring.verify(token);
}
