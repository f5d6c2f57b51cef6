// How long the refresh token and its authorization have left, beside the token, where that is switched
// on (draft-ietf-oauth-refresh-token-expiration-03).

import type { RefreshTokenRecord } from '../../model/credentials.ts';
import type { TokenResponse } from '../../model/request.ts';
import type { Settings } from '../../records/schemas.ts';

type ExpiryMembers = Pick<TokenResponse, 'refresh_token_timeout' | 'authorization_expires_in'>;

const NONE: ExpiryMembers = {};

/** @param now milliseconds of the sandbox clock */
export function expiryMembers(
  { expires_at, lineage }: RefreshTokenRecord,
  { expiry_members }: Settings,
  now: number,
): ExpiryMembers {
  if (!expiry_members) return NONE;
  // Rounded: signing took a few milliseconds since the token was issued.
  const left = (until: number) => Math.max(0, Math.round((until - now) / 1000));
  return {
    refresh_token_timeout: left(expires_at),
    authorization_expires_in: left(lineage.refresh_until),
  };
}
