// A signing key: read from a JWK and tried out, or generated (RFC 7517). Keys are made and read through jose,
// which is Web Crypto's only way into core; signatures are made by the port that the engine hands in.

import type { JWK, CryptoKey as JoseKey } from 'jose';
import {
  calculateJwkThumbprint,
  compactVerify,
  CompactSign,
  exportJWK,
  generateKeyPair,
  generateSecret,
  importJWK,
} from 'jose';
import type { SigningAlg, SigningKeyJwk } from '../records/schemas.ts';

export interface SigningKey {
  /** Its RFC 7638 thumbprint, unless the JWK brought a name of its own. */
  readonly kid: string;
  /** Tells whether two keys are the same one, whatever they are called. */
  readonly thumbprint: string;
  readonly alg: SigningAlg;
  /** null for HS256, which is never published. */
  readonly public_jwk: JWK | null;
  /** For keeping; holds the private members. */
  readonly private_jwk: SigningKeyJwk;
  /** Milliseconds of the sandbox clock. */
  readonly created_at: number;
}

/** What may be published; whatever else a JWK brought along stays here. */
const PUBLIC_MEMBERS = ['kty', 'alg', 'crv', 'x', 'y', 'n', 'e'];

async function describe(jwk: SigningKeyJwk, created_at: number): Promise<SigningKey> {
  const thumbprint = await calculateJwkThumbprint(jwk as JWK);
  const { alg, kid = thumbprint } = jwk;
  const open = Object.entries(jwk).filter(([name]) => PUBLIC_MEMBERS.includes(name));
  return {
    kid,
    thumbprint,
    alg,
    public_jwk: alg === 'HS256' ? null : { ...Object.fromEntries(open), kid, use: 'sig' },
    private_jwk: { ...jwk, kid },
    created_at,
  };
}

/** A private key cannot verify; a shared secret does both. */
export const verificationKeyOf = ({ alg, public_jwk, private_jwk }: SigningKey) =>
  importJWK(public_jwk ?? (private_jwk as JWK), alg);

/** What it signs must verify: a public part that belongs to another key shows in no other way. */
async function tryOut(key: SigningKey): Promise<void> {
  const { alg, private_jwk } = key;
  const signed = new CompactSign(new Uint8Array()).setProtectedHeader({ alg });
  const token = await signed.sign(await importJWK(private_jwk as JWK, alg));
  try {
    await compactVerify(token, await verificationKeyOf(key), { algorithms: [alg] });
  } catch (cause) {
    throw new Error('its public part does not verify what it signs', { cause });
  }
}

async function readAndTry(jwk: SigningKeyJwk): Promise<SigningKey> {
  const key = await describe(jwk, 0);
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

export async function generateSigningKey(alg: SigningAlg, now: number): Promise<SigningKey> {
  const key = await generateKey(alg);
  const jwk = { ...(await exportJWK(key)), alg } as SigningKeyJwk;
  return describe(jwk, now);
}
