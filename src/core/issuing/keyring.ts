// The keys that sign tokens, and what they signed read back: which one signs, which are published.

import { base64url, compactVerify, decodeProtectedHeader, errors, type JWK } from 'jose';
import type { CreateSigner, Ports, SignJws } from '../model/ports.ts';
import { isJsonObject } from '../records/json.ts';
import type { SigningAlg } from '../records/schemas.ts';
import { generateSigningKey, type SigningKey, verificationKeyOf } from './signing-key.ts';

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
   * signature are told apart, what is no such JWS is `malformed`, and one that was signed for a test only is
   * `not_issued`.
   */
  verify(token: string): Promise<VerifiedJws>;
  /** The same, of one that a client's secret signed under HS256. */
  verifyShared(token: string, secret: string): Promise<VerifiedJws>;
  /** A new key that signs from now on; those there are stay published (behaviour 2). */
  rotate(alg: SigningAlg): Promise<SigningKey>;
  /** Takes a key that signs from now on. */
  add(key: SigningKey): void;
  /** Takes a key out: what it signed is no longer good. False when there is no such key. */
  retire(kid: string): boolean;
  /** The key that was taken out last, unless it is back: it signs nothing but tokens for tests. */
  retired(): SigningKey | null;
  /** Puts these in the place of all there are, in this order. */
  replaceAll(keys: readonly SigningKey[]): void;
}

export type VerifiedJws =
  | { readonly claims: Record<string, unknown> }
  | {
      readonly problem: 'malformed' | 'key_unknown' | 'signature_wrong';
      /** What it is, where the problem alone would mislead. */
      readonly got?: string;
    }
  | { readonly problem: 'not_issued'; readonly unissued: Record<string, unknown> };

function parseClaims(payload: Uint8Array): Record<string, unknown> | null {
  try {
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    return isJsonObject(claims) ? claims : null;
  } catch {
    return null;
  }
}

/** Why a signature was not even looked at. */
function reasonOf(error: unknown): { readonly got?: string } {
  if (error instanceof errors.JOSEAlgNotAllowed) return { got: 'its alg is not that of the key' };
  if (error instanceof errors.JOSENotSupported) {
    return { got: 'its crit names a header member that this service does not understand' };
  }
  return {};
}

async function verifyWith(
  token: string,
  key: Parameters<typeof compactVerify>[1],
  alg: SigningAlg,
): Promise<VerifiedJws> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [alg] });
    const claims = parseClaims(payload);
    if (claims === null) return { problem: 'malformed' };
    return isUnissued(claims) ? { problem: 'not_issued', unissued: claims } : { claims };
  } catch (error) {
    return { problem: 'signature_wrong', ...reasonOf(error) };
  }
}

function kidOf(token: string): string | null {
  try {
    return decodeProtectedHeader(token).kid ?? '';
  } catch {
    return null;
  }
}

/** What is made of a key when it is first needed, and goes with it. */
function madeOnce<T>(make: (key: SigningKey) => T): (key: SigningKey) => T {
  const made = new WeakMap<SigningKey, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}

/** The signer of HS256 with a secret that a client shares. */
const sharedSigner = (createSigner: CreateSigner, secret: string): SignJws =>
  createSigner({ kty: 'oct', alg: 'HS256', k: base64url.encode(secret) });

export function createKeyring({
  clock,
  createSigner,
}: Pick<Ports, 'clock' | 'createSigner'>): Keyring {
  let keys: SigningKey[] = [];
  let retired: SigningKey | null = null;
  const verificationKey = madeOnce(verificationKeyOf);
  const signerOf = madeOnce(({ private_jwk }) => createSigner(private_jwk));
  /** Requests that need the same key share its making. */
  const pending = new Map<SigningAlg, Promise<SigningKey>>();

  const generate = async (alg: SigningAlg): Promise<SigningKey> => {
    try {
      const key = await generateSigningKey(alg, clock.now());
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
      const signJws =
        secret === undefined ? signerOf(await signing(alg)) : sharedSigner(createSigner, secret);
      return signJws(typ, JSON.stringify(claims));
    },
    verify: async (token) => {
      const kid = kidOf(token);
      if (kid === null) return { problem: 'malformed' };
      const key = keys.find((candidate) => candidate.kid === kid);
      if (kid === '') return { problem: 'key_unknown', got: 'its header has no kid' };
      if (key === undefined) return { problem: 'key_unknown' };
      return verifyWith(token, await verificationKey(key), key.alg);
    },
    verifyShared: (token, secret) => verifyWith(token, new TextEncoder().encode(secret), 'HS256'),
    rotate: async (alg) => {
      const key = await generateSigningKey(alg, clock.now());
      takeOver(key);
      return key;
    },
    add: takeOver,
    retire: (kid) => {
      const found = keys.find((key) => key.kid === kid);
      if (found === undefined) return false;
      keys = keys.filter((key) => key !== found);
      retired = found;
      return true;
    },
    retired: () => (keys.some(({ kid }) => kid === retired?.kid) ? null : retired),
    replaceAll: (all) => {
      keys = [...all];
    },
  };
}

const UNISSUED = 'unissued.';

/**
 * The `jti` of a token that was signed for a test, and not issued: whoever reads it back knows it by that, in this run
 * and in every later one.
 * @param random 128 random bits as text
 */
export const unissuedId = (random: string): string => UNISSUED + random;

const isUnissued = ({ jti }: Readonly<Record<string, unknown>>): boolean =>
  typeof jti === 'string' && jti.startsWith(UNISSUED);
