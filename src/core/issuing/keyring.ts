// The keys that sign tokens: which one signs, which are published, and verification of what they signed.

import type { JWK } from 'jose';
import { base64url, compactVerify, decodeProtectedHeader, errors, importJWK } from 'jose';
import type { CreateSigner, Ports, SigningKey, SignJws } from '../model/ports.ts';
import { isJsonObject } from '../../json.ts';
import type { SigningAlg } from '../records/schemas.ts';

export type Keyring = ReturnType<typeof createKeyring>;

export type VerifiedJws =
  | { readonly claims: Record<string, unknown> }
  | {
      readonly problem: 'malformed' | 'key_unknown' | 'signature_wrong';
      /** A detail, where the problem alone would mislead. */
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

/** Why a signature was not verified at all. */
function reasonOf(error: unknown): { readonly got?: string } {
  if (error instanceof errors.JOSEAlgNotAllowed) return { got: 'its alg does not match the key' };
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

/** A private key cannot verify signatures; a shared secret can sign and verify. */
const verificationKeyOf = ({ alg, public_jwk, private_jwk }: SigningKey) =>
  importJWK(public_jwk ?? (private_jwk as JWK), alg);

/** What is derived from a key when it is first needed, and cached with it. */
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

const sharedSigner = (createSigner: CreateSigner, secret: string): SignJws =>
  createSigner({ kty: 'oct', alg: 'HS256', k: base64url.encode(secret) });

/** @param onGenerated called after a key was generated because a signature needed one */
export function createKeyring(
  { clock, createSigner, generateKey }: Pick<Ports, 'clock' | 'createSigner' | 'generateKey'>,
  onGenerated: () => void = () => undefined,
) {
  let keys: SigningKey[] = [];
  let retired: SigningKey | null = null;
  const verificationKey = madeOnce(verificationKeyOf);
  const signerOf = madeOnce(({ private_jwk }) => createSigner(private_jwk));
  /** Requests that need the same key wait for one generation. */
  const pending = new Map<SigningAlg, Promise<SigningKey>>();

  const generate = async (alg: SigningAlg): Promise<SigningKey> => {
    try {
      const key = await generateKey(alg, clock.now());
      // A key that was added meanwhile signs, because it was requested later.
      keys = keys.some((other) => other.alg === alg) ? [...keys, key] : [key, ...keys];
      onGenerated();
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
  /** The key is added in front, because the first key of an algorithm signs. */
  const takeOver = (key: SigningKey) => {
    keys = [key, ...keys.filter((other) => other.kid !== key.kid)];
  };
  return {
    /** Returns the key that signs with this algorithm; generates one if there is none. */
    signing,
    /** Newest first: the first of several keys for one algorithm signs. */
    list: () => keys,
    /** Whether the key is in the ring, so that what it signed is accepted. */
    has: (kid: string) => keys.some((key) => key.kid === kid),
    /** The JWK Set (RFC 7517) of all published keys. */
    jwks: () => ({ keys: keys.flatMap((key) => key.public_jwk ?? []) }),
    /**
     * Signs claims as a compact JWS with this `typ`.
     * @param by the key, or the algorithm of the key to choose
     * @param secret for HS256: the shared secret to use instead of a key of the ring
     */
    sign: async (
      claims: Record<string, unknown>,
      typ: string,
      by: SigningAlg | SigningKey,
      secret?: string,
    ) => {
      const signJws =
        secret === undefined
          ? signerOf(typeof by === 'string' ? await signing(by) : by)
          : sharedSigner(createSigner, secret);
      return signJws(typ, JSON.stringify(claims));
    },
    /**
     * Returns the claims of a compact JWS that a key of the ring signed, or why there are none: an unknown or retired
     * key, a wrong signature, `malformed` for anything else than a JWS, and `not_issued` for a token that was only
     * signed for a test.
     */
    verify: async (token: string): Promise<VerifiedJws> => {
      const kid = kidOf(token);
      if (kid === null) return { problem: 'malformed' };
      const key = keys.find((candidate) => candidate.kid === kid);
      if (kid === '') return { problem: 'key_unknown', got: 'its header has no kid' };
      if (key === undefined) return { problem: 'key_unknown' };
      return verifyWith(token, await verificationKey(key), key.alg);
    },
    /** The same for a JWS that was signed with HS256 and a client's secret. */
    verifyShared: (token: string, secret: string) =>
      verifyWith(token, new TextEncoder().encode(secret), 'HS256'),
    /** Generates a new key, which signs from now on; existing keys stay published (behaviour 2). */
    rotate: async (alg: SigningAlg): Promise<SigningKey> => {
      const key = await generateKey(alg, clock.now());
      takeOver(key);
      return key;
    },
    /** Adds a key, which signs from now on. */
    add: takeOver,
    /** Retires a key: tokens that it signed are no longer valid. Returns false if there is no such key. */
    retire: (kid: string): boolean => {
      const found = keys.find((key) => key.kid === kid);
      if (found === undefined) return false;
      keys = keys.filter((key) => key !== found);
      retired = found;
      return true;
    },
    /** The key that was retired last, unless it was added again: it only signs tokens for tests. */
    retired: () => (keys.some(({ kid }) => kid === retired?.kid) ? null : retired),
    /** Replaces all keys with these, in this order. */
    replaceAll: (all: readonly SigningKey[]) => {
      keys = [...all];
    },
  };
}

const UNISSUED = 'unissued.';

/**
 * Returns the `jti` of a token that is signed for a test and not issued. Verification recognizes the token by it, in
 * this run and in later ones.
 * @param random 128 random bits as text
 */
export const unissuedId = (random: string): string => UNISSUED + random;

const isUnissued = ({ jti }: Readonly<Record<string, unknown>>): boolean =>
  typeof jti === 'string' && jti.startsWith(UNISSUED);
