// PKCE verifiers and challenges.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPkcePair } from '../../src/oauth/pkce.ts';

describe('a PKCE pair', () => {
  it('RFC 7636 4.1: has a new verifier of 43 unreserved characters each time', async () => {
    const pairs = await Promise.all([createPkcePair(), createPkcePair()]);
    for (const { verifier } of pairs) expect(verifier).toMatch(/^[\w-]{43}$/);
    expect(pairs[0].verifier).not.toBe(pairs[1].verifier);
  });

  it('RFC 7636 4.2: has the digest of the verifier as its challenge', async () => {
    const { verifier, challenge } = await createPkcePair();
    expect(challenge).toEqual({
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
  });

  it('RFC 7636 4.2: has the verifier itself as its challenge when the method is plain', async () => {
    const { verifier, challenge } = await createPkcePair('plain');
    expect(challenge).toEqual({ code_challenge: verifier, code_challenge_method: 'plain' });
  });
});
