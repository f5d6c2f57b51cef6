// A client that signs assertions (private_key_jwt): its key, its record, and each claim to override.

import type { CryptoKey, JWK, JWTHeaderParameters } from 'jose';
import { SignJWT } from 'jose';
import { keyPair } from './key-pairs.ts';

export const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export interface ClientKey {
  readonly alg: string;
  readonly private_key: CryptoKey;
  /** As it is registered. */
  readonly jwk: JWK & { kty: 'RSA' | 'EC' | 'OKP' };
}

export async function clientKey(kid: string | null = 'k1', alg = 'ES256'): Promise<ClientKey> {
  const { private_key, public_jwk } = await keyPair(alg);
  const jwk = { ...public_jwk, ...(kid === null ? {} : { kid }) };
  return { alg, private_key, jwk: jwk as ClientKey['jwk'] };
}

/** The record of a client that authenticates with these keys. */
export const signingClient = (...keys: readonly ClientKey[]) => ({
  token_endpoint_auth_method: 'private_key_jwt' as const,
  client_secret: null,
  jwks: { keys: keys.map(({ jwk }) => jwk) },
});

let made = 0;

/** Claims as RFC 7523 3 has them, each with a new `jti`; undefined leaves one out. @param at ms */
export function assertionClaims(
  aud: unknown,
  at: number,
  claims: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  made += 1;
  const iat = Math.floor(at / 1000);
  const own = { iss: 'demo-app', sub: 'demo-app', aud, iat, exp: iat + 60, jti: `jti-${made}` };
  return { ...own, ...claims };
}

export function signAssertion(
  { alg, private_key, jwk }: ClientKey,
  claims: Record<string, unknown>,
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  const kid = jwk.kid === undefined ? {} : { kid: jwk.kid };
  return new SignJWT(claims).setProtectedHeader({ alg, ...kid, ...header }).sign(private_key);
}
