// Check 12, where scopes are granted for the first time: an audience grants only those it knows.

import { unknownScopes } from './audiences.ts';
import { OAuthError } from '../checks/errors.ts';
import { beyond } from './scopes.ts';
import { note, pass } from '../checks/trace.ts';
import type { GrantContext } from '../token-endpoint/grants/grant.ts';

/**
 * The scopes, less what the audience does not know where the profile drops that; without audience, what
 * none of them knows.
 * @throws OAuthError `invalid_scope` where the profile refuses it
 */
export function knownScope(
  { evaluation, rules, registry }: Pick<GrantContext, 'evaluation' | 'rules' | 'registry'>,
  scopes: readonly string[],
  audience: string | null,
): string {
  const unknown = unknownScopes(scopes, audience, registry);
  if (unknown.length > 0) {
    if (rules.unknown_scope === 'refuse') {
      const expected = audience ?? 'any audience';
      throw new OAuthError('scope_unknown', { expected, got: unknown.join(' ') });
    }
    note(evaluation, 'unknown_scope_dropped', unknown.join(' '));
  }
  const scope = beyond(scopes, unknown).join(' ');
  pass(evaluation, 'scope', { got: scope === '' ? 'none' : scope });
  return scope;
}
