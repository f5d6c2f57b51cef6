// Makes templates from the claims of a sample token: keeps names and types, but no values.

import type { Shape } from '../../core/records/schemas.ts';
import { CLIENT_CLAIMS, SCOPE_CLAIMS } from '../../core/shape/template-rules.ts';
import { decodeJwt } from '../../oauth/jwt.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { ProviderError } from '../provider/provider-error.ts';

type Template = NonNullable<Shape['access_token']>;

export interface SampleToken {
  readonly access_token: Template;
  readonly access_token_typ: 'JWT' | 'at+jwt' | undefined;
  /** Seconds between iat and exp; null if unknown. */
  readonly lifetime: number | null;
}

/** Claims that the sandbox sets in every token. */
const OWN: readonly string[] = ['iss', 'sub', 'aud', 'exp', 'iat', 'jti', 'cnf', 'act', 'may_act'];

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Claims whose names determine the value. */
const KNOWN: Readonly<Record<string, string>> = {
  email: 'user.email',
  name: 'user.name',
  groups: 'user.groups',
  roles: 'user.roles',
  nbf: 'token.iat',
  auth_time: 'token.iat',
  uid: 'user.sub',
  oid: 'user.uuid',
  sid: 'session.uuid',
  uti: 'token.jti',
};

const LOGINS: readonly string[] = ['preferred_username', 'upn', 'unique_name', 'username'];

/** Matches times in seconds since the epoch, from 2001 to 2100. */
const isTime = (value: number) => value > 1e9 && value < 4.1e9;

const isUrl = (text: string) => /^https?:\/\//i.test(text);

/** Maximum depth of a claim; deeper levels are omitted. */
const MAX_LEVELS = 16;

/** Returns a made-up value of the same type; undefined for null, which templates cannot express. */
function sampleOf(value: unknown, levels = MAX_LEVELS): unknown {
  if (levels === 0) return undefined;
  if (typeof value === 'boolean') return true;
  if (typeof value === 'number') return isTime(value) ? { $from: 'token.iat' } : 1;
  if (typeof value === 'string') return sampleOfText(value);
  if (Array.isArray(value)) {
    return value.slice(0, 1).flatMap((item) => sampleOf(item, levels - 1) ?? []);
  }
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value).map(
    ([name, member]) => [name, sampleOf(member, levels - 1)] as const,
  );
  const filled = members.filter(([name, made]) => made !== undefined && !name.startsWith('$'));
  return Object.fromEntries(filled);
}

function sampleOfText(text: string): unknown {
  if (UUID.test(text)) return { $from: 'user.uuid' };
  if (isUrl(text)) return 'https://sandbox.example/value';
  if (/^[^@\s]+@[^@\s]+$/.test(text)) return { $from: 'user.email' };
  return 'sample';
}

/** Chooses by name if the types agree, else by type. */
function templateOf(name: string, value: unknown): unknown {
  const isList = Array.isArray(value);
  if ((CLIENT_CLAIMS as readonly string[]).includes(name)) return { $from: 'client.client_id' };
  if ((SCOPE_CLAIMS as readonly string[]).includes(name)) {
    return { $from: isList ? 'scopes' : 'scope' };
  }
  // Some providers use an e-mail address as login, others a name.
  if (LOGINS.includes(name) && typeof value === 'string') {
    return { $from: value.includes('@') ? 'user.email' : 'user.sub' };
  }
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  const isKnownList = known === 'user.groups' || known === 'user.roles';
  const agrees = known !== undefined && !isJsonObject(value) && isKnownList === isList;
  return agrees ? { $from: known } : sampleOf(value);
}

/** Default claims that the sample does not have in this form. */
function leftOut(payload: JsonObject): Template {
  const has = (names: readonly string[]) => names.some((name) => payload[name] !== undefined);
  return {
    ...(has(CLIENT_CLAIMS) && payload['client_id'] === undefined ? { client_id: null } : {}),
    ...(has(SCOPE_CLAIMS) && payload['scope'] === undefined ? { scope: null } : {}),
    ...(payload['uti'] !== undefined && payload['jti'] === undefined ? { jti: null } : {}),
  };
}

function typOf(header: JsonObject): SampleToken['access_token_typ'] {
  const typ = typeof header['typ'] === 'string' ? header['typ'].toLowerCase() : '';
  if (typ === 'jwt') return 'JWT';
  return typ === 'at+jwt' || typ === 'application/at+jwt' ? 'at+jwt' : undefined;
}

/** Maximum length of a sample token. */
const MAX_TOKEN = 65_536;

/**
 * Decodes the token without sending it or validating its signature.
 * @param where names the source of the token in errors
 */
export function readSample(token: string, where: string): SampleToken {
  const text = token.trim().replace(/^Bearer\s+/i, '');
  if (text.length > MAX_TOKEN) {
    throw new ProviderError(where, `has a token of more than ${MAX_TOKEN} characters`);
  }
  const jwt = decodeJwt(text);
  if (jwt === null) {
    throw new ProviderError(
      where,
      'is not a signed JWT: an opaque or encrypted token has no claims',
    );
  }
  const { header, payload } = jwt;
  const claims = Object.entries(payload)
    .filter(([name]) => !OWN.includes(name))
    .map(([name, value]) => [name, templateOf(name, value)] as const)
    .filter(([, template]) => template !== undefined);
  const { iat, exp } = payload;
  const seconds = typeof iat === 'number' && typeof exp === 'number' ? Math.round(exp - iat) : 0;
  return {
    access_token: { ...leftOut(payload), ...Object.fromEntries(claims) },
    access_token_typ: typOf(header),
    lifetime: seconds > 0 ? seconds : null,
  };
}
