// The mistakes that are made in the header and the claims, before the token is signed.

import type { TokenMistake } from '../records/token-mistakes.ts';
import type { Members } from './draft.ts';

const HOUR = 3600;

/** No name below `invalid` ever resolves. */
const WRONG_ISSUER = 'https://wrong-issuer.invalid';
const WRONG_AUDIENCE = 'https://wrong-audience.invalid';
const CRITICAL = 'unknown-extension';

interface Content {
  readonly header: Members;
  readonly claims: Members;
}

const without = (members: Members, name: string): Members =>
  Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));

/** A token that has expired was issued before that. */
function expired(claims: Members, now: number): Members {
  const earlier = Object.entries(claims).map(([name, value]) =>
    ['iat', 'nbf'].includes(name) && typeof value === 'number' && value > now - HOUR
      ? [name, now - 2 * HOUR]
      : [name, value],
  );
  return { ...(Object.fromEntries(earlier) as Members), exp: now - HOUR };
}

type Make = (content: Content, now: number) => Content;

const inClaims =
  (change: (claims: Members, now: number) => Members): Make =>
  ({ header, claims }, now) => ({ header, claims: change(claims, now) });

const inHeader =
  (change: (header: Members) => Members): Make =>
  ({ header, claims }) => ({ header: change(header), claims });

const MAKE: Readonly<Partial<Record<TokenMistake, Make>>> = {
  expired: inClaims(expired),
  not_yet_valid: inClaims((claims, now) => ({ ...claims, nbf: now + HOUR })),
  issued_in_future: inClaims((claims, now) => ({ ...claims, iat: now + HOUR })),
  no_exp: inClaims((claims) => without(claims, 'exp')),
  exp_text: inClaims((claims, now) => {
    const { exp } = claims;
    return { ...claims, exp: String(typeof exp === 'number' ? exp : now + HOUR) };
  }),
  wrong_issuer: inClaims((claims) => ({ ...claims, iss: WRONG_ISSUER })),
  wrong_audience: inClaims((claims) => ({ ...claims, aud: WRONG_AUDIENCE })),
  no_audience: inClaims((claims) => without(claims, 'aud')),
  wrong_typ: inHeader((header) => ({
    ...header,
    typ: header['typ'] === 'JWT' ? 'dpop+jwt' : 'JWT',
  })),
  no_typ: inHeader((header) => without(header, 'typ')),
  unknown_kid: inHeader((header) => ({ ...header, kid: 'unknown' })),
  no_kid: inHeader((header) => without(header, 'kid')),
  unknown_critical: inHeader((header) => ({ ...header, crit: [CRITICAL], [CRITICAL]: true })),
};

/** @param now whole seconds of the sandbox clock */
export const withWrongMembers = (
  content: Content,
  wrong: ReadonlySet<TokenMistake>,
  now: number,
): Content => [...wrong].reduce((made, mistake) => MAKE[mistake]?.(made, now) ?? made, content);
