// What a template may not set, because the service reads its own tokens back by it, or because a client checks it.

import type { Problem } from '../records/problems.ts';
import type { Shape } from '../records/schemas.ts';

type Members = Readonly<Record<string, unknown>>;

/** What holds of one claim: never given, only left out, or only given as this reference. */
type Rule = 'never' | 'removable' | readonly string[];

/** Claims in which a client may be named, the one that the format has first. */
export const CLIENT_CLAIMS = ['client_id', 'azp', 'cid', 'appid'] as const;
/** Claims in which the scope may stand. */
export const SCOPE_CLAIMS = ['scope', 'scp'] as const;
/** Claims in which a token may be named. */
export const ID_CLAIMS = ['jti', 'uti', 'sid'] as const;

const CLIENT = ['client.client_id'];
const SCOPE = ['scope', 'scopes'];

/** Introspection, revocation and userinfo read these back, and resource servers validate them. */
const ACCESS_TOKEN: Readonly<Record<string, Rule>> = {
  iss: 'never',
  sub: 'never',
  aud: 'never',
  exp: 'never',
  iat: 'never',
  cnf: 'never',
  act: 'never',
  may_act: 'never',
  jti: 'removable',
  uti: ['token.jti'],
  client_id: CLIENT,
  azp: CLIENT,
  cid: CLIENT,
  appid: CLIENT,
  scope: SCOPE,
  scp: SCOPE,
};

/** OpenID Connect Core 3.1.3.7: what a client validates. */
const ID_TOKEN: Readonly<Record<string, Rule>> = {
  iss: 'never',
  sub: 'never',
  aud: 'never',
  exp: 'never',
  iat: 'never',
  nonce: 'never',
  cnf: 'never',
  auth_time: 'removable',
  at_hash: 'removable',
};

/** OpenID Connect Core 5.3.2: sub is compared with that of the id_token. */
const USERINFO: Readonly<Record<string, Rule>> = { sub: 'never' };

/** Nobody reads claims of a refresh token back: it is known by its text, which must be unique. */
const REFRESH_TOKEN: Readonly<Record<string, Rule>> = {
  iss: 'never',
  sub: 'never',
  exp: 'never',
  iat: 'never',
  jti: 'never',
  cnf: 'never',
};

/** RFC 6749 5.1: what a client needs to use the tokens. */
const TOKEN_RESPONSE: Readonly<Record<string, Rule>> = {
  access_token: 'never',
  refresh_token: 'never',
  id_token: 'never',
  token_type: 'never',
  issued_token_type: 'never',
  expires_in: 'never',
  scope: ['scope'],
};

const RULES = {
  access_token: ACCESS_TOKEN,
  id_token: ID_TOKEN,
  userinfo: USERINFO,
  refresh_token: REFRESH_TOKEN,
  token_response: TOKEN_RESPONSE,
} as const;

export type TemplateName = keyof typeof RULES;
export const TEMPLATE_NAMES = Object.keys(RULES) as readonly TemplateName[];

function isReference(value: unknown, names: readonly string[]): boolean {
  const { $from, ...rest } = Object(value) as Record<string, unknown>;
  return typeof $from === 'string' && names.includes($from) && Object.keys(rest).length === 0;
}

function brokenRule(rule: Rule | undefined, value: unknown): string | null {
  if (rule === undefined) return null;
  if (rule === 'never') return 'is set by the service itself; a shape must not change it';
  if (value === null) return null;
  if (rule === 'removable') return 'is set by the service itself; a shape can only leave it out';
  if (isReference(value, rule)) return null;
  const forms = rule.map((name) => `{ "$from": "${name}" }`).join(' or ');
  return `must be ${forms}, or null to leave it out`;
}

const sets = (members: Members, name: string) =>
  members[name] !== undefined && members[name] !== null;

/** A claim that is left out needs another one in its place, or the token could not be read back. */
function missingSubstitutes({ access_token = {} }: Shape): Problem[] {
  const needs: readonly (readonly [left: readonly string[], instead: readonly string[]])[] = [
    [['client_id', 'azp'], CLIENT_CLAIMS],
    [['scope'], ['scp']],
    [['jti'], ['uti']],
  ];
  return needs.flatMap(([names, instead]) => {
    const left = names.find((name) => access_token[name] === null);
    if (left === undefined || instead.some((name) => sets(access_token, name))) return [];
    const others = instead.filter((name) => name !== left).join(', ');
    return [
      { path: `access_token.${left}`, message: `can be left out only if there is ${others}` },
    ];
  });
}

export const isEndpointMember = (name: string) =>
  name === 'issuer' ||
  name === 'jwks_uri' ||
  name.endsWith('_endpoint') ||
  name.endsWith('_aliases');

/** @param shape with the members of its provider */
export function brokenRules(shape: Shape): Problem[] {
  const templates = TEMPLATE_NAMES.flatMap((template) =>
    Object.entries(shape[template] ?? {}).flatMap(([name, value]) => {
      const rules: Readonly<Record<string, Rule>> = RULES[template];
      const message = brokenRule(Object.hasOwn(rules, name) ? rules[name] : undefined, value);
      return message === null ? [] : [{ path: `${template}.${name}`, message }];
    }),
  );
  const metadata = Object.keys(shape.metadata ?? {})
    .filter(isEndpointMember)
    .map((name) => ({
      path: `metadata.${name}`,
      message: 'names an endpoint or the issuer; give paths or issuer_path instead',
    }));
  return [...templates, ...missingSubstitutes(shape), ...metadata];
}
