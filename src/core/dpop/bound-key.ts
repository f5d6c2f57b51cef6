// Checks credentials that are bound to a key: codes with dpop_jkt (RFC 9449 10), refresh tokens of public clients
// that were requested with a proof (RFC 9449 5), and access tokens with cnf (RFC 9449 6).

import { OAuthError } from '../checks/errors.ts';
import { type Evaluation, pass } from '../checks/trace.ts';
import type { CodeRecord, RefreshTokenRecord } from '../model/credentials.ts';
import type { Domain } from '../model/domain.ts';
import type { DpopHeader } from '../model/request.ts';
import { checkProof } from './check-proof.ts';

const KINDS = { code: 'code', refresh_token: 'refresh token' } as const;

/**
 * Checks that the request has proven the key that a code or refresh token is bound to.
 * @throws OAuthError `invalid_dpop_proof` without a proof, `invalid_grant` for a proof of another key
 */
export function checkBoundKey(
  { jkt, kind }: Pick<CodeRecord | RefreshTokenRecord, 'jkt' | 'kind'>,
  evaluation: Evaluation,
): void {
  if (jkt === null) return;
  const got = evaluation.dpop?.jkt ?? null;
  if (got === null) throw new OAuthError('dpop_key_unproven', { field: KINDS[kind] });
  if (got !== jkt) throw new OAuthError(`${kind}_of_other_key`, { expected: jkt, got });
  pass(evaluation, 'dpop_key', { expected: jkt, got });
}

export interface PresentedAccessToken {
  readonly value: string;
  readonly scheme: 'bearer' | 'dpop';
  readonly dpop: DpopHeader | null;
  /** Thumbprint of the key that it is bound to; null for a bearer token. */
  readonly jkt: string | null;
}

/**
 * Checks that a bound access token is presented with a proof of its key, and any other one without (RFC 9449 7.1).
 * @throws OAuthError `invalid_token`, `invalid_dpop_proof` or `use_dpop_nonce`
 */
export async function checkPossession(
  { value, scheme, dpop, jkt }: PresentedAccessToken,
  domain: Domain,
  evaluation: Evaluation,
): Promise<void> {
  if (scheme === 'bearer') {
    if (jkt !== null) throw new OAuthError('access_token_bound', { expected: jkt });
    return;
  }
  if (jkt === null) throw new OAuthError('access_token_not_bound');
  if (dpop === null) throw new OAuthError('dpop_missing');
  const got = await checkProof({ header: dpop, token: value }, domain, evaluation);
  if (got !== jkt) throw new OAuthError('access_token_of_other_key', { expected: jkt, got });
  pass(evaluation, 'dpop_key', { expected: jkt, got });
}
