// DPoP proofs (RFC 9449 4.2): JWTs for one request, signed with a key of the sender. Sends requests with proofs as a
// client does, with keys that are generated when first needed, and nonces that the server supplied; optionally with
// deliberate mistakes to test a server.

import { headerOf, type Fields, type HttpRequest } from './fields.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { signJws, withOwn, type JwsKey } from './jwt.ts';
import { randomBase64url, sha256 } from './base64.ts';

/** The key of the sender. */
export interface ProofKey extends JwsKey {
  /** The alg for the header of a JWS (RFC 7518 3.1). */
  readonly alg: string;
  readonly public_jwk: JsonObject;
  /** Thumbprint of the public key (RFC 7638), which is `cnf.jkt` of a bound token. */
  readonly jkt: string;
}

/** Members of a public key in lexicographic order, by its type (RFC 7638 3.2, RFC 8037 2). */
const REQUIRED_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
};

/** Returns the thumbprint of a public key (RFC 7638 3); null for a key of another type. */
export async function thumbprintOf(jwk: unknown): Promise<string | null> {
  if (!isJsonObject(jwk)) return null;
  const names = Object.entries(REQUIRED_MEMBERS).find(([kty]) => kty === jwk['kty'])?.[1] ?? [];
  const members = names.map((name) => [name, jwk[name]] as const);
  if (members.length === 0 || members.some(([, value]) => typeof value !== 'string')) return null;
  return sha256(JSON.stringify(Object.fromEntries(members)));
}

const ES256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Generates an ES256 key with WebCrypto whose private part cannot be exported. */
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

interface DpopResponse {
  /** The error code, if there is one. */
  readonly error: string | null;
  readonly headers: Fields;
}

/** Returns the nonce that the next proof must have; null unless the response requires one (RFC 9449 8). */
export const demandedNonce = ({ error, headers }: DpopResponse): string | null =>
  error === 'use_dpop_nonce' ? headerOf(headers, 'dpop-nonce') : null;

/** The deliberate mistakes of a proof. Without any, it is correct. */
export interface ProofOrder {
  /** The name of a different key to sign with. */
  readonly key?: string | undefined;
  /** Whether the last proof is sent again unchanged. */
  readonly replay?: true | undefined;
  /** Seconds by which iat is in the past. */
  readonly age_seconds?: number | undefined;
  /** Members that replace those of the header; null omits a member. */
  readonly header?: JsonObject | undefined;
  /** Claims that replace those of the proof; null omits a claim. A nonce here replaces the supplied one. */
  readonly claims?: JsonObject | undefined;
}

interface ProverPorts {
  /** Returns the time in milliseconds, by the clock of the server. */
  readonly now: () => Promise<number>;
  readonly uriOf: (path: string) => string;
}

export interface Prover {
  /** Returns the key with this name; without a name, the default key. */
  readonly key: (name?: string) => Promise<ProofKey>;
  /** Returns the request with a proof. @throws NothingToReplayError */
  readonly proven: (request: HttpRequest, order: ProofOrder) => Promise<HttpRequest>;
  /** Stores the nonce that a response supplies for later proofs. */
  readonly learn: (response: DpopResponse) => void;
  /** Sends the request with a proof, and repeats it with the nonce if the response requires one (RFC 9449 8). */
  readonly send: <A>(
    request: HttpRequest,
    order: ProofOrder,
    ports: {
      readonly send: (request: HttpRequest) => Promise<A>;
      readonly responseOf: (answer: A) => DpopResponse;
    },
  ) => Promise<A>;
}

export class NothingToReplayError extends Error {
  constructor() {
    super('no DPoP proof was sent before');
    this.name = 'NothingToReplayError';
  }
}

/** Returns the access token in the Authorization header, to which the proof must be bound (RFC 9449 4.2). */
function presentedToken({ headers }: HttpRequest): string | null {
  const authorization = headerOf(Object.entries(headers), 'authorization') ?? '';
  return /^(?:DPoP|Bearer) (.+)$/i.exec(authorization)?.[1] ?? null;
}

export function createProver({ now, uriOf }: ProverPorts): Prover {
  const keys = new Map<string | undefined, Promise<ProofKey>>();
  let newest: string | null = null;
  let nonce: string | null = null;

  const keyNamed = (name?: string): Promise<ProofKey> => {
    const key = keys.get(name) ?? createProofKey();
    keys.set(name, key);
    return key;
  };
  /** Signs a proof for this request, with a `jti` of 128 random bits (RFC 9449 4.2). */
  const create = async (request: HttpRequest, order: ProofOrder): Promise<string> => {
    const { age_seconds = 0, header, claims } = order;
    const key = await keyNamed(order.key);
    const token = presentedToken(request);
    const [htu = ''] = uriOf(request.path).split(/[?#]/, 1);
    const usual = {
      jti: randomBase64url(16),
      htm: request.method,
      htu,
      iat: Math.floor((await now()) / 1000) - age_seconds,
      ath: token === null ? null : await sha256(token),
      nonce,
    };
    const { alg, public_jwk: jwk } = key;
    return signJws(key, withOwn({ typ: 'dpop+jwt', alg, jwk }, header), withOwn(usual, claims));
  };
  const proven = async (request: HttpRequest, order: ProofOrder): Promise<HttpRequest> => {
    if (order.replay !== true) newest = await create(request, order);
    if (newest === null) throw new NothingToReplayError();
    return { ...request, headers: { ...request.headers, dpop: newest } };
  };
  const learn = ({ headers }: DpopResponse): void => {
    nonce = headerOf(headers, 'dpop-nonce') ?? nonce;
  };
  return {
    key: keyNamed,
    proven,
    learn,
    send: async (request, order, { send, responseOf }) => {
      const once = async () => {
        const answer = await send(await proven(request, order));
        learn(responseOf(answer));
        return answer;
      };
      const answer = await once();
      const isAsItIs = order.replay === true || order.claims?.['nonce'] !== undefined;
      return demandedNonce(responseOf(answer)) === null || isAsItIs ? answer : once();
    },
  };
}
