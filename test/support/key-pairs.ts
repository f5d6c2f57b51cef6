// Key pairs of clients. Generating an RSA key takes long, so a test file has only one, for every RSA algorithm.

import type { CryptoKey, JWK } from 'jose';
import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8 } from 'jose';

export interface KeyPair {
  readonly private_key: CryptoKey;
  readonly public_jwk: JWK;
}

async function generated(alg: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { private_key: privateKey, public_jwk: await exportJWK(publicKey) };
}

let rsa: Promise<KeyPair & { readonly pem: string }> | undefined;

async function generatedRsa() {
  const pair = await generated('RS256');
  return { ...pair, pem: await exportPKCS8(pair.private_key) };
}

/** A new key pair; with RSA, always the same for a file. */
export async function keyPair(alg: string): Promise<KeyPair> {
  if (!/^[RP]S/.test(alg)) return generated(alg);
  const { pem, public_jwk } = await (rsa ??= generatedRsa());
  return { private_key: await importPKCS8(pem, alg, { extractable: true }), public_jwk };
}
