// Check 12: parses scope parameters, which are space-separated lists of case-sensitive tokens (RFC 6749 3.3), and
// decides which scopes an audience defines (behaviour 2).

import { OAuthError } from '../checks/errors.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import { type Evaluation, note, pass } from '../checks/trace.ts';
import { EXTRA_BLANKS } from '../checks/refusals/of-credentials.ts';
import type { Registry } from './lists.ts';
import type { GrantContext } from '../token-endpoint/grants/grant.ts';

/** Scopes that every audience defines (behaviour 2). */
export const COMMON_SCOPES: readonly string[] = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
];

const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Returns the tokens of a scope parameter, each once; null if it is malformed. An empty text has none. */
export function parseScope(text: string): string[] | null {
  if (text === '') return [];
  const tokens = new Set(text.split(' '));
  for (const token of tokens) if (!SCOPE_TOKEN.test(token)) return null;
  return [...tokens];
}

/** Returns the scopes in a granted or stored scope, which is well formed. */
export const scopesOf = (scope: string): string[] => (scope === '' ? [] : scope.split(' '));

/** Returns the text with single spaces between the tokens and none around them. */
export const withoutBlanks = (text: string): string =>
  text
    .split(' ')
    .filter((token) => token !== '')
    .join(' ');

/** Returns the tokens that are not in the other list. */
export function beyond(tokens: readonly string[], granted: readonly string[]): string[] {
  return tokens.filter((token) => !granted.includes(token));
}

/** Returns the scopes that the audience defines; without audience, those that any audience defines. */
function knownScopes(audience: string | null, registry: Registry): readonly string[] {
  const scopes =
    audience === null ? registry.definedScopes() : (registry.audience(audience)?.scopes ?? []);
  return [...COMMON_SCOPES, ...scopes];
}

export function unknownScopes(
  scopes: readonly string[],
  audience: string | null,
  registry: Registry,
): string[] {
  return scopes.length === 0 ? [] : beyond(scopes, knownScopes(audience, registry));
}

/**
 * Returns the scopes of a scope parameter, each once. Extra blanks are accepted and noted except in `strict`.
 * @throws OAuthError `invalid_scope` if they are not scope tokens (RFC 6749 3.3)
 */
export function readScope(
  text: string,
  { scope_blanks }: Pick<ProfileRules, 'scope_blanks'>,
  evaluation: Evaluation,
): string[] {
  const plain = scope_blanks === 'note' ? withoutBlanks(text) : text;
  const scopes = parseScope(plain);
  if (scopes === null) {
    const onlyBlanks = parseScope(withoutBlanks(text)) !== null;
    throw new OAuthError('scope_malformed', onlyBlanks ? { field: EXTRA_BLANKS } : {});
  }
  if (plain !== text) note(evaluation, 'scope_blanks');
  return scopes;
}

/**
 * Returns the scopes that the audience defines, if the profile drops unknown ones; without audience, those that any
 * audience defines.
 * @throws OAuthError `invalid_scope` if the profile rejects unknown scopes
 */
export function knownScope(
  { evaluation, rules, registry }: Pick<GrantContext, 'evaluation' | 'rules' | 'registry'>,
  scopes: readonly string[],
  audience: string | null,
): string {
  const unknown = unknownScopes(scopes, audience, registry);
  if (unknown.length > 0) {
    if (rules.unknown_scope === 'reject') {
      const expected = audience ?? 'any audience';
      throw new OAuthError('scope_unknown', { expected, got: unknown.join(' ') });
    }
    note(evaluation, 'unknown_scope_dropped', unknown.join(' '));
  }
  const scope = beyond(scopes, unknown).join(' ');
  pass(evaluation, 'scope', { got: scope === '' ? 'none' : scope });
  return scope;
}
