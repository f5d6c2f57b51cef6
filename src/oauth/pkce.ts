// The pair of a PKCE exchange (RFC 7636): the challenge is sent in the authorization request, and the client keeps
// the verifier until it redeems the code.

import { encodeBase64url } from './base64.ts';

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

/** BASE64URL(SHA256(ASCII(verifier))) for S256, the verifier itself for plain (RFC 7636 4.2). */
async function challengeOf(verifier: string, method: ChallengeMethod): Promise<string> {
  if (method === 'plain') return verifier;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return encodeBase64url(new Uint8Array(digest));
}

/** Generates a verifier of 256 random bits, which has 43 characters (RFC 7636 4.1), with its challenge (4.2). */
export async function createPkcePair(
  code_challenge_method: ChallengeMethod = 'S256',
): Promise<PkcePair> {
  const verifier = encodeBase64url(crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES)));
  const code_challenge = await challengeOf(verifier, code_challenge_method);
  return { verifier, challenge: { code_challenge, code_challenge_method } };
}
