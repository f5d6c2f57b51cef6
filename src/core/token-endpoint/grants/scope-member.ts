// The scope of the access token in the token response (RFC 6749 5.1).

import type { TokenResponse } from '../../model/request.ts';
import type { Settings } from '../../records/schemas.ts';
import { withoutBlanks } from '../../registry/scopes.ts';

/**
 * The member `scope`: when it differs from the scope that was asked for, also when nothing of that is left,
 * and always where the settings say so.
 */
export function scopeMember(
  scope: string,
  asked: string,
  { scope_member }: Pick<Settings, 'scope_member'>,
): Pick<TokenResponse, 'scope'> {
  return scope_member || scope !== withoutBlanks(asked) ? { scope } : {};
}
