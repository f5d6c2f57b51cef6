// Describes the members of a token in words (RFC 7515 4.1, RFC 7519 4.1, RFC 9068 2.2, OpenID Connect Core 2 and
// 5.1), by the sandbox clock.

import { momentInFull, momentInWords } from './moments.ts';
import { isJsonObject, type JsonObject } from '../json.ts';

export interface ClaimContext {
  /** Sandbox time in ms. */
  now: number;
  issuer: string;
  /** Returns the name of the user with this `sub`, or null. */
  nameOf: (sub: string) => string | null;
  isClient: (id: string) => boolean;
}

/** A NumericDate is in seconds. This number is the year 5138, or a time in milliseconds by mistake. */
const SURELY_MS = 100_000_000_000;

const ONE_LINE = 60;

/** Returns a member's value for display: strings unchanged, other values as JSON, on several lines if needed. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    const line = JSON.stringify(value);
    return line.length <= ONE_LINE ? line : JSON.stringify(value, null, 2);
  } catch {
    return 'nested too deeply to show';
  }
}

/** Whether a number in place of a NumericDate is a time in milliseconds. */
export const isInMs = (value: number): boolean => Math.abs(value) >= SURELY_MS;

/** Returns a NumericDate (RFC 7519 2) in words, or what is wrong with it. */
function moment(value: unknown, now: number): string {
  if (typeof value !== 'number') return `at an unreadable time: ${typeof value}, not a number`;
  if (isInMs(value)) {
    return `${momentInFull(value, now)}, if these are milliseconds; a NumericDate counts seconds`;
  }
  return momentInFull(value * 1000, now);
}

const TIMES = ['iat', 'nbf', 'exp', 'auth_time', 'updated_at'];

/** Returns the time of a claim that is a time; null for any other claim. @param text its value as shown */
export const timeInWords = (name: string, text: string, now: number): string | null =>
  TIMES.includes(name) && /^\d+(\.\d+)?$/.test(text) ? moment(Number(text), now) : null;

/** What a member is, or a function that says it by the value. */
type Meaning = string | ((value: unknown, context: ClaimContext) => string);

const REGISTERED: Record<string, Meaning> = {
  iss: (value, { issuer }) =>
    value === issuer ? 'Issuer: this server' : 'Issuer: not the current issuer of this server',
  sub: (value, { nameOf }) => {
    const name = typeof value === 'string' ? nameOf(value) : null;
    return name === null ? 'Subject: the user that the token represents' : `Subject: ${name}`;
  },
  aud: (value, { issuer, isClient }) => {
    if (value === issuer) return 'Audience: the authentication API itself';
    return [value].flat().some((one) => typeof one === 'string' && isClient(one))
      ? 'Audience: the client that it is for'
      : 'Audience: the API that may accept it';
  },
  client_id: 'The client it was issued to',
  azp: 'Authorized party: the client it was issued to',
  iat: (value, { now }) => `Issued ${moment(value, now)}`,
  nbf: (value, { now }) => `Not valid before: ${moment(value, now)}`,
  exp: (value, { now }) => {
    const over = typeof value === 'number' && (isInMs(value) ? value : value * 1000) <= now;
    return `${over ? 'Expired' : 'Expires'} ${moment(value, now)}`;
  },
  auth_time: (value, { now }) => `Signed in ${moment(value, now)}`,
  updated_at: (value, { now }) => `The profile changed ${moment(value, now)}`,
  jti: (value) => {
    const [, lineage, count] = /^[\w-]+\.([0-9a-z]+)\.(\d+)$/.exec(asText(value)) ?? [];
    return count === undefined ? 'Identifies this token' : `Token ${count} of lineage ${lineage}`;
  },
  sid: 'The session or lineage it belongs to',
  scope: 'What the token may be used for',
  scp: 'What the token may be used for',
  nonce: 'Repeats the nonce of the authorization request',
  at_hash: 'Digest of the access token issued with it',
  c_hash: 'Digest of the code it was issued with',
  acr: 'How strongly the user was authenticated',
  amr: 'How the user was authenticated',
  act: 'The actor: who acts on behalf of the subject (RFC 8693 4.1)',
  cnf: (value) =>
    isJsonObject(value) && typeof value['jkt'] === 'string'
      ? 'Bound to the key with this thumbprint: accepted only with a DPoP proof of that key (RFC 9449 6.1)'
      : 'The key whose possession the holder must prove (RFC 7800)',
  name: 'The user’s full name',
  given_name: 'The user’s given name',
  family_name: 'The user’s family name',
  preferred_username: 'The preferred user name',
  email: 'The user’s e-mail address',
  email_verified: 'Whether the e-mail address was verified',
  roles: 'Roles of the user',
  groups: 'Groups of the user',
  permissions: 'Permissions of the user',
};

