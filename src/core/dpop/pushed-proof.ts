// The proof of a pushed authorization request (RFC 9449 10.1): the code is then bound to its key.

import { OAuthError } from '../checks/errors.ts';
import type { ProfileRules } from '../checks/profiles.ts';
import type { Evaluation } from '../checks/trace.ts';
import { note } from '../checks/trace.ts';
import type { Domain } from '../model/domain.ts';
import type { TokenRequest } from '../model/request.ts';
import { valueOf } from '../model/request.ts';
import { checkProof } from './check-proof.ts';

/**
 * The thumbprint of the key that a push proves; null without a proof, and where the profile ignores it.
 * @throws OAuthError `invalid_dpop_proof` or `use_dpop_nonce`, or when dpop_jkt names another key
 */
export async function provenKey(
  body: Pick<TokenRequest, 'dpop' | 'parameters'>,
  rules: ProfileRules,
  domain: Domain,
  evaluation: Evaluation,
): Promise<string | null> {
  const { dpop: header } = body;
  if (header === null) return null;
  if (rules.dpop === 'ignored') {
    note(evaluation, 'dpop_ignored', 'A DPoP proof');
    return null;
  }
  const proof = { header, token: null, binds_refresh_token: false };
  const got = await checkProof(proof, domain, evaluation);
  const expected = valueOf(body, 'dpop_jkt') ?? got;
  if (got !== expected) throw new OAuthError('dpop_jkt_differs', { expected, got });
  return got;
}
