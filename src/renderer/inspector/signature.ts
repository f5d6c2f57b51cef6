// Verifies the signature of a token with the keys of the server or with given keys. This happens in the page, and the token
// is not sent. jose is loaded on first use.

import type { SigningKey } from '../../control/schemas.ts';
import type { DecodedJwt } from '../../oauth/jwt.ts';
import type { GivenKey } from './given-keys.ts';

export type SignatureState =
  'checking' | 'verified' | 'broken' | 'unknown_key' | 'unsigned' | 'unpublished' | 'unable';

export interface SignatureVerdict {
  state: SignatureState;
  text: string;
}

interface Candidate {
  /** null: the key may have signed a token with any kid, or without one. */
  readonly kid: string | null;
  /** The algorithm that the key is for; null when unknown. */
  readonly alg: string | null;
  /** null: never published. */
  readonly material: GivenKey['material'] | null;
  /** Says which key made a verified signature, in words that follow the algorithm. */
  readonly holds: string;
}

/** The keys that verify a token, and where they are from. */
export interface VerificationKeys {
  readonly whose: 'this server' | 'given keys';
  readonly keys: readonly Candidate[];
}

const verdict = (state: SignatureState, text: string): SignatureVerdict => ({ state, text });

/** @param newer the keys that were added after it */
function holdsInWords({ alg, published }: SigningKey, newer: readonly SigningKey[]): string {
  if (!published) return 'with a key retired from the JWK Set';
  return newer.some((key) => key.alg === alg)
    ? 'with a previous key, which is still published in the JWK Set'
    : 'with a key published in the JWK Set';
}

export function keysOfServer(keys: readonly SigningKey[]): VerificationKeys {
  const candidates = keys.map((key, index) => ({
    kid: key.kid,
    alg: key.alg,
    material: key.public_jwk === null ? null : { kind: 'jwk' as const, jwk: key.public_jwk },
    holds: holdsInWords(key, keys.slice(0, index)),
  }));
  return { whose: 'this server', keys: candidates };
}

export function keysGiven(keys: readonly GivenKey[]): VerificationKeys {
  return { whose: 'given keys', keys: keys.map((key) => ({ ...key, holds: 'with a given key' })) };
}

/** The keys that may have signed the token: those with its kid; else those of its algorithm that have no other kid. */
function candidates({ header }: DecodedJwt, keys: readonly Candidate[]): readonly Candidate[] {
  const { kid, alg } = header;
  const named = keys.filter((key) => key.kid !== null && key.kid === kid);
  if (named.length > 0) return named;
  const unnamed = kid === undefined ? keys : keys.filter((key) => key.kid === null);
  return unnamed.filter((key) => key.alg === null || key.alg === alg);
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

/** Returns null when this browser cannot verify with this key. */
async function fits(
  token: string,
  material: GivenKey['material'],
  alg: string,
  { crit }: DecodedJwt['header'],
): Promise<boolean | null> {
  const { compactVerify, errors } = await import('jose');
  // A critical member that is not understood is a finding of its own, and does not change the signature.
  const critical = Array.isArray(crit) ? crit.map((name) => [String(name), true] as const) : [];
  try {
    const key = await importMaterial(material, alg);
    await compactVerify(token, key, { algorithms: [alg], crit: Object.fromEntries(critical) });
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
    const which = ours ? 'this server has no key' : 'none of the given keys is';
    return verdict('unknown_key', `${alg}: it has no kid, and ${which} for that algorithm`);
  }
  const which = ours
    ? 'no key of this server has that kid; the token is from another issuer or an earlier run, or its key was retired'
    : 'none of the given keys has that kid';
  return verdict('unknown_key', `${alg}: ${which}`);
}

/** Verifies the signature in the page with the key that the header names. Does not check expiry. */
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
    const holds = material === null ? null : await fits(token, material, alg, header);
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
  'given keys': 'the given key is not for this algorithm, or this browser cannot check it',
};
