// Proof Key for Code Exchange (RFC 7636).

import { pluralize } from '../../words.ts';
import { OAuthError } from '../checks/errors.ts';
import type { CodeRecord } from '../model/credentials.ts';
import type { Sha256 } from '../model/ports.ts';
import type { Client } from '../records/schemas.ts';

export const CHALLENGE_METHODS = ['S256', 'plain'] as const;
export type ChallengeMethod = (typeof CHALLENGE_METHODS)[number];

/** The form of a verifier, and of a challenge with the method plain (RFC 7636 4.1, 4.2). */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** What a challenge of each method must be, in words. */
export const CHALLENGE_RULES: Readonly<Record<ChallengeMethod, string>> = {
  S256: '43 base64url characters for S256',
  plain: '43 to 128 unreserved characters',
};

export function isChallengeMethod(method: string): method is ChallengeMethod {
  return (CHALLENGE_METHODS as readonly string[]).includes(method);
}

export function isChallenge(challenge: string, method: ChallengeMethod): boolean {
  return (method === 'S256' ? S256_CHALLENGE : VERIFIER).test(challenge);
}

/** A client that cannot authenticate at the token endpoint must at least prove that it started the flow. */
export function mustChallenge({ client_secret, token_endpoint_auth_method }: Client): boolean {
  return client_secret === null && token_endpoint_auth_method !== 'private_key_jwt';
}

/** Says why a verifier is malformed, without repeating any of it. */
function problemOf(verifier: string): string {
  const odd = verifier.search(/[^A-Za-z0-9._~-]/);
  return odd < 0
    ? `it has ${pluralize(verifier.length, 'character')}`
    : `its character ${odd + 1} is not a letter, a digit, or one of - . _ ~`;
}

/**
 * Checks the verifier against the challenge that the code was issued with.
 * @throws OAuthError `invalid_grant` if it is missing, unexpected, malformed or wrong
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
    throw new OAuthError('code_verifier_malformed', { got: problemOf(verifier) });
  }
  const plain = code.code_challenge_method === 'plain';
  const expected = plain ? sha256(code.code_challenge) : code.code_challenge;
  if (sha256(verifier) !== expected) {
    throw new OAuthError('code_verifier_wrong', { expected: plain ? 'plain' : 'S256' });
  }
}
