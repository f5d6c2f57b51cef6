// A client that proves possession of a key (RFC 9449): its key, and a proof with parts that can be overridden.

import type { CryptoKey, JWK, JWTHeaderParameters } from 'jose';
import { calculateJwkThumbprint, exportJWK, SignJWT } from 'jose';
import type { DpopHeader } from '../../src/core/model/request.ts';
import { ISSUER, sha256, START } from './core.ts';
import { keyPair } from './key-pairs.ts';

export interface ProofKey {
  readonly alg: string;
  readonly private_key: CryptoKey;
  readonly public_jwk: JWK;
  readonly private_jwk: JWK;
  /** RFC 7638. */
  readonly jkt: string;
}

export async function proofKey(alg = 'ES256'): Promise<ProofKey> {
  const { private_key, public_jwk } = await keyPair(alg);
  const private_jwk = await exportJWK(private_key);
  const jkt = await calculateJwkThumbprint(public_jwk);
  return { alg, private_key, public_jwk, private_jwk, jkt };
}

export interface ProofParts {
  /** undefined omits a member. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

let made = 0;

/** A proof for a POST to the token endpoint of the test service at its start time, with a new `jti`. */
export function proof(
  key: ProofKey,
  { claims = {}, header = {} }: ProofParts = {},
): Promise<string> {
  made += 1;
  const iat = Math.floor(START / 1000);
  const own = { jti: `jti-${made}`, htm: 'POST', htu: `${ISSUER}/oauth/token`, iat };
  const members: Record<string, unknown> = {
    typ: 'dpop+jwt',
    alg: key.alg,
    jwk: key.public_jwk,
    ...header,
  };
  const sent = Object.entries(members).filter(([, value]) => value !== undefined);
  return new SignJWT({ ...own, ...claims })
    .setProtectedHeader(Object.fromEntries(sent) as unknown as JWTHeaderParameters)
    .sign(key.private_key);
}

/** The `ath` of a proof for this access token. */
export const hashOf = (access_token: string): { readonly ath: string } => ({
  ath: sha256(access_token),
});

/** The header of a request to the token endpoint of the test service. */
export const dpopHeader = (value: string, members: Partial<DpopHeader> = {}): DpopHeader => ({
  value,
  method: 'POST',
  host: new URL(ISSUER).host,
  path: '/oauth/token',
  ...members,
});
