// Assertions with which a client vouches for a user (RFC 7523 2.1 and 3), and, for whoever tests a server, with
// deliberate mistakes.

import { encodeBase64url } from './base64.ts';
import { withOwn, type JsonObject } from './json-object.ts';
import { signJws, type JwsKey } from './jwt.ts';

/** The key of a client, as the client has registered it. */
export interface AssertionKey extends JwsKey {
  readonly alg: string;
  readonly kid: string;
}

/** Who vouches for whom, and to whom. */
interface AssertionParties {
  /** The client_id. */
  readonly iss: string;
  readonly sub: string;
  /** The issuer identifier of the server. */
  readonly aud: string;
}

/** An assertion: without a member it is a right one. */
interface AssertionOrder {
  /** Seconds by which it was signed in the past; below zero, in the future. */
  readonly age_seconds?: number;
  /** From `iat` to `exp`; 300 without it. */
  readonly lifetime_seconds?: number;
  /** Members that replace those of the header; null omits one. */
  readonly header?: JsonObject;
  /** Claims that replace its own; null omits one. */
  readonly claims?: JsonObject;
  /** Whether another key signs, in the name of the registered one. */
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