/** Returns what a member is and, for a time, when that is. */
export type ExplainMember = (name: string, value: unknown) => string;

const explainer =
  (
    known: Readonly<Record<string, Meaning>>,
    context: ClaimContext,
    otherwise: string,
  ): ExplainMember =>
  (name, value) => {
    const meaning = Object.hasOwn(known, name) ? known[name] : undefined;
    return typeof meaning === 'function' ? meaning(value, context) : (meaning ?? otherwise);
  };

export function explainClaims(payload: JsonObject, context: ClaimContext): ExplainMember {
  const { iss, sub, client_id = payload['azp'] } = payload;
  const own = iss === context.issuer;
  const known = {
    ...REGISTERED,
    ...(own ? {} : { jti: 'Identifies this token' }),
    ...(sub !== undefined && sub === client_id
      ? { sub: 'Subject: the client itself, as no user takes part' }
      : {}),
  };
  const custom = own
    ? 'Custom claim of the client, the user or the provider shape'
    : 'A custom claim of the issuer';
  return explainer(known, context, custom);
}

const TYPES: Record<string, string> = {
  'at+jwt': 'An access token (RFC 9068)',
  JWT: 'A JSON Web Token',
  'logout+jwt': 'A logout token',
  'dpop+jwt': 'A DPoP proof (RFC 9449)',
};

const HEADER: Record<string, Meaning> = {
  alg: 'Signature algorithm',
  kid: 'Identifier of the signing key',
  typ: (value) => TYPES[asText(value)] ?? 'Type of the token',
  cty: 'Type of the content',
  jku: 'URL of the key set. Do not trust it without validation',
  jwk: 'The signing key, as claimed. It proves nothing by itself',
  x5t: 'Thumbprint of the signing certificate',
  x5c: 'The signing certificate and its chain',
  crit: 'Header members that a verifier must understand; otherwise it must reject the token',
  enc: 'How its content is encrypted',
  zip: 'How its content is compressed',
};

const ENCRYPTED: Record<string, Meaning> = {
  ...HEADER,
  alg: 'How the content key is encrypted',
  kid: 'Which key it is encrypted for',
};

export function explainHeader(header: JsonObject, context: ClaimContext): ExplainMember {
  const known = Object.hasOwn(header, 'enc') ? ENCRYPTED : HEADER;
  return explainer(known, context, 'Header parameter');
}

/** The claims of a DPoP proof, and what each binds the proof to (RFC 9449 4.2). */
const PROOF: Record<string, Meaning> = {
  jti: 'Identifies the proof: it is accepted once',
  htm: 'Binds it to the method of the request',
  htu: 'Binds it to the URI of the request, without query and fragment',
  iat: (value, { now }) => `Created ${moment(value, now)}: it is accepted for a short time`,
  ath: 'Binds it to an access token: the SHA-256 hash of the token',
  nonce: 'The value that the service supplied in DPoP-Nonce, which shows that the proof is recent',
};

const PROOF_HEADER: Record<string, Meaning> = {
  ...HEADER,
  alg: 'Signature algorithm, which must be asymmetric',
  jwk: 'The public key that verifies the proof, and to which tokens are bound',
};

export const explainProof = (context: ClaimContext): ExplainMember =>
  explainer(PROOF, context, 'Not a claim of DPoP');

export const explainProofHeader = (context: ClaimContext): ExplainMember =>
  explainer(PROOF_HEADER, context, 'Header parameter');

export interface Life {
  /** Seconds between issue and expiry. */
  whole: number;
  /** Seconds left; negative once expired. */
  left: number;
}

export function lifeOf({ iat, exp }: JsonObject, now: number): Life | null {
  if (typeof iat !== 'number' || typeof exp !== 'number') return null;
  if (isInMs(exp) || isInMs(iat)) return null;
  return { whole: Math.max(1, exp - iat), left: exp - now / 1000 };
}

/**
 * Returns what the exp claim says, which may differ from the current state of the token.
 * @param ended whether the issuer has ended the token, as far as is known
 */
export function expInWords({ left }: Life, now: number, ended: boolean): string {
  const verb = left <= 0 ? 'expired' : ended ? 'still expires' : 'expires';
  return `exp claim: ${verb} ${momentInWords(now + left * 1000, now)}`;
}
