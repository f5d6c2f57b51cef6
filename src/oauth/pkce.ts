// The pair of a PKCE exchange (RFC 7636): the challenge is sent in the authorization request, and the client keeps
// the verifier until it redeems the code.

import { randomBase64url, sha256 } from './base64.ts';

const VERIFIER_BYTES = 32;

export type ChallengeMethod = 'S256' | 'plain';

/** The parameters for the authorization request (RFC 7636 4.3). */
export interface PkceChallenge {
  readonly code_challenge: string;
  readonly code_challenge_method: ChallengeMethod;
}

export interface PkcePair {
  /** The `code_verifier` for the token request (RFC 7636 4.5). */
  readonly verifier: string;
  readonly challenge: PkceChallenge;
}

/** Generates a verifier of 256 random bits, which has 43 characters (RFC 7636 4.1), with its challenge (4.2). */
export async function createPkcePair(
  code_challenge_method: ChallengeMethod = 'S256',
): Promise<PkcePair> {
  const verifier = randomBase64url(VERIFIER_BYTES);
  const code_challenge = code_challenge_method === 'plain' ? verifier : await sha256(verifier);
  return { verifier, challenge: { code_challenge, code_challenge_method } };
}
