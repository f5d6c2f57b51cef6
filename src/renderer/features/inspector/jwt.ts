// A token as anyone can read it, without a key: its three parts and what they say. And, with the
// server's own keys, whether the signature holds.

import { base64url, compactVerify, errors, importJWK, type JWK } from 'jose';
import type { SigningKey } from '../../../control/schemas.ts';
import { parseObject } from '../exchange/answer.ts';

export type JsonObject = Record<string, unknown>;

export interface DecodedJwt {
  parts: readonly [header: string, payload: string, signature: string];
  header: JsonObject;
  payload: JsonObject;
}

function decodePart(part: string): JsonObject | null {
  try {
    return parseObject(new TextDecoder('utf-8', { fatal: true }).decode(base64url.decode(part)));
  } catch {
    return null;
  }
}

/** Null for whatever is no JWS in compact form (RFC 7515 3.1) with JSON inside: an opaque token. */
export function decodeJwt(token: string): DecodedJwt | null {
  const [first, second, third, ...more] = token.split('.');
  if (!first || !second || third === undefined || more.length > 0) return null;
  const header = decodePart(first);
  const payload = decodePart(second);
  return header && payload ? { parts: [first, second, third], header, payload } : null;
}

export type SignatureState =
  'checking' | 'verified' | 'broken' | 'unknown_key' | 'unpublished' | 'unable';

export interface SignatureVerdict {
  state: SignatureState;
  text: string;
}

const verdict = (state: SignatureState, text: string): SignatureVerdict => ({ state, text });

/** Checks the signature in the page with the key the header names. Says nothing about expiry. */
export async function verifySignature(
  token: string,
  { header }: DecodedJwt,
  keys: readonly SigningKey[],
): Promise<SignatureVerdict> {
  const key = keys.find(({ kid }) => kid === header.kid);
  const alg = typeof header.alg === 'string' ? header.alg : 'no alg';
  if (key === undefined)
    return verdict('unknown_key', `${alg}: no key of this server has that kid`);
  if (key.public_jwk === null) {
    return verdict(
      'unpublished',
      `${alg}: a shared secret, never published; only the server can check it`,
    );
  }
  if (!('subtle' in crypto))
    return verdict('unable', 'Signatures can be checked on localhost or HTTPS only');
  try {
    const imported = await importJWK(key.public_jwk as JWK, key.alg);
    await compactVerify(token, imported, { algorithms: [key.alg] });
  } catch (error) {
    const why =
      error instanceof errors.JWSSignatureVerificationFailed
        ? 'does not fit the token'
        : String(error);
    return verdict('broken', `${alg}: the signature ${why}`);
  }
  const where = key.published ? 'published in the JWKS' : 'retired from the JWKS';
  return verdict('verified', `${alg} with a key ${where}`);
}
