// What the claims of a token say, in words (RFC 7519 4.1, RFC 9068 2.2), by the sandbox clock.

import type { JsonObject } from './jwt.ts';
import { momentInWords } from '../../short-forms.ts';

export interface ClaimContext {
  now: number;
  issuer: string;
  /** Name of a user by `sub`, or null. */
  nameOf: (sub: string) => string | null;
}

export interface ExplainedClaim {
  name: string;
  value: string;
  /** What it is and, for a time, when that is. */
  words: string;
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function moment(value: unknown, now: number): string | null {
  return typeof value === 'number' && Number.isFinite(value)
    ? momentInWords(value * 1000, now)
    : null;
}

type Explain = (value: unknown, context: ClaimContext) => string;

const REGISTERED: Record<string, Explain> = {
  iss: (value, { issuer }) =>
    value === issuer ? 'Issuer: this server' : 'Issuer: not what this server calls itself now',
  sub: (value, { nameOf }) => {
    const name = typeof value === 'string' ? nameOf(value) : null;
    return name === null ? 'Subject: the user it speaks for' : `Subject: ${name}`;
  },
  aud: (value, { issuer }) =>
    value === issuer
      ? 'Audience: the authentication API itself'
      : 'Audience: the API that may accept it',
  client_id: () => 'The client it was issued to',
  azp: () => 'Authorized party: the client it was issued to',
  iat: (value, { now }) => `Issued ${moment(value, now) ?? 'at no readable time'}`,
  nbf: (value, { now }) => `Valid from: ${moment(value, now) ?? 'no readable time'}`,
  exp: (value, { now }) => {
    const when = moment(value, now);
    if (when === null) return 'No readable expiry';
    return (value as number) * 1000 > now ? `Expires ${when}` : `Expired ${when}`;
  },
  auth_time: (value, { now }) => `Signed in ${moment(value, now) ?? 'at no readable time'}`,
  jti: (value) => {
    const [, lineage, count] = asText(value).split('.');
    return count === undefined ? 'Identifies this token' : `Token ${count} of lineage ${lineage}`;
  },
  sid: () => 'The lineage it belongs to',
  scope: () => 'What it may be used for',
  nonce: () => 'Repeats the nonce of the authorization',
};

export function explainClaims(payload: JsonObject, context: ClaimContext): ExplainedClaim[] {
  return Object.entries(payload).map(([name, value]) => {
    const explain = Object.hasOwn(REGISTERED, name) ? REGISTERED[name] : undefined;
    const words = explain?.(value, context) ?? 'Custom claim of the client or user';
    return { name, value: asText(value), words };
  });
}

const HEADER_WORDS: Record<string, string> = {
  alg: 'How it is signed',
  kid: 'Which key signed it',
};

export function explainHeader(header: JsonObject): ExplainedClaim[] {
  return Object.entries(header).map(([name, value]) => {
    const typ = value === 'at+jwt' ? 'An access token (RFC 9068)' : 'What kind of token it is';
    const words = name === 'typ' ? typ : (HEADER_WORDS[name] ?? 'Header parameter');
    return { name, value: asText(value), words };
  });
}

export interface Life {
  /** Seconds between issue and expiry. */
  whole: number;
  /** Seconds left; negative once expired. */
  left: number;
}

export function lifeOf({ iat, exp }: JsonObject, now: number): Life | null {
  if (typeof iat !== 'number' || typeof exp !== 'number') return null;
  return { whole: Math.max(1, exp - iat), left: exp - now / 1000 };
}
