// The proof of a token request (RFC 9449 5): what is issued is then bound to its key.

import { OAuthError } from '../checks/errors.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import type { Evaluation } from '../checks/trace.ts';
import { note } from '../checks/trace.ts';
import { isConfidential } from '../client-authentication/authenticate.ts';
import type { Domain } from '../model/domain.ts';
import type { TokenRequest } from '../model/request.ts';
import type { Client } from '../records/schemas.ts';
import { checkProof } from './check-proof.ts';

/** Whether there is a proof to be checked, or to be missed (RFC 9449 5.2). Nobody else pays for DPoP. */
export const asksForBinding = ({ dpop }: Pick<TokenRequest, 'dpop'>, client: Client): boolean =>
  dpop !== null || client.dpop_bound_access_tokens;

/**
 * Validates the proof where the profile supports DPoP; elsewhere it is ignored, and noted.
 * @throws OAuthError `invalid_dpop_proof` or `use_dpop_nonce`, or when a client that requires DPoP cannot have it
 */
export async function checkTokenProof(
  { dpop }: Pick<TokenRequest, 'dpop'>,
  client: Client,
  rules: ProfileRules,
  domain: Domain,
  evaluation: Evaluation,
): Promise<void> {
  if (rules.dpop === 'ignored') {
    if (client.dpop_bound_access_tokens) throw new OAuthError('dpop_not_supported');
    note(evaluation, 'dpop_ignored', 'A DPoP proof');
    return;
  }
  if (dpop === null) throw new OAuthError('dpop_required');
  const binds_refresh_token = !isConfidential(client);
  await checkProof({ header: dpop, token: null, binds_refresh_token }, domain, evaluation);
  note(evaluation, 'dpop_accepted');
}
