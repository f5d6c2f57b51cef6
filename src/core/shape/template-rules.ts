// Members that templates must not set, because the service needs them to read its tokens, or because clients validate
// them.

import type { Problem } from '../records/problems.ts';
import type { Shape } from '../records/schemas.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * The rule for a claim: a template must not have it, may only omit it, or may only set it to one of these references.
 */
type Rule = 'never' | 'removable' | readonly string[];

/** Claims that may contain the client, the usual one first. */
export const CLIENT_CLAIMS = ['client_id', 'azp', 'cid', 'appid'] as const;
/** Claims that may contain the scope. */
export const SCOPE_CLAIMS = ['scope', 'scp'] as const;
/** Claims that may contain the identifier of the token. */
export const ID_CLAIMS = ['jti', 'uti', 'sid'] as const;

const each = (rule: Rule, names: readonly string[]): Readonly<Record<string, Rule>> =>
  Object.fromEntries(names.map((name) => [name, rule]));

const RULES = {
  /** Introspection, revocation and userinfo read these claims, and resource servers validate them. */
  access_token: {
    ...each('never', ['iss', 'sub', 'aud', 'exp', 'iat', 'cnf', 'act', 'may_act']),
    jti: 'removable',
    uti: ['token.jti'],
    ...each(['client.client_id'], CLIENT_CLAIMS),
    ...each(['scope', 'scopes'], SCOPE_CLAIMS),
  },
  /** Claims that a client validates (OpenID Connect Core 3.1.3.7). */
  id_token: {
    ...each('never', ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce', 'cnf', 'c_hash']),
    ...each('removable', ['auth_time', 'at_hash']),
  },
  /** A client compares sub with that of the ID token (OpenID Connect Core 5.3.2). */
  userinfo: { sub: 'never' },
  /** Nobody reads the claims of a refresh token. It is found by its text, which must be unique. */
  refresh_token: each('never', ['iss', 'sub', 'exp', 'iat', 'jti', 'cnf']),
  /** Members that a client needs to use the tokens (RFC 6749 5.1). */
  token_response: {
    ...each('never', ['access_token', 'refresh_token', 'id_token', 'token_type']),
    ...each('never', ['issued_token_type', 'expires_in']),
    scope: ['scope'],
  },
  /** Members that a device needs (RFC 8628 3.2). */
  device_response: {
    ...each('never', ['device_code', 'user_code', 'verification_uri', 'expires_in', 'interval']),
    verification_uri_complete: 'removable',
  },
} as const satisfies Record<string, Readonly<Record<string, Rule>>>;

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
  if (rule === 'removable') return 'is set by the service itself; a shape can only omit it';
  if (isReference(value, rule)) return null;
  const forms = rule.map((name) => `{ "$from": "${name}" }`).join(' or ');
  return `must be ${forms}, or null to omit it`;
}

const sets = (members: Members, name: string) =>
  members[name] !== undefined && members[name] !== null;

/** A claim can be omitted only if another one replaces it; otherwise the service could not read the token. */
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
    return [{ path: `access_token.${left}`, message: `can be omitted only if there is ${others}` }];
  });
}

export const isEndpointMember = (name: string) =>
  name === 'issuer' ||
  name === 'jwks_uri' ||
  name.endsWith('_endpoint') ||
  name.endsWith('_aliases');

/** @param shape including the members of its provider */
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
      message: 'is the address of an endpoint or the issuer; use paths or issuer_path instead',
    }));
  return [...templates, ...missingSubstitutes(shape), ...metadata];
}
