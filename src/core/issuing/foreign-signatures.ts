// Verifies signatures of others, such as a client's assertions, and decodes unverified JWTs (RFC 7515).

import { type JWK, compactVerify, decodeJwt, decodeProtectedHeader, errors } from 'jose';

const RSA = { kty: 'RSA', crv: undefined };

/** The keys that others may sign with, by algorithm: neither `none` nor shared secrets. */
const KEY_FOR = {
  RS256: RSA,
  RS384: RSA,
  RS512: RSA,
  PS256: RSA,
  PS384: RSA,
  PS512: RSA,
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  ES512: { kty: 'EC', crv: 'P-521' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  Ed25519: { kty: 'OKP', crv: 'Ed25519' },
} as const;

export type AssertionAlg = keyof typeof KEY_FOR;

/** The algorithms with which a client may sign its assertions. */
export const ASSERTION_ALGS = Object.keys(KEY_FOR) as readonly AssertionAlg[];

/** The algorithms for a shared secret, each with the bytes that the secret must have (RFC 7518 3.2). */
const SECRET_BYTES = { HS256: 32, HS384: 48, HS512: 64 } as const;

export const SECRET_ALGS = Object.keys(SECRET_BYTES) as readonly (keyof typeof SECRET_BYTES)[];

/**
 * Returns header and claims of a compact JWS without verifying its signature; null if the text is not a compact JWS.
 */
export function decodeJws(
  token: string,
): { header: Record<string, unknown>; claims: Record<string, unknown> } | null {
  try {
    return { header: { ...decodeProtectedHeader(token) }, claims: decodeJwt(token) };
  } catch {
    return null;
  }
}

/** Verifies the HMAC of a compact JWS. Returns how many bytes the secret needs if it is too short. */
export async function verifyWithSecret(
  token: string,
  secret: string,
  alg: keyof typeof SECRET_BYTES,
): Promise<'good' | 'signature_wrong' | { readonly needs: number; readonly has: number }> {
  const bytes = new TextEncoder().encode(secret);
  const needs = SECRET_BYTES[alg];
  if (bytes.length < needs) return { needs, has: bytes.length };
  return compactVerify(token, bytes, { algorithms: [alg] }).then(
    () => 'good',
    () => 'signature_wrong',
  );
}

/** Whether a public key is meant for an algorithm, according to its members (RFC 7517 4). */
function fits(jwk: JWK, alg: AssertionAlg): boolean {
  const { kty, crv } = KEY_FOR[alg];
  if (jwk.kty !== kty || (crv !== undefined && jwk.crv !== crv)) return false;
  return (jwk.alg ?? alg) === alg && (jwk.use ?? 'sig') === 'sig';
}

/**
 * Verifies the signature of a compact JWS with these public keys and this algorithm. Returns `key_unfit` if no key is
 * meant for the algorithm, and `key_unreadable` if none of those that are is usable.
 */
export async function verifyWithKeys(
  token: string,
  keys: readonly Readonly<Record<string, unknown>>[],
  alg: AssertionAlg,
): Promise<'good' | 'key_unfit' | 'key_unreadable' | 'signature_wrong'> {
  const fitting = (keys as readonly JWK[]).filter((jwk) => fits(jwk, alg));
  if (fitting.length === 0) return 'key_unfit';
  let outcome: 'key_unreadable' | 'signature_wrong' = 'key_unreadable';
  for (const jwk of fitting) {
    try {
      await compactVerify(token, jwk, { algorithms: [alg] });
      return 'good';
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) outcome = 'signature_wrong';
    }
  }
  return outcome;
}
