// The DPoP proofs of the walk (RFC 9449). Its key is made when it is first needed, and kept while the page is open: a
// public client's refresh tokens are bound to it.

import type { Exchange } from '../../../control/schemas.ts';
import { PUSH_PATH } from '../../../oauth/endpoint-requests.ts';
import { headerOf, type HttpRequest } from '../../../oauth/fields.ts';
import type { JsonObject } from '../../../oauth/json-object.ts';
import { createProver, type ProofOrder } from '../../../oauth/prover.ts';
import { TOKEN_PATH } from '../../../oauth/token-request.ts';
import { control } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { currentChoice } from './choice.ts';

const issuer = () => page.getState().server?.issuer ?? location.origin;

const prover = createProver({
  now: async () => Date.parse((await control.clock.get()).now),
  uriOf: (path) => new URL(issuer()).origin + path,
});

/** What `dpop_jkt` of an authorization request says (RFC 9449 10). */
export const walkThumbprint = async (): Promise<string> => (await prover.key()).jkt;

/** The public key of the walk's proofs. */
export const walkKey = async (): Promise<JsonObject> => (await prover.key()).public_jwk;

/** Whether the request has a proof: where tokens are asked for, and where a bound one is presented. */
function hasProof({ path, headers }: HttpRequest): boolean {
  const [pathname = ''] = path.split('?', 1);
  if (pathname === TOKEN_PATH || pathname === PUSH_PATH) return currentChoice().dpop;
  const authorization = headerOf(Object.entries(headers), 'authorization') ?? '';
  return authorization.startsWith('DPoP ');
}

/** The request, with a proof where it has one. */
export const proven = (request: HttpRequest): Promise<HttpRequest> =>
  hasProof(request) ? prover.proven(request, {}) : Promise.resolve(request);

const said = ({ error, response }: Exchange) => ({ error, headers: response.headers });

/** Remembers the nonce that a response supplied. */
export const learnNonce = (exchange: Exchange): void => {
  prover.learn(said(exchange));
};

/**
 * Sends, with a proof where the request has one, and once more if a nonce is demanded.
 * @param order deliberate mistakes of the proof; `none` leaves it out
 */
export function sendProven(
  request: HttpRequest,
  order: ProofOrder | 'none',
  send: (request: HttpRequest) => Promise<Exchange>,
): Promise<Exchange> {
  if (order === 'none' || !hasProof(request)) return send(request);
  return prover.send(request, order, { send, said });
}
