// The scope that a request asks for, as far as the profile accepts how it is written.

import { OAuthError } from '../checks/errors.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import type { Evaluation } from '../checks/trace.ts';
import { note } from '../checks/trace.ts';
import { EXTRA_BLANKS } from '../checks/refusals/of-credentials.ts';
import { parseScope, withoutBlanks } from './scopes.ts';

/**
 * The scopes of a scope parameter, each once; extra blanks are accepted and noted except in `strict`.
 * @throws OAuthError `invalid_scope` for what are not scope tokens (RFC 6749 3.3)
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
