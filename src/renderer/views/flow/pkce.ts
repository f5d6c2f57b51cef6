// A PKCE pair (RFC 7636): the verifier stays with the flow, the challenge goes with the code.

import { encodeBase64url } from '../../base64url.ts';

const VERIFIER_BYTES = 32;

export interface PkcePair {
  verifier: string;
  challenge: string;
}

export async function createPkcePair(): Promise<PkcePair> {
  const verifier = encodeBase64url(crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: encodeBase64url(new Uint8Array(digest)) };
}
