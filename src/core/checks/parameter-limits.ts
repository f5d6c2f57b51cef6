// How long the parameters may be that are kept beyond their request, or sent back. Others are compared
// with what is registered or issued, and have no length of their own.

import { OAuthError } from './errors.ts';
import type { TokenRequest } from '../model/request.ts';

/** Characters; generous, as some clients keep a whole page's state in theirs. */
export const PARAMETER_LIMITS = {
  nonce: 1024,
  state: 8192,
  scope: 8192,
  prompt: 100,
  login_hint: 1024,
  id_token_hint: 16_384,
} as const;

const LIMITS = Object.entries(PARAMETER_LIMITS);

/** @throws OAuthError `invalid_request` naming the first that is longer */
export function checkLengths({ parameters }: Pick<TokenRequest, 'parameters'>): void {
  for (const [field, limit] of LIMITS) {
    const value = parameters.get(field);
    if (value !== undefined && value.length > limit) {
      throw new OAuthError('parameter_too_long', { field, expected: String(limit) });
    }
  }
}
