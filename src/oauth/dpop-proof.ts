// DPoP proofs (RFC 9449 4.2): a JWT for one request, signed with a key that the sender holds.

import { encodeBase64url } from './base64.ts';
import { headerOf, type Fields, type HttpRequest } from './fields.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import { signJws, type JwsKey } from './jws.ts';

/** A key to prove possession of. */
export interface ProofKey extends JwsKey {
  /** As in the header of a JWS (RFC 7518 3.1). */
  readonly alg: string;
  readonly public_jwk: JsonObject;
  /** Thumbprint of the public key (RFC 7638): what `cnf.jkt` of a bound token says. */
  readonly jkt: string;
}

/** The request that a proof is made for. */
interface ProofTarget {
  readonly method: string;
  /** Absolute; query and fragment are left out of the proof. */
  readonly uri: string;
  /** Seconds since the epoch. */
  readonly iat: number;
  /** The access token that is presented with the proof. */
  readonly access_token?: string | null;
  /** What the server has supplied for proofs (RFC 9449 8). */
  readonly nonce?: string | null;
}

const utf8 = (text: string) => new TextEncoder().encode(text);

async function sha256(text: string): Promise<string> {
  return encodeBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))));
}

/** Members of a public key in lexicographic order, by its type (RFC 7638 3.2, RFC 8037 2). */
const REQUIRED_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
};

/** The thumbprint of a public key (RFC 7638 3); null for what is no key of these types. */
export async function thumbprintOf(jwk: unknown): Promise<string | null> {
  if (!isJsonObject(jwk)) return null;
  const names = Object.entries(REQUIRED_MEMBERS).find(([kty]) => kty === jwk['kty'])?.[1] ?? [];
  const members = names.map((name) => [name, jwk[name]] as const);
  if (members.length === 0 || members.some(([, value]) => typeof value !== 'string')) return null;
  return sha256(JSON.stringify(Object.fromEntries(members)));
}

const ES256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** A new ES256 key of WebCrypto whose private part cannot be exported. */
export async function createProofKey(): Promise<ProofKey> {
  const pair = await crypto.subtle.generateKey(ES256, false, ['sign', 'verify']);
  const { crv, kty, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const public_jwk = { crv, kty, x, y };
  return {
    alg: 'ES256',
    public_jwk,
    jkt: (await thumbprintOf(public_jwk)) ?? '',
    sign: async (bytes) => new Uint8Array(await crypto.subtle.sign(ES256, pair.privateKey, bytes)),
  };
}

/** The claims of a proof for this request, with a `jti` of 128 random bits (RFC 9449 4.2). */
export async function proofClaims(target: ProofTarget): Promise<JsonObject> {
  const { method, uri, iat, access_token = null, nonce = null } = target;
  const [htu = ''] = uri.split(/[?#]/, 1);
  return {
    jti: encodeBase64url(crypto.getRandomValues(new Uint8Array(16))),
    htm: method,
    htu,
    iat,
    ...(access_token === null ? {} : { ath: await sha256(access_token) }),
    ...(nonce === null ? {} : { nonce }),
  };
}

/** The header of a proof of this key (RFC 9449 4.2). */
export const proofHeader = ({ alg, public_jwk }: ProofKey): JsonObject => ({
  typ: 'dpop+jwt',
  alg,
  jwk: public_jwk,
});

/** A proof of the key for this request. */
export const createProof = async (key: ProofKey, target: ProofTarget): Promise<string> =>
  signJws(key, proofHeader(key), await proofClaims(target));

/** The request with this proof. */
export const withProof = (request: HttpRequest, proof: string): HttpRequest => ({
  ...request,
  headers: { ...request.headers, dpop: proof },
});

interface DpopResponse {
  /** The error code, where there is one. */
  readonly error: string | null;
  readonly headers: Fields;
}

/** The nonce that the next proof has to have; null unless this response demands one (RFC 9449 8). */
export const demandedNonce = ({ error, headers }: DpopResponse): string | null =>
  error === 'use_dpop_nonce' ? headerOf(headers, 'dpop-nonce') : null;
