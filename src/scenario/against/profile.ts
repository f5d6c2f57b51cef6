// An answer described without its values: names and kinds of members and claims, and only those values that say how a
// server behaves. Two of them can be compared, and printed, without a token or a person in them.

import { redirectParameters } from '../../oauth/authorization-response.ts';
import { isJsonObject, type JsonObject } from '../../oauth/json-object.ts';
import { decodeJwt } from '../../oauth/jwt.ts';
import type { HttpAnswer } from '../runner/sandbox.ts';

/** What is described, as `body.expires_in`, with the description. */
export type Profile = ReadonlyMap<string, string>;

const DEEPEST = 4;
const MOST_ENTRIES = 500;
const LONGEST_NAME = 100;

/** Members that are compared by value: words of the protocol, and lifetimes in seconds. */
const BY_VALUE: readonly string[] = ['error', 'token_type', 'expires_in', 'interval', 'active'];
const HEADER_BY_VALUE: readonly string[] = ['alg', 'typ'];
/** Headers that clients read, by value; of the others, only whether they are there. */
const HEADERS_BY_VALUE = ['cache-control', 'pragma', 'allow'] as const;
const HEADERS_BY_NAME = ['retry-after', 'dpop-nonce'] as const;

/** Longer or stranger texts are no words of the protocol; they may be anything. */
const WORD = /^[\w .,:+/=;-]{1,64}$/;

function kindOfArray(values: readonly unknown[]): string {
  const kinds = values
    .slice(0, MOST_ENTRIES)
    .map((value) => (Array.isArray(value) ? 'an array' : kindOf(value)));
  const found = [...new Set(kinds)].sort();
  return found.length === 0 ? 'an empty array' : `an array of: ${found.join(', ')}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return kindOfArray(value);
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return decodeJwt(value) === null ? 'a string' : 'a JWT';
  return typeof value === 'boolean' ? 'true or false' : 'a number';
}

function valueOrKind(value: unknown): string {
  const plain = typeof value === 'number' || typeof value === 'boolean';
  return plain || (typeof value === 'string' && WORD.test(value))
    ? JSON.stringify(value)
    : kindOf(value);
}

class Entries {
  readonly found = new Map<string, string>();

  add(what: string, description: string): void {
    if (this.found.size < MOST_ENTRIES) this.found.set(what, description);
  }
}

function addMembers(
  to: Entries,
  at: string,
  members: JsonObject,
  byValue: readonly string[],
  depth = 1,
): void {
  for (const [name, value] of Object.entries(members).slice(0, MOST_ENTRIES)) {
    const what = `${at}.${name.slice(0, LONGEST_NAME)}`;
    if (isJsonObject(value) && depth < DEEPEST) addMembers(to, what, value, [], depth + 1);
    else to.add(what, byValue.includes(name) ? valueOrKind(value) : kindOf(value));
  }
}

/** The claims of a JWT, the parameters of its header, and the seconds from `iat` to `exp`. */
function addToken(to: Entries, name: string, token: unknown): void {
  const jwt = typeof token === 'string' ? decodeJwt(token) : null;
  if (jwt === null) return;
  const { header, payload } = jwt;
  addMembers(to, `${name}.header`, header, HEADER_BY_VALUE);
  addMembers(to, `${name}.claims`, payload, []);
  const seconds = Number(payload['exp']) - Number(payload['iat']);
  if (Number.isFinite(seconds)) to.add(`${name}.lifetime`, `${seconds} s`);
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function addBody(to: Entries, text: string): void {
  if (text === '') return;
  const body = bodyOf(text);
  if (!isJsonObject(body)) {
    to.add('body', kindOf(body));
    return;
  }
  addMembers(to, 'body', body, BY_VALUE);
  for (const name of ['access_token', 'id_token', 'refresh_token']) addToken(to, name, body[name]);
}

/** The scheme and the error of a challenge (RFC 6750 3). */
function challengeOf(header: string): string {
  const [scheme = ''] = header.split(' ', 1);
  const [, error] = /\berror="?([\w.-]{1,64})/.exec(header) ?? [];
  const told = [scheme, error].filter((word) => word !== undefined).join(' ');
  return WORD.test(told) ? told : 'a challenge';
}

function addHeaders(to: Entries, headers: HttpAnswer['headers']): void {
  const textOf = (name: string) => {
    const value = headers[name];
    return value === undefined ? undefined : [value].flat().join(', ');
  };
  const type = textOf('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined) to.add('headers.content-type', WORD.test(type) ? type : 'a media type');
  for (const name of HEADERS_BY_VALUE) {
    const value = textOf(name)?.toLowerCase();
    if (value !== undefined) to.add(`headers.${name}`, WORD.test(value) ? value : 'a text');
  }
  for (const name of HEADERS_BY_NAME) {
    if (textOf(name) !== undefined) to.add(`headers.${name}`, 'present');
  }
  const challenge = textOf('www-authenticate');
  if (challenge !== undefined) to.add('headers.www-authenticate', challengeOf(challenge));
}

/** Of the redirect, the names of its parameters, and the error. */
function addRedirect(to: Entries, location: string): void {
  if (!URL.canParse(location)) {
    to.add('redirect', 'a path');
    return;
  }
  const parameters = Object.fromEntries(redirectParameters(location));
  addMembers(to, 'redirect', parameters, ['error']);
}

/** @param redirectOnly where only the redirect was seen, as by a browser that signs somebody in */
export function profileOf({ status, headers, text }: HttpAnswer, redirectOnly = false): Profile {
  const entries = new Entries();
  const { location } = headers;
  if (!redirectOnly) {
    entries.add('status', status === 0 ? 'no response' : String(status));
    addHeaders(entries, headers);
  }
  if (location !== undefined) addRedirect(entries, [location].flat()[0] ?? '');
  if (!redirectOnly) addBody(entries, text);
  return entries.found;
}
