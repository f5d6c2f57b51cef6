// Parses the DPoP header (RFC 9449 4.2): one compact JWS with a public key in its header. Its signature is not
// verified here.

import { requiredText, requiredTime } from '../client-authentication/signed-assertion.ts';
import { ASSERTION_ALGS, type AssertionAlg, decodeJws } from '../issuing/foreign-signatures.ts';
import { isJsonObject } from '../../json.ts';
import { PRIVATE_JWK_MEMBERS } from '../records/enumerations.ts';
import { OAuthError } from '../checks/errors.ts';

/** A proof whose parts have the form that RFC 9449 4.2 gives them. */
export interface Proof {
  readonly jwt: string;
  readonly alg: AssertionAlg;
  /** The public key in its header, as claimed. */
  readonly jwk: Readonly<Record<string, unknown>>;
  readonly jti: string;
  readonly htm: string;
  readonly htu: string;
  /** Seconds since the epoch. */
  readonly iat: number;
  /** The claim as sent; null if there is none. */
  readonly nonce: unknown;
  readonly ath: unknown;
}

/** The algorithms with which proofs may be signed (RFC 9449 5.1): neither `none` nor shared secrets. */
export const DPOP_ALGS = ASSERTION_ALGS;

/**
 * The maximum length of a proof. With a key and a signature of 16,384 bits, the most that OpenSSL supports, it has
 * 6,500.
 */
const MAX_CHARACTERS = 8192;

/**
 * Checks that the header has one proof. Several fields are combined with commas (RFC 9110 5.3), which no JWT
 * contains.
 */
function checkOne(header: string): void {
  if (header.includes(',')) throw new OAuthError('dpop_repeated');
  if (header.length > MAX_CHARACTERS) {
    throw new OAuthError('dpop_too_long', { expected: String(MAX_CHARACTERS) });
  }
}

function checkAlg(alg: unknown): AssertionAlg {
  const known = DPOP_ALGS.find((supported) => supported === alg);
  if (known !== undefined) return known;
  const got = typeof alg === 'string' ? alg : 'missing';
  throw new OAuthError('dpop_alg_refused', { expected: DPOP_ALGS.join(', '), got });
}

function checkKey(jwk: unknown): Proof['jwk'] {
  if (!isJsonObject(jwk)) throw new OAuthError('dpop_jwk_missing');
  const secret = PRIVATE_JWK_MEMBERS.filter((name) => name in jwk);
  if (secret.length > 0) throw new OAuthError('dpop_jwk_private', { got: secret.join(', ') });
  return jwk;
}

/**
 * Parses the value of the DPoP header: checks 1 to 5 and 7 of RFC 9449 4.3.
 * @throws OAuthError `invalid_dpop_proof` for each of them
 */
export function readProof(header: string): Proof {
  checkOne(header);
  const decoded = decodeJws(header);
  if (decoded === null || decoded.header['crit'] !== undefined) {
    throw new OAuthError('dpop_malformed');
  }
  const { header: protectedHeader, claims } = decoded;
  const { typ } = protectedHeader;
  if (typ !== 'dpop+jwt') {
    const got = typeof typ === 'string' ? typ : 'missing';
    throw new OAuthError('dpop_typ_wrong', { expected: 'dpop+jwt', got });
  }
  const alg = checkAlg(protectedHeader['alg']);
  const jwk = checkKey(protectedHeader['jwk']);
  const proof = { kind: 'dpop', claims } as const;
  return {
    jwt: header,
    alg,
    jwk,
    jti: requiredText(proof, 'jti'),
    htm: requiredText(proof, 'htm'),
    htu: requiredText(proof, 'htu'),
    iat: requiredTime(proof, 'iat'),
    nonce: claims['nonce'] ?? null,
    ath: claims['ath'] ?? null,
  };
}
