// Signatures that others made: a client's assertions, and what nobody has verified yet (RFC 7515).

import type { JWK } from 'jose';
import { compactVerify, decodeJwt, decodeProtectedHeader, errors } from 'jose';

const RSA = { kty: 'RSA', crv: undefined };

/** The keys that other people's signatures may be made with, by algorithm: no `none`, no secret. */
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

/** What a client may sign its assertions with. */
export const ASSERTION_ALGS = Object.keys(KEY_FOR) as readonly AssertionAlg[];

/** Header and claims of a compact JWS whose signature nobody has checked; null for what is none. */
export function decodeJws(
  token: string,
): { header: Record<string, unknown>; claims: Record<string, unknown> } | null {
  try {
    return { header: { ...decodeProtectedHeader(token) }, claims: decodeJwt(token) };
  } catch {
    return null;
  }
}

/** Whether a public key is meant for an algorithm, by what it says of itself (RFC 7517 4). */
function fits(jwk: JWK, alg: AssertionAlg): boolean {
  const { kty, crv } = KEY_FOR[alg];
  if (jwk.kty !== kty || (crv !== undefined && jwk.crv !== crv)) return false;
  return (jwk.alg ?? alg) === alg && (jwk.use ?? 'sig') === 'sig';
}

/**
 * Whether one of these public keys made the signature of a compact JWS with this algorithm.
 * `key_unfit`: none is meant for it; `key_unreadable`: none of those that are is a usable key.
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
