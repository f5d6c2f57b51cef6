// Signing keys and signed tokens (behaviour 2): the only room that touches Web Crypto, through jose.

import type { JWK, CryptoKey as JoseKey } from 'jose';
import {
  calculateJwkThumbprint,
  compactVerify,
  CompactSign,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  exportJWK,
  generateKeyPair,
  generateSecret,
  importJWK,
} from 'jose';
import { isJsonObject } from '../records/json-object.ts';
import type { SigningAlg, SigningKeyJwk } from '../records/schemas.ts';

export interface SigningKey {
  /** Its RFC 7638 thumbprint, unless the JWK brought a name of its own. */
  readonly kid: string;
  /** Tells whether two keys are the same one, whatever they are called. */
  readonly thumbprint: string;
  readonly alg: SigningAlg;
  readonly key: JoseKey | Uint8Array;
  /** null for HS256, which is never published. */
  readonly public_jwk: JWK | null;
  /** For keeping; holds the private members. */
  readonly private_jwk: SigningKeyJwk;
  /** Milliseconds of the sandbox clock. */
  readonly created_at: number;
}

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

/** What may be published; whatever else a JWK brought along stays here. */
const PUBLIC_MEMBERS = ['kty', 'alg', 'crv', 'x', 'y', 'n', 'e'];

async function describe(
  jwk: SigningKeyJwk,
  key: JoseKey | Uint8Array,
  created_at: number,
): Promise<SigningKey> {
  const thumbprint = await calculateJwkThumbprint(jwk as JWK);
  const { alg, kid = thumbprint } = jwk;
  const open = Object.entries(jwk).filter(([name]) => PUBLIC_MEMBERS.includes(name));
  return {
    kid,
    thumbprint,
    alg,
    key,
    public_jwk: alg === 'HS256' ? null : { ...Object.fromEntries(open), kid, use: 'sig' },
    private_jwk: { ...jwk, kid },
    created_at,
  };
}

const verificationKeyOf = async ({ alg, key, public_jwk }: SigningKey) =>
  public_jwk === null ? key : importJWK(public_jwk, alg);

/** What it signs must verify: a public part that belongs to another key shows in no other way. */
async function tryOut(key: SigningKey): Promise<void> {
  const { alg } = key;
  const token = await compact({}).setProtectedHeader({ alg }).sign(key.key);
  try {
    await compactVerify(token, await verificationKeyOf(key), { algorithms: [alg] });
  } catch (cause) {
    throw new Error('its public part does not verify what it signs', { cause });
  }
}

async function readAndTry(jwk: SigningKeyJwk): Promise<SigningKey> {
  const key = await describe(jwk, await importJWK(jwk as JWK, jwk.alg), 0);
  await tryOut(key);
  return key;
}

/** A document is checked first and taken afterwards: its keys need no second trial. */
const readBefore = new WeakMap<SigningKeyJwk, Promise<SigningKey>>();

/**
 * Reads a private key, and tries it out.
 * @param jwk not to be changed any more
 * @param created_at in milliseconds of the sandbox clock
 * @throws Error when it cannot be read, or cannot sign
 */
export async function readSigningKey(jwk: SigningKeyJwk, created_at: number): Promise<SigningKey> {
  const reading = readBefore.get(jwk) ?? readAndTry(jwk);
  readBefore.set(jwk, reading);
  return { ...(await reading), created_at };
}

const generateKey = async (alg: SigningAlg): Promise<JoseKey | Uint8Array> =>
  alg === 'HS256'
    ? generateSecret(alg, { extractable: true })
    : (await generateKeyPair(alg, { extractable: true })).privateKey;

async function generateSigningKey(alg: SigningAlg, now: number): Promise<SigningKey> {
  const key = await generateKey(alg);
  const jwk = { ...(await exportJWK(key)), alg } as SigningKeyJwk;
  return describe(jwk, key, now);
}

const utf8 = new TextEncoder();

/** A JWT's claims, ready to sign. SignJWT would copy and check once more what we have just made. */
function compact(claims: Record<string, unknown>): CompactSign {
  return new CompactSign(utf8.encode(JSON.stringify(claims)));
}

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
        const shared = utf8.encode(secret);
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
