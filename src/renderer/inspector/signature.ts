// Whether a token's signature holds against the server's own keys, or those that are given beside it. Checked in the
// page: the token goes nowhere. jose is loaded when first needed.

import type { SigningKey } from '../../control/schemas.ts';
import type { DecodedJwt } from '../../oauth/jwt.ts';
import type { GivenKey } from './given-keys.ts';

export type SignatureState =
  'checking' | 'verified' | 'broken' | 'unknown_key' | 'unsigned' | 'unpublished' | 'unable';

export interface SignatureVerdict {
  state: SignatureState;
  text: string;
}

/** A key that may have signed a token. */
interface Candidate {
  /** null: it may have signed a token that names another key, or none. */
  readonly kid: string | null;
  /** The one algorithm that it is for; null where it does not say. */
  readonly alg: string | null;
  /** null: it is never published. */
  readonly material: GivenKey['material'] | null;
  /** How a signature that it verifies was made, in words that follow the algorithm. */
  readonly holds: string;
}

/** The keys that a token is checked with, and whose they are, for sentences. */
export interface VerificationKeys {
  readonly whose: 'this server' | 'those given';
  readonly keys: readonly Candidate[];
}

const verdict = (state: SignatureState, text: string): SignatureVerdict => ({ state, text });

function holdsInWords({ signing, published }: SigningKey): string {
  if (!published) return 'with a key retired from the JWKS';
  return signing
    ? 'with a key published in the JWKS'
    : 'with a previous key, which is still published in the JWKS';
}

export function keysOfServer(keys: readonly SigningKey[]): VerificationKeys {
  const candidates = keys.map((key) => ({
    kid: key.kid,
    alg: key.alg,
    material: key.public_jwk === null ? null : { kind: 'jwk' as const, jwk: key.public_jwk },
    holds: holdsInWords(key),
  }));
  return { whose: 'this server', keys: candidates };
}

export function keysGiven(keys: readonly GivenKey[]): VerificationKeys {
  return { whose: 'those given', keys: keys.map((key) => ({ ...key, holds: 'with a key given' })) };
}

/** The keys that may have signed it: the one it names, or all of its algorithm when it names none. */
function candidates({ header }: DecodedJwt, keys: readonly Candidate[]): readonly Candidate[] {
  const { kid, alg } = header;
  return kid === undefined
    ? keys.filter((key) => key.alg === null || key.alg === alg)
    : keys.filter((key) => key.kid === null || key.kid === kid);
}

async function importMaterial(material: GivenKey['material'], alg: string) {
  const { importJWK, importSPKI, importX509 } = await import('jose');
  switch (material.kind) {
    case 'jwk':
      return importJWK(material.jwk, alg);
    case 'spki':
      return importSPKI(material.pem, alg);
    case 'x509':
      return importX509(material.pem, alg);
    case 'secret':
      return new TextEncoder().encode(material.text);
  }
}

/** null: this browser, or a key of this kind, cannot say. */
async function fits(
  token: string,
  material: GivenKey['material'],
  alg: string,
): Promise<boolean | null> {
  const { compactVerify, errors } = await import('jose');
  try {
    const key = await importMaterial(material, alg);
    await compactVerify(token, key, { algorithms: [alg] });
    return true;
  } catch (error) {
    return error instanceof errors.JWSSignatureVerificationFailed ? false : null;
  }
}

function withoutCandidate(
  { header }: DecodedJwt,
  alg: string,
  { whose }: VerificationKeys,
): SignatureVerdict {
  const ours = whose === 'this server';
  if (header.kid === undefined) {
    const which = ours ? 'this server has no key' : 'none of the keys given is';
    return verdict('unknown_key', `${alg}: it has no kid, and ${which} for that algorithm`);
  }
  const which = ours
    ? 'no key of this server has that kid; the token comes from another issuer, or its key is gone'
    : 'none of the keys given has that kid';
  return verdict('unknown_key', `${alg}: ${which}`);
}

/** Checks the signature in the page with the key the header names. Says nothing about expiry. */
export async function verifySignature(
  token: string,
  jwt: DecodedJwt,
  known: VerificationKeys,
): Promise<SignatureVerdict> {
  const { header } = jwt;
  const alg = typeof header.alg === 'string' ? header.alg : 'no alg';
  if (alg.toLowerCase() === 'none') {
    const what =
      jwt.parts[2] === '' ? 'anyone can create such a token' : 'its signature means nothing';
    return verdict('unsigned', `alg none: ${what}. A verifier must reject it (RFC 8725 3.2).`);
  }
  const keys = candidates(jwt, known.keys);
  const [first] = keys;
  if (first === undefined) return withoutCandidate(jwt, alg, known);
  if (first.alg !== null && header.alg !== first.alg) {
    return verdict(
      'broken',
      `the header says ${alg}, but the key with that kid is for ${first.alg}`,
    );
  }
  if (first.material === null) {
    return verdict(
      'unpublished',
      `${alg}: a shared secret, never published; only the server can check it`,
    );
  }
  if (!('subtle' in crypto)) {
    return verdict('unable', 'Signatures can be checked on localhost or HTTPS only');
  }
  let unable = false;
  for (const { material, holds: words } of keys) {
    const holds = material === null ? null : await fits(token, material, alg);
    if (holds === true) return verdict('verified', `${alg} ${words}`);
    unable ||= holds === null;
  }
  if (unable) {
    return verdict('unable', `${alg}: ${UNABLE[known.whose]}`);
  }
  return header.kid === undefined && known.whose === 'this server'
    ? verdict('unknown_key', `${alg}: it has no kid, and no key of this server verifies it`)
    : verdict('broken', `${alg}: the signature does not match the token`);
}

const UNABLE = {
  'this server': 'this browser cannot check this kind of signature',
  'those given': 'the key given is not for this algorithm, or this browser cannot check it',
};
