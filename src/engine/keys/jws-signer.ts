// Core's port for signatures, implemented with node:crypto. The callback version of `sign` uses the thread pool like
// Web Crypto, but needs much less time in the main thread.

import type { KeyObject, SigningOptions } from 'node:crypto';
import { constants, createHmac, createPrivateKey, createSecretKey, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { CreateSigner } from '../../core/model/ports.ts';
import type { SigningAlg, SigningKeyJwk } from '../../core/records/schemas.ts';

const signAsync = promisify(sign);

type MakeSignature = (input: Buffer) => Promise<Buffer>;

/** The options of each asymmetric algorithm (RFC 7518 3.3 to 3.5, RFC 8037 3.1). */
const SIGNATURES: Readonly<
  Record<Exclude<SigningAlg, 'HS256'>, SigningOptions & { readonly hash: 'sha256' | null }>
> = {
  RS256: { hash: 'sha256' },
  PS256: { hash: 'sha256', padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
  ES256: { hash: 'sha256', dsaEncoding: 'ieee-p1363' },
  EdDSA: { hash: null },
};

function createMac(key: KeyObject): MakeSignature {
  return (input) => Promise.resolve(createHmac('sha256', key).update(input).digest());
}

function createSignature(alg: Exclude<SigningAlg, 'HS256'>, key: KeyObject): MakeSignature {
  const { hash, ...options } = SIGNATURES[alg];
  const how = { key, ...options };
  return (input) => signAsync(hash, input, how);
}

function readKey(jwk: SigningKeyJwk): MakeSignature {
  const { alg } = jwk;
  if (alg === 'HS256') return createMac(createSecretKey(String(jwk['k']), 'base64url'));
  return createSignature(alg, createPrivateKey({ key: jwk, format: 'jwk' }));
}

const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** @throws Error if node:crypto cannot read the key */
export const createJwsSigner: CreateSigner = (jwk) => {
  const { alg, kid } = jwk;
  const makeSignature = readKey(jwk);
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
