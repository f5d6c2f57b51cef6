// A code_verifier and its challenge (RFC 7636 4.1, 4.2).

import { hash, randomBytes } from 'node:crypto';

export interface Pkce {
  readonly verifier: string;
  readonly parameters: {
    readonly code_challenge: string;
    readonly code_challenge_method: 'S256' | 'plain';
  };
}

export function createPkce(code_challenge_method: 'S256' | 'plain'): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  const code_challenge =
    code_challenge_method === 'plain' ? verifier : hash('sha256', verifier, 'base64url');
  return { verifier, parameters: { code_challenge, code_challenge_method } };
}
