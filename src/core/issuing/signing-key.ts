// A signing key: imported from a JWK and tested, or generated (RFC 7517). Keys are generated and imported with jose,
// the only use of Web Crypto in core; the engine's port makes the signatures.

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
  /** The RFC 7638 thumbprint, unless the JWK has its own kid. */
  readonly kid: string;
  /** Identifies the key material: equal for two copies of one key, whatever their kid. */
  readonly thumbprint: string;
  readonly alg: SigningAlg;
  /** null for an HS256 key, which is never published. */
  readonly public_jwk: JWK | null;
  /** The key to be saved, with its private members. */
  readonly private_jwk: SigningKeyJwk;
  /** Milliseconds of the sandbox clock. */
  readonly created_at: number;
}

/** Only these members are published; others that a JWK may have are not. */
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

/** A private key cannot verify signatures; a shared secret can sign and verify. */
export const verificationKeyOf = ({ alg, public_jwk, private_jwk }: SigningKey) =>
  importJWK(public_jwk ?? (private_jwk as JWK), alg);

/** Checks that its signatures verify. Nothing else reveals that the public part belongs to another key. */
async function verifyPair(key: SigningKey): Promise<void> {
  const { alg, private_jwk } = key;
  const signed = new CompactSign(new Uint8Array()).setProtectedHeader({ alg });
  const token = await signed.sign(await importJWK(private_jwk as JWK, alg));
  try {
    await compactVerify(token, await verificationKeyOf(key), { algorithms: [alg] });
  } catch (cause) {
    throw new Error('its public part does not verify what it signs', { cause });
  }
}

async function readAndVerify(jwk: SigningKeyJwk): Promise<SigningKey> {
  const key = await describe(jwk, 0);
  await verifyPair(key);
  return key;
}

/** A workspace is first checked and then applied; its keys do not have to be tested a second time. */
const readBefore = new WeakMap<SigningKeyJwk, Promise<SigningKey>>();

/**
 * Imports a private key and tests it.
 * @param jwk must not be changed afterwards
 * @param created_at in milliseconds of the sandbox clock
 * @throws Error if it cannot be imported, or cannot sign
 */
export async function readSigningKey(jwk: SigningKeyJwk, created_at: number): Promise<SigningKey> {
  const reading = readBefore.get(jwk) ?? readAndVerify(jwk);
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
