// Keys that are pasted to check a foreign token with: a JWK, a JWK Set, a public key or certificate in PEM, or the
// secret of an HMAC. Read in the page and kept nowhere.

import { isJsonObject, type JsonObject } from '../../oauth/json-object.ts';

export interface GivenKey {
  readonly kid: string | null;
  readonly alg: string | null;
  readonly material:
    | { readonly kind: 'jwk'; readonly jwk: JsonObject }
    | { readonly kind: 'spki' | 'x509'; readonly pem: string }
    | { readonly kind: 'secret'; readonly text: string };
}

export type ReadKeys = { readonly keys: readonly GivenKey[] } | { readonly problem: string };

/** Longer texts are refused, as are sets of more keys. */
export const MOST_CHARACTERS = 100_000;
const MOST_KEYS = 100;

/** A verifier needs the public part alone (RFC 7518 6.2.2, RFC 7518 6.3.2, RFC 8037 2). */
const PRIVATE = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth']);

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function ofJwk(jwk: JsonObject): GivenKey {
  const open = Object.entries(jwk).filter(([name]) => !PRIVATE.has(name));
  return {
    kid: textOf(jwk['kid']),
    alg: textOf(jwk['alg']),
    material: { kind: 'jwk', jwk: Object.fromEntries(open) },
  };
}

function ofJson(value: unknown): ReadKeys {
  if (!isJsonObject(value)) return { problem: 'is JSON, but no object: a JWK or a JWK Set is one' };
  const { keys = [value] } = value;
  if (!Array.isArray(keys)) return { problem: 'has keys that are not an array (RFC 7517 5)' };
  if (keys.length > MOST_KEYS)
    return { problem: `has ${keys.length} keys, more than ${MOST_KEYS}` };
  const jwks = keys.filter(isJsonObject).filter(({ kty }) => typeof kty === 'string');
  return jwks.length === 0
    ? { problem: 'is JSON, but has no JWK: a key has the member kty (RFC 7517 4.1)' }
    : { keys: jwks.map(ofJwk) };
}

const PEM = /^-----BEGIN ([A-Z ]+)-----/;

function ofPem(pem: string, label: string): ReadKeys {
  const key = (kind: 'spki' | 'x509') => ({
    keys: [{ kid: null, alg: null, material: { kind, pem } }],
  });
  if (label === 'PUBLIC KEY') return key('spki');
  if (label === 'CERTIFICATE') return key('x509');
  return { problem: `is a PEM of ${label}: give the PUBLIC KEY, or a CERTIFICATE` };
}

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/**
 * Never throws.
 * @param alg of the token's header: a plain text is the secret of an HMAC (RFC 7518 3.2)
 */
export function readKeys(given: string, alg: unknown): ReadKeys {
  const text = given.trim();
  if (text === '') return { keys: [] };
  if (text.length > MOST_CHARACTERS) {
    return { problem: `is longer than ${MOST_CHARACTERS.toLocaleString('en')} characters` };
  }
  const label = PEM.exec(text)?.[1];
  if (label !== undefined) return ofPem(text, label);
  if (text.startsWith('{') || text.startsWith('[')) {
    try {
      return ofJson(JSON.parse(text));
    } catch {
      return { problem: 'begins as JSON, but is not JSON' };
    }
  }
  if (typeof alg === 'string' && alg.startsWith('HS')) {
    return { keys: [{ kid: null, alg: null, material: { kind: 'secret', text } }] };
  }
  return { problem: 'is no key: give a JWK, a JWK Set, or a public key or certificate in PEM' };
}
