// Proof Key for Code Exchange (RFC 7636).

import { OAuthError } from './errors.ts';
import type { CodeRecord } from './credentials.ts';
import type { Sha256 } from './ports.ts';

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * Checks the verifier against the challenge that the code was issued with.
 * @throws OAuthError `invalid_grant` when it is missing, unexpected, malformed or wrong
 */
export function checkVerifier(
  code: Pick<CodeRecord, 'code_challenge' | 'code_challenge_method'>,
  verifier: string | undefined,
  sha256: Sha256,
): void {
  if (code.code_challenge === null) {
    if (verifier !== undefined) throw new OAuthError('code_verifier_unexpected');
    return;
  }
  if (verifier === undefined || verifier === '') throw new OAuthError('code_verifier_missing');
  if (!VERIFIER.test(verifier)) {
    throw new OAuthError('code_verifier_malformed', { got: String(verifier.length) });
  }
  const plain = code.code_challenge_method === 'plain';
  const expected = plain ? sha256(code.code_challenge) : code.code_challenge;
  if (sha256(verifier) !== expected) {
    throw new OAuthError('code_verifier_wrong', { expected: plain ? 'plain' : 'S256' });
  }
}
