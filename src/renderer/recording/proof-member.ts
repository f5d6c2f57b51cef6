// The DPoP proof of a recorded request as the member `dpop` of its step (RFC 9449): true for the right one, else what
// is wrong with it.

import type { Exchange } from '../../control/schemas.ts';
import { headerOf } from '../../oauth/fields.ts';
import type { JsonObject } from '../../oauth/json-object.ts';
import { decodeJwt, type DecodedJwt } from '../../oauth/jwt.ts';
import type { ProofOrder } from '../../oauth/prover.ts';

/** Seconds between the proof and its request that are no mistake. */
const USUAL_AGE = 5;

interface Recording {
  readonly issuer: string;
  /** The text with variables for all that is known. */
  readonly written: (text: string) => string;
}

const valueOr = (value: unknown, { written }: Recording): unknown => {
  if (value === undefined) return null;
  return typeof value === 'string' ? written(value) : value;
};

function headerMistakes({ header }: DecodedJwt, recording: Recording): JsonObject {
  const wrong: JsonObject = {};
  if (header['typ'] !== 'dpop+jwt') wrong['typ'] = valueOr(header['typ'], recording);
  if (header['alg'] !== 'ES256') wrong['alg'] = valueOr(header['alg'], recording);
  return wrong;
}

/** A hash cannot be compared here: whether it was the wrong one, the trace says. */
const hasWrongHash = ({ why, request }: Exchange, ath: unknown): boolean =>
  why?.check === 'dpop_token' ||
  (ath === undefined) !== (headerOf(request.headers, 'authorization') === null);

function claimMistakes(
  { payload }: DecodedJwt,
  exchange: Exchange,
  recording: Recording,
): JsonObject {
  const { method, path, error } = exchange;
  const { jti, htm, htu, iat, ath, nonce } = payload;
  const uri = new URL(recording.issuer).origin + (path.split('?', 1)[0] ?? '');
  return {
    ...(typeof jti === 'string' ? {} : { jti: valueOr(jti, recording) }),
    ...(htm === method ? {} : { htm: valueOr(htm, recording) }),
    ...(htu === uri ? {} : { htu: valueOr(htu, recording) }),
    ...(typeof iat === 'number' ? {} : { iat: valueOr(iat, recording) }),
    ...(hasWrongHash(exchange, ath) ? { ath: valueOr(ath, recording) } : {}),
    // The step would answer the demand, which was not answered here.
    ...(error === 'use_dpop_nonce' ? { nonce: nonce ?? null } : {}),
  };
}

function ageOf({ payload: { iat } }: DecodedJwt, { clock }: Exchange): number {
  const age = Math.round(Date.parse(clock.now) / 1000) - Number(iat ?? NaN);
  return Math.abs(age) > USUAL_AGE ? age : 0;
}

/** @param own the public key that steps prove by themselves; null: that of the first proof */
export function createProofMembers(own: JsonObject | null) {
  const keys: string[] = own === null ? [] : [JSON.stringify(own)];
  const members = new Map<Exchange, true | ProofOrder | null>();
  let newest: string | null = null;

  const keyOf = ({ header }: DecodedJwt): Pick<ProofOrder, 'key'> => {
    const key = JSON.stringify(header['jwk'] ?? null);
    if (!keys.includes(key)) keys.push(key);
    const place = keys.indexOf(key);
    return place === 0 ? {} : { key: `key ${place + 1}` };
  };
  const read = (exchange: Exchange, recording: Recording): true | ProofOrder | null => {
    const value = headerOf(exchange.request.headers, 'dpop');
    const proof = value === null ? null : decodeJwt(value);
    if (proof === null) return null;
    if (value === newest) return { replay: true };
    newest = value;
    const [header, claims] = [
      headerMistakes(proof, recording),
      claimMistakes(proof, exchange, recording),
    ];
    const age_seconds = ageOf(proof, exchange);
    const order: ProofOrder = {
      ...keyOf(proof),
      ...(age_seconds === 0 ? {} : { age_seconds }),
      ...(Object.keys(header).length === 0 ? {} : { header }),
      ...(Object.keys(claims).length === 0 ? {} : { claims }),
    };
    return Object.keys(order).length === 0 ? true : order;
  };
  return {
    /** null for a request without a proof, or with one that cannot be read. */
    of: (exchange: Exchange, recording: Recording): true | ProofOrder | null => {
      const member = members.get(exchange) ?? read(exchange, recording);
      members.set(exchange, member);
      return member;
    },
  };
}

/** Whether the next request is the same one, with the nonce that this one was asked for: a step sends both. */
export const isSentAgain = (exchange: Exchange, next: Exchange | null): boolean =>
  exchange.error === 'use_dpop_nonce' &&
  next !== null &&
  next.method === exchange.method &&
  next.path === exchange.path &&
  next.request.body === exchange.request.body &&
  headerOf(next.request.headers, 'dpop') !== null;
