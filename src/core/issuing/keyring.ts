// The keys that sign tokens, and what they signed read back: which one signs, which are published.

import type { JWK, CryptoKey as JoseKey } from 'jose';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { isJsonObject } from '../records/json-object.ts';
import type { SigningAlg } from '../records/schemas.ts';
import type { SigningKey } from './signing-key.ts';
import { compact, generateSigningKey, verificationKeyOf } from './signing-key.ts';

export interface Keyring {
  /** The key that signs with this algorithm; made when there is none yet. */
  signing(alg: SigningAlg): Promise<SigningKey>;
  /** Newest first: of two keys for one algorithm the first one signs. */
  list(): readonly SigningKey[];
  /** The JWK Set (RFC 7517) of all published keys. */
  jwks(): { keys: JWK[] };
  /**
   * Signs claims as a compact JWS with this `typ`.
   * @param secret for HS256: the shared secret that takes the place of a key of the ring
   */
  sign(
    claims: Record<string, unknown>,
    typ: string,
    alg: SigningAlg,
    secret?: string,
  ): Promise<string>;
  /**
   * The claims of a compact JWS that a key of the ring signed: an unknown or retired key and a wrong
   * signature are told apart, and what is no such JWS is `malformed`.
   */
  verify(token: string): Promise<VerifiedJws>;
  /** A new key that signs from now on; those there are stay published (behaviour 2). */
  rotate(alg: SigningAlg): Promise<SigningKey>;
  /** Takes a key that signs from now on. */
  add(key: SigningKey): void;
  /** Takes a key out: what it signed is no longer good. False when there is no such key. */
  retire(kid: string): boolean;
  /** Puts these in the place of all there are, in this order. */
  replaceAll(keys: readonly SigningKey[]): void;
}

export type VerifiedJws =
  | { readonly claims: Record<string, unknown> }
  | { readonly problem: 'malformed' | 'key_unknown' | 'signature_wrong' };

function parseClaims(payload: Uint8Array): Record<string, unknown> | null {
  try {
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    return isJsonObject(claims) ? claims : null;
  } catch {
    return null;
  }
}

function kidOf(token: string): string | null {
  try {
    return decodeProtectedHeader(token).kid ?? '';
  } catch {
    return null;
  }
}

/** A private key cannot verify; made at the first token to be looked at. */
function createVerificationKeys(): (key: SigningKey) => Promise<JoseKey | Uint8Array> {
  const made = new WeakMap<SigningKey, Promise<JoseKey | Uint8Array>>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const making = verificationKeyOf(key);
    made.set(key, making);
    return making;
  };
}

/** @param now the sandbox clock, in milliseconds */
export function createKeyring(now: () => number): Keyring {
  let keys: SigningKey[] = [];
  const verificationKey = createVerificationKeys();
  /** Requests that need the same key share its making. */
  const pending = new Map<SigningAlg, Promise<SigningKey>>();

  const generate = async (alg: SigningAlg): Promise<SigningKey> => {
    try {
      const key = await generateSigningKey(alg, now());
      // One added meanwhile signs: it was asked for later.
      keys = keys.some((other) => other.alg === alg) ? [...keys, key] : [key, ...keys];
      return key;
    } finally {
      pending.delete(alg);
    }
  };
  const signing = async (alg: SigningAlg): Promise<SigningKey> => {
    const ready = keys.find((key) => key.alg === alg);
    if (ready !== undefined) return ready;
    const generating = pending.get(alg) ?? generate(alg);
    pending.set(alg, generating);
    return generating;
  };
  /** In front: the first key of an algorithm signs. */
  const takeOver = (key: SigningKey) => {
    keys = [key, ...keys.filter((other) => other.kid !== key.kid)];
  };
  return {
    signing,
    list: () => keys,
    jwks: () => ({ keys: keys.flatMap((key) => key.public_jwk ?? []) }),
    sign: async (claims, typ, alg, secret) => {
      if (secret !== undefined) {
        const shared = new TextEncoder().encode(secret);
        return compact(claims).setProtectedHeader({ alg, typ }).sign(shared);
      }
      const { key, kid } = await signing(alg);
      return compact(claims).setProtectedHeader({ alg, typ, kid }).sign(key);
    },
    verify: async (token) => {
      const kid = kidOf(token);
      if (kid === null) return { problem: 'malformed' };
      const key = keys.find((candidate) => candidate.kid === kid);
      if (key === undefined) return { problem: 'key_unknown' };
      try {
        const options = { algorithms: [key.alg] };
        const { payload } = await compactVerify(token, await verificationKey(key), options);
        const claims = parseClaims(payload);
        return claims === null ? { problem: 'malformed' } : { claims };
      } catch {
        return { problem: 'signature_wrong' };
      }
    },
    rotate: async (alg) => {
      const key = await generateSigningKey(alg, now());
      takeOver(key);
      return key;
    },
    add: takeOver,
    retire: (kid) => {
      const left = keys.filter((key) => key.kid !== kid);
      const known = left.length < keys.length;
      keys = left;
      return known;
    },
    replaceAll: (all) => {
      keys = [...all];
    },
  };
}
