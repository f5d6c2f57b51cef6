// Signing keys, made with node:crypto for core: read from a JWK and tested, generated, and used to sign (RFC 7515,
// RFC 7517). Web Crypto could do the same, but loading it takes a twentieth of each start.

import type { KeyObject, SigningOptions } from 'node:crypto';
import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPair,
  hash,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { CreateSigner, GenerateKey, SigningKey } from '../core/model/ports.ts';
import type { SigningAlg, SigningKeyJwk } from '../core/records/schemas.ts';

/** It uses the thread pool like Web Crypto, but needs much less time in the main thread. */
const signAsync = promisify(sign);

type MakeSignature = (input: Buffer) => Promise<Buffer>;

/** The options of each asymmetric algorithm (RFC 7518 3.3 to 3.5, RFC 8037 3.1). */
const SIGNATURES: Readonly<
  Record<Exclude<SigningAlg, 'HS256'>, SigningOptions & { readonly digest: 'sha256' | null }>
> = {
  RS256: { digest: 'sha256' },
  PS256: { digest: 'sha256', padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
  ES256: { digest: 'sha256', dsaEncoding: 'ieee-p1363' },
  EdDSA: { digest: null },
};

function createMac(key: KeyObject): MakeSignature {
  return (input) => Promise.resolve(createHmac('sha256', key).update(input).digest());
}

function createSignature(alg: Exclude<SigningAlg, 'HS256'>, key: KeyObject): MakeSignature {
  const { digest, ...options } = SIGNATURES[alg];
  const how = { key, ...options };
  return (input) => signAsync(digest, input, how);
}

const readKey = (jwk: SigningKeyJwk): KeyObject =>
  jwk.alg === 'HS256'
    ? createSecretKey(String(jwk['k']), 'base64url')
    : createPrivateKey({ key: jwk, format: 'jwk' });

const signatureOf = (alg: SigningAlg, key: KeyObject): MakeSignature =>
  alg === 'HS256' ? createMac(key) : createSignature(alg, key);

/** The members that identify a key, in the order of its thumbprint (RFC 7638 3.2, RFC 8037 2). */
const IDENTIFYING_MEMBERS: Readonly<Record<SigningKeyJwk['kty'], readonly string[]>> = {
  RSA: ['e', 'kty', 'n'],
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  oct: ['k', 'kty'],
};

function describe(jwk: SigningKeyJwk, created_at: number): SigningKey {
  const identifying = IDENTIFYING_MEMBERS[jwk.kty];
  const identity = Object.fromEntries(identifying.map((name) => [name, jwk[name]]));
  const thumbprint = hash('sha256', JSON.stringify(identity), 'base64url');
  const { alg, kid = thumbprint } = jwk;
  // Other members are not published.
  const open = Object.entries(jwk).filter(([name]) => name === 'alg' || identifying.includes(name));
  return {
    kid,
    thumbprint,
    alg,
    public_jwk: alg === 'HS256' ? null : { ...Object.fromEntries(open), kid, use: 'sig' },
    private_jwk: { ...jwk, kid },
    created_at,
  };
}

const CURVES: Readonly<Partial<Record<SigningAlg, string>>> = { ES256: 'P-256', EdDSA: 'Ed25519' };

/** RFC 7518 3.3 and 3.5. */
const LEAST_RSA_BITS = 2048;

/** Checks what node:crypto leaves unchecked: a key of another curve or size signs as well. */
function checkUse({ alg, crv, k, key_ops }: SigningKeyJwk, key: KeyObject): void {
  if (alg === 'HS256' && !/^[\w+/-]+={0,2}$/.test(String(k)))
    throw new Error('its k is not base64url');
  const curve = CURVES[alg];
  if (curve !== undefined && crv !== curve) throw new Error(`${alg} needs crv ${curve}`);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? LEAST_RSA_BITS;
  if (bits < LEAST_RSA_BITS)
    throw new Error(`${alg} needs at least ${LEAST_RSA_BITS} bits; it has ${bits}`);
  if (key_ops !== undefined && !(Array.isArray(key_ops) && key_ops.includes('sign')))
    throw new Error('its key_ops do not include sign');
}

/** Returns whether the signatures verify. Nothing else reveals that the public part belongs to another key. */
async function isPair({ alg, public_jwk }: SigningKey, key: KeyObject): Promise<boolean> {
  if (public_jwk === null || alg === 'HS256') return true;
  const input = Buffer.alloc(0);
  const signature = await createSignature(alg, key)(input);
  const { digest, ...options } = SIGNATURES[alg];
  const publicKey = createPublicKey({ key: public_jwk, format: 'jwk' });
  return verify(digest, input, { key: publicKey, ...options }, signature);
}

function readMatching(jwk: SigningKeyJwk): KeyObject {
  try {
    return readKey(jwk);
  } catch (cause) {
    throw new Error('its members do not match', { cause });
  }
}

async function readAndTest(jwk: SigningKeyJwk): Promise<SigningKey> {
  const key = readMatching(jwk);
  checkUse(jwk, key);
  const described = describe(jwk, 0);
  if (await isPair(described, key)) return described;
  throw new Error('its public part does not verify what it signs');
}

/** A workspace is first checked and then applied; its keys do not have to be tested a second time. */
const readBefore = new WeakMap<SigningKeyJwk, Promise<SigningKey>>();

/**
 * Reads a private key and tests it.
 * @param jwk must not be changed afterwards
 * @param created_at in milliseconds of the sandbox clock
 * @throws Error if it cannot be read, or cannot sign
 */
export async function readSigningKey(jwk: SigningKeyJwk, created_at: number): Promise<SigningKey> {
  const reading = readBefore.get(jwk) ?? readAndTest(jwk);
  readBefore.set(jwk, reading);
  return { ...(await reading), created_at };
}

const generatePair = promisify(generateKeyPair);

async function generateKey(alg: SigningAlg): Promise<KeyObject> {
  switch (alg) {
    case 'HS256':
      return createSecretKey(randomBytes(32));
    case 'ES256':
      return (await generatePair('ec', { namedCurve: 'P-256' })).privateKey;
    case 'EdDSA':
      return (await generatePair('ed25519')).privateKey;
    case 'RS256':
    case 'PS256':
      return (await generatePair('rsa', { modulusLength: LEAST_RSA_BITS })).privateKey;
  }
}

export const generateSigningKey: GenerateKey = async (alg, created_at) => {
  const jwk = (await generateKey(alg)).export({ format: 'jwk' });
  return describe({ ...jwk, alg } as SigningKeyJwk, created_at);
};

const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** @throws Error if node:crypto cannot read the key */
export const createJwsSigner: CreateSigner = (jwk) => {
  const { alg, kid } = jwk;
  const makeSignature = signatureOf(alg, readKey(jwk));
  /** The encoded protected header by `typ`. */
  const headers = new Map<string, string>();
  const ownHeader = (typ: string) => {
    const known = headers.get(typ);
    if (known !== undefined) return known;
    const header = base64url(JSON.stringify({ alg, typ, kid }));
    headers.set(typ, header);
    return header;
  };
  return async (header, payload) => {
    const encoded =
      typeof header === 'string' ? ownHeader(header) : base64url(JSON.stringify(header));
    const input = `${encoded}.${base64url(payload)}`;
    const signature = await makeSignature(Buffer.from(input));
    return `${input}.${signature.toString('base64url')}`;
  };
};
