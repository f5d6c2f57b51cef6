// Creates assertions that a client signs for a user (RFC 7523 2.1 and 3), optionally with deliberate mistakes to test
// a server.

import { encodeBase64url } from './base64.ts';
import type { JsonObject } from '../json.ts';
import { signJws, withOwn, type JwsKey } from './jwt.ts';

/** The registered key of a client. */
export interface AssertionKey extends JwsKey {
  readonly alg: string;
  readonly kid: string;
}

/** The parties of an assertion: its client, user and server. */
interface AssertionParties {
  /** The client_id. */
  readonly iss: string;
  readonly sub: string;
  /** The issuer identifier of the server. */
  readonly aud: string;
}

/** The deliberate mistakes of an assertion. Without any, it is correct. */
interface AssertionOrder {
  /** Seconds ago that it was signed; negative for the future. */
  readonly age_seconds?: number;
  /** Seconds from `iat` to `exp`; 300 by default. */
  readonly lifetime_seconds?: number;
  /** Members that replace those of the header; null omits a member. */
  readonly header?: JsonObject;
  /** Claims that replace the correct ones; null omits a claim. */
  readonly claims?: JsonObject;
  /** Whether a different key signs, with the kid of the registered one. */
  readonly other_key?: true;
}

const USUAL_LIFETIME = 300;

/** @param now seconds since the epoch, by the clock of the server */
export function signAssertion(
  key: AssertionKey,
  { iss, sub, aud }: AssertionParties,
  now: number,
  order: AssertionOrder = {},
): Promise<string> {
  const { age_seconds = 0, lifetime_seconds = USUAL_LIFETIME, header, claims } = order;
  const iat = now - age_seconds;
  const jti = encodeBase64url(crypto.getRandomValues(new Uint8Array(16)));
  const usual = { iss, sub, aud, iat, exp: iat + lifetime_seconds, jti };
  return signJws(
    key,
    withOwn({ typ: 'JWT', alg: key.alg, kid: key.kid }, header),
    withOwn(usual, claims),
  );
}
