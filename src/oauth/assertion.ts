// Creates JWTs that a client signs: assertions for a user or to authenticate itself (RFC 7523 2.1, 2.2 and 3), and request
// objects (RFC 9101 4), optionally with deliberate mistakes to test a server.

import { randomBase64url, utf8 } from './base64.ts';
import type { JsonObject } from '../json.ts';
import { signJws, withOwn, type JwsKey } from './jwt.ts';

/** The registered key of a client. */
export interface AssertionKey extends JwsKey {
  readonly alg: string;
  /** undefined for a secret. */
  readonly kid?: string;
}

/** The secret of a client as a key for HS256 (client_secret_jwt: OpenID Connect Core 9). */
export const secretKey = (secret: string): AssertionKey => ({
  alg: 'HS256',
  sign: async (bytes) => {
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', utf8(secret), hmac, false, ['sign']);
    return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes));
  },
});

/** The parties of an assertion: its client, user and server. */
interface AssertionParties {
  /** The client_id. */
  readonly iss: string;
  readonly sub: string;
  /** The issuer identifier of the server. */
  readonly aud: string;
}

/** The deliberate mistakes of a JWT. Without any, it is correct. */
interface JwtOrder {
  /** Seconds ago that it was signed; negative for the future. */
  readonly age_seconds?: number;
  /** Seconds from `iat` to `exp`; 300 by default. */
  readonly lifetime_seconds?: number;
  /** Members that replace those of the header; null omits a member. */
  readonly header?: JsonObject;
  /** Claims that replace the correct ones; null omits a claim. */
  readonly claims?: JsonObject;
}

const USUAL_LIFETIME = 300;

function signTimed(
  key: AssertionKey,
  { typ, own }: { readonly typ: string; readonly own: JsonObject },
  now: number,
  { age_seconds = 0, lifetime_seconds = USUAL_LIFETIME, header, claims }: JwtOrder,
): Promise<string> {
  const iat = now - age_seconds;
  const usual = { ...own, iat, exp: iat + lifetime_seconds, jti: randomBase64url(16) };
  return signJws(
    key,
    withOwn({ typ, alg: key.alg, kid: key.kid ?? null }, header),
    withOwn(usual, claims),
  );
}

/** @param now seconds since the epoch, by the clock of the server */
export const signAssertion = (
  key: AssertionKey,
  { iss, sub, aud }: AssertionParties,
  now: number,
  order: JwtOrder = {},
): Promise<string> => signTimed(key, { typ: 'JWT', own: { iss, sub, aud } }, now, order);

/**
 * @param parameters those of the authorization request, with its client_id
 * @param aud the issuer identifier of the server
 * @param now seconds since the epoch, by the clock of the server
 */
export const signRequestObject = (
  key: AssertionKey,
  { aud, parameters }: { readonly aud: string; readonly parameters: JsonObject },
  now: number,
  order: JwtOrder = {},
): Promise<string> => {
  const own = { iss: parameters['client_id'], aud, ...parameters };
  return signTimed(key, { typ: 'oauth-authz-req+jwt', own }, now, order);
};
