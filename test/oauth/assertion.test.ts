// Assertions that a client signs for a user, verified with a third-party library.

import { decodeJwt, importJWK, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { signAssertion } from '../../src/oauth/assertion.ts';
import { createProofKey } from '../../src/oauth/dpop.ts';

const NOW = 1_800_000_000;
const PARTIES = { iss: 'app', sub: 'ada', aud: 'https://as.example' };
const key = { ...(await createProofKey()), kid: 'k-1' };

it('RFC 7523 3: an assertion names its parties, is signed, and expires after five minutes', async () => {
  const assertion = await signAssertion(key, PARTIES, NOW);
  const verified = await jwtVerify(assertion, await importJWK(key.public_jwk, 'ES256'), {
    currentDate: new Date(NOW * 1000),
  });
  expect(verified.protectedHeader).toEqual({ typ: 'JWT', alg: 'ES256', kid: 'k-1' });
  expect(verified.payload).toEqual({
    ...PARTIES,
    iat: NOW,
    exp: NOW + 300,
    jti: expect.stringMatching(/^[\w-]{22}$/) as string,
  });
  const { jti } = decodeJwt(await signAssertion(key, PARTIES, NOW));
  expect(jti).not.toBe(verified.payload.jti);
});

it('an assertion has the deliberate mistakes that were ordered', async () => {
  const claims = { sub: null, extra: 1 };
  const order = { age_seconds: 60, lifetime_seconds: 10, claims };
  const payload = decodeJwt(await signAssertion(key, PARTIES, NOW, order));
  expect(payload).toMatchObject({ iat: NOW - 60, exp: NOW - 50, extra: 1 });
  expect(payload).not.toHaveProperty('sub');
});
