// Parses pasted keys that verify a token of another issuer: a JWK, a JWK Set, a public key or certificate in PEM, or the
// secret of an HMAC. They are parsed in the page and not stored.

import { isJsonObject, type JsonObject } from '../../json.ts';

export interface GivenKey {
  readonly kid: string | null;
  readonly alg: string | null;
  readonly material:
    | { readonly kind: 'jwk'; readonly jwk: JsonObject }
    | { readonly kind: 'spki' | 'x509'; readonly pem: string }
    | { readonly kind: 'secret'; readonly text: string };
}

export type ReadKeys = { readonly keys: readonly GivenKey[] } | { readonly problem: string };

/** The limit for a text. Longer texts are rejected. */
export const MOST_CHARACTERS = 100_000;
const MOST_KEYS = 100;

/** The private members of a JWK, which are removed, since verification needs only the public part (RFC 7518 6.2.2, RFC 7518 6.3.2, RFC 8037 2). */
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
  if (!isJsonObject(value))
    return { problem: 'is JSON but not an object, as a JWK and a JWK Set are' };
  const { keys = [value] } = value;
  if (!Array.isArray(keys)) return { problem: 'has keys that are not an array (RFC 7517 5)' };
  if (keys.length > MOST_KEYS)
    return { problem: `has ${keys.length} keys, more than ${MOST_KEYS}` };
  const jwks = keys.filter(isJsonObject).filter(({ kty }) => typeof kty === 'string');
  return jwks.length === 0
    ? { problem: 'is JSON but contains no JWK with a kty (RFC 7517 4.1)' }
    : { keys: jwks.map(ofJwk) };
}

const PEM = /^-----BEGIN ([A-Z ]+)-----/;

function ofPem(pem: string, label: string): ReadKeys {
  const key = (kind: 'spki' | 'x509') => ({
    keys: [{ kid: null, alg: null, material: { kind, pem } }],
  });
  if (label === 'PUBLIC KEY') return key('spki');
  if (label === 'CERTIFICATE') return key('x509');
  return { problem: `is a PEM of type ${label}; paste the PUBLIC KEY or a CERTIFICATE` };
}

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/**
 * Parses pasted keys. Never throws.
 * @param alg the alg of the token. For HS256 and its kind, plain text is the secret (RFC 7518 3.2)
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
      return { problem: 'begins like JSON but is not valid JSON' };
    }
  }
  if (typeof alg === 'string' && alg.startsWith('HS')) {
    return { keys: [{ kid: null, alg: null, material: { kind: 'secret', text } }] };
  }
  return { problem: 'is not a key; paste a JWK, a JWK Set, or a public key or certificate in PEM' };
}
