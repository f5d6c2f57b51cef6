// Problems of a token, which are shown beside its claims.

import { momentInFull } from './moments.ts';
import type { JsonObject } from '../json.ts';
import type { DecodedJwt } from './jwt.ts';
import { isInMs, lifeOf } from './claims.ts';

export interface Finding {
  readonly tone: 'bad' | 'warn';
  /** The problem in a few words, such as "Not valid yet". */
  readonly title: string;
  readonly text: string;
}

const bad = (title: string, text: string): Finding => ({ tone: 'bad', title, text });
const warn = (title: string, text: string): Finding => ({ tone: 'warn', title, text });

function ofHeader({ header, parts }: DecodedJwt): Finding[] {
  const { alg } = header;
  if (alg === undefined)
    return [bad('No alg', 'The header must have an algorithm (RFC 7515 4.1.1).')];
  if (typeof alg !== 'string')
    return [bad('Unreadable alg', 'It must be a string (RFC 7515 4.1.1).')];
  const found: Finding[] = [];
  if (parts[2] === '' && alg.toLowerCase() !== 'none') {
    found.push(
      bad('No signature', `The algorithm is ${alg}, but there is no signature after the last dot.`),
    );
  }
  if (header.crit !== undefined) {
    const names = Array.isArray(header.crit) ? header.crit.join(', ') : 'unreadable values';
    const text = `A verifier that does not understand ${names} must reject it (RFC 7515 4.1.11).`;
    found.push(warn('Critical header members', text));
  }
  return found;
}

const TIMES = ['iat', 'nbf', 'exp'] as const;
const SECTIONS = { iat: '4.1.6', nbf: '4.1.5', exp: '4.1.4' };

const notTimes = (payload: JsonObject): Finding[] =>
  TIMES.filter((name) => payload[name] !== undefined && typeof payload[name] !== 'number').map(
    (name) =>
      bad(`Unreadable ${name}`, `It must be a number of seconds (RFC 7519 ${SECTIONS[name]}).`),
  );

const inMilliseconds = (payload: JsonObject): Finding[] =>
  TIMES.filter((name) => typeof payload[name] === 'number' && isInMs(payload[name])).map((name) =>
    bad(
      `${name} in milliseconds`,
      'A NumericDate counts seconds (RFC 7519 2), so a verifier reads another time.',
    ),
  );

function ofTimes(payload: JsonObject, now: number, clock: string): Finding[] {
  const found = [...notTimes(payload), ...inMilliseconds(payload)];
  const { iat, nbf, exp } = payload;
  const isAhead = (time: unknown): time is number =>
    typeof time === 'number' && !isInMs(time) && time * 1000 > now + 1000;
  if (exp === undefined) found.push(warn('Never expires', 'It has no exp claim.'));
  if (typeof exp === 'number' && exp * 1000 <= now && lifeOf(payload, now) === null) {
    found.push(bad('Expired', `${momentInFull(exp * 1000, now)}, by ${clock}.`));
  }
  if (isAhead(nbf)) {
    const when = momentInFull(nbf * 1000, now);
    found.push(bad('Not valid yet', `The time in its nbf claim is ${when}, by ${clock}.`));
  }
  if (isAhead(iat)) {
    const when = momentInFull(iat * 1000, now);
    const why = `the clocks differ, or ${clock} was set back`;
    found.push(warn('Issued in the future', `${when}: ${why}.`));
  }
  return found;
}

/**
 * @param now time in ms
 * @param clock by which it is that
 */
export const findingsOn = (
  jwt: DecodedJwt,
  now: number,
  clock = 'the sandbox clock',
): Finding[] => [...ofHeader(jwt), ...ofTimes(jwt.payload, now, clock)];
