// The check that no parameter is longer than may be kept.

import { OAuthError } from './errors.ts';
import type { TokenRequest } from '../model/request.ts';
import { PARAMETER_LIMITS } from '../records/parameter-limits.ts';

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
