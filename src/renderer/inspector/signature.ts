// Whether a token's signature holds against the server's own keys. Checked in the page, with what the
// server has published of its keys; the token goes nowhere. jose is loaded when first needed.

import type { JWK } from 'jose';
import type { SigningKey } from '../../control/schemas.ts';
import type { DecodedJwt } from '../../oauth/jwt.ts';

export type SignatureState =
  'checking' | 'verified' | 'broken' | 'unknown_key' | 'unsigned' | 'unpublished' | 'unable';

export interface SignatureVerdict {
  state: SignatureState;
  text: string;
}

const verdict = (state: SignatureState, text: string): SignatureVerdict => ({ state, text });

/** The keys that may have signed it: the one it names, or all of its algorithm when it names none. */
function candidates({ header }: DecodedJwt, keys: readonly SigningKey[]): readonly SigningKey[] {
  return header.kid === undefined
    ? keys.filter(({ alg }) => alg === header.alg)
    : keys.filter(({ kid }) => kid === header.kid);
}

/** null: this browser cannot say. */
async function fits(token: string, key: SigningKey): Promise<boolean | null> {
  const { compactVerify, errors, importJWK } = await import('jose');
  try {
    const imported = await importJWK(key.public_jwk as JWK, key.alg);
    await compactVerify(token, imported, { algorithms: [key.alg] });
    return true;
  } catch (error) {
    return error instanceof errors.JWSSignatureVerificationFailed ? false : null;
  }
}

const HOLDS = {
  published: 'with a key published in the JWKS',
  retired: 'with a key retired from the JWKS',
};

function withoutCandidate({ header }: DecodedJwt, alg: string): SignatureVerdict {
  const which =
    header.kid === undefined
      ? 'it has no kid, and this server has no key for that algorithm'
      : 'no key of this server has that kid; the token comes from another issuer, or its key is gone';
  return verdict('unknown_key', `${alg}: ${which}`);
}

/** Checks the signature in the page with the key the header names. Says nothing about expiry. */
export async function verifySignature(
  token: string,
  jwt: DecodedJwt,
  keys: readonly SigningKey[],
): Promise<SignatureVerdict> {
  const { header } = jwt;
  const alg = typeof header.alg === 'string' ? header.alg : 'no alg';
  if (alg.toLowerCase() === 'none') {
    const what =
      jwt.parts[2] === '' ? 'anyone can create such a token' : 'its signature means nothing';
    return verdict('unsigned', `alg none: ${what}. A verifier must reject it (RFC 8725 3.2).`);
  }
  const known = candidates(jwt, keys);
  const [first] = known;
  if (first === undefined) return withoutCandidate(jwt, alg);
  if (header.alg !== first.alg) {
    return verdict(
      'broken',
      `the header says ${alg}, but the key with that kid is for ${first.alg}`,
    );
  }
  if (first.public_jwk === null) {
    return verdict(
      'unpublished',
      `${alg}: a shared secret, never published; only the server can check it`,
    );
  }
  if (!('subtle' in crypto)) {
    return verdict('unable', 'Signatures can be checked on localhost or HTTPS only');
  }
  let unable = false;
  for (const key of known) {
    const holds = await fits(token, key);
    if (holds === true) {
      return verdict('verified', `${alg} ${key.published ? HOLDS.published : HOLDS.retired}`);
    }
    unable ||= holds === null;
  }
  if (header.kid === undefined && !unable) {
    return verdict('unknown_key', `${alg}: it has no kid, and no key of this server verifies it`);
  }
  return unable
    ? verdict('unable', `${alg}: this browser cannot check this kind of signature`)
    : verdict('broken', `${alg}: the signature does not match the token`);
}
