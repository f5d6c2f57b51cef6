// Sends requests with DPoP proofs (RFC 9449), as a client does: keys that are made when they are first needed, nonces
// that the server supplied, and, for whoever tests a server, proofs with deliberate mistakes.

import {
  createProofKey,
  demandedNonce,
  proofClaims,
  proofHeader,
  withProof,
  type ProofKey,
} from './dpop-proof.ts';
import { headerOf, type Fields, type HttpRequest } from './fields.ts';
import { withOwn, type JsonObject } from './json-object.ts';
import { signJws } from './jws.ts';

/** A proof: without a member it is the right one for its request. */
export interface ProofOrder {
  /** The name of another key to sign with. */
  readonly key?: string | undefined;
  /** The proof that was sent last is sent again, as it was. */
  readonly replay?: true | undefined;
  /** Seconds by which iat is in the past. */
  readonly age_seconds?: number | undefined;
  /** Members that replace those of the header; null omits one. */
  readonly header?: JsonObject | undefined;
  /** Claims that replace those of the proof; null omits one. With a nonce of its own no other is sent. */
  readonly claims?: JsonObject | undefined;
}

interface Said {
  /** The error code of the response, where there is one. */
  readonly error: string | null;
  readonly headers: Fields;
}

interface ProverPorts {
  /** Milliseconds by the clock of the server. */
  readonly now: () => Promise<number>;
  /** The URI that a request to this path goes to. */
  readonly uriOf: (path: string) => string;
}

export interface Prover {
  /** The key of that name; without one, the key that proofs are signed with unless they name another. */
  readonly key: (name?: string) => Promise<ProofKey>;
  /** The request with a proof. @throws NothingToReplayError */
  readonly proven: (request: HttpRequest, order: ProofOrder) => Promise<HttpRequest>;
  /** Takes the nonce that a response supplies for the proofs to come. */
  readonly learn: (said: Said) => void;
  /** Sends with a proof, and once more with the nonce if the response demands one (RFC 9449 8). */
  readonly send: <A>(
    request: HttpRequest,
    order: ProofOrder,
    ports: {
      readonly send: (request: HttpRequest) => Promise<A>;
      readonly said: (answer: A) => Said;
    },
  ) => Promise<A>;
}

export class NothingToReplayError extends Error {
  constructor() {
    super('no DPoP proof was sent before');
    this.name = 'NothingToReplayError';
  }
}

/** The access token in the Authorization header, which the proof is then bound to (RFC 9449 4.2). */
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
  const create = async (request: HttpRequest, order: ProofOrder): Promise<string> => {
    const { age_seconds = 0, header, claims } = order;
    const key = await keyNamed(order.key);
    const usual = await proofClaims({
      method: request.method,
      uri: uriOf(request.path),
      iat: Math.floor((await now()) / 1000) - age_seconds,
      access_token: presentedToken(request),
      nonce,
    });
    return signJws(key, withOwn(proofHeader(key), header), withOwn(usual, claims));
  };
  const proven = async (request: HttpRequest, order: ProofOrder): Promise<HttpRequest> => {
    if (order.replay !== true) newest = await create(request, order);
    if (newest === null) throw new NothingToReplayError();
    return withProof(request, newest);
  };
  const learn = ({ headers }: Said): void => {
    nonce = headerOf(headers, 'dpop-nonce') ?? nonce;
  };
  return {
    key: keyNamed,
    proven,
    learn,
    send: async (request, order, { send, said }) => {
      const once = async () => {
        const answer = await send(await proven(request, order));
        learn(said(answer));
        return answer;
      };
      const answer = await once();
      const isAsItIs = order.replay === true || order.claims?.['nonce'] !== undefined;
      return demandedNonce(said(answer)) === null || isAsItIs ? answer : once();
    },
  };
}
