// Assertions that a client signs for a user, verified with a third-party library.

import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { secretKey, signAssertion, signRequestObject } from '../../src/oauth/assertion.ts';
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

it('OpenID Connect Core 9: an assertion with the secret is an HMAC of it, whose key cannot be exported', async () => {
  const secret = 'a secret of at least 32 bytes, äöü';
  const assertion = await signAssertion(secretKey(secret), PARTIES, NOW);
  const verified = await jwtVerify(assertion, new TextEncoder().encode(secret), {
    currentDate: new Date(NOW * 1000),
  });
  expect(verified.protectedHeader).toEqual({ typ: 'JWT', alg: 'HS256' });
});

it('RFC 9101 4: a request object has the parameters as claims, and the client as iss', async () => {
  const parameters = { client_id: 'app', scope: 'openid', max_age: 5 };
  const order = { header: { kid: null } };
  const object = await signRequestObject(key, { aud: PARTIES.aud, parameters }, NOW, order);
  expect(decodeProtectedHeader(object)).toEqual({ typ: 'oauth-authz-req+jwt', alg: 'ES256' });
  const times = { iat: NOW, exp: NOW + 300, jti: expect.any(String) as string };
  expect(decodeJwt(object)).toEqual({ iss: 'app', aud: PARTIES.aud, ...parameters, ...times });
});

it('RFC 7515 A.5: with alg none, there is no signature', async () => {
  const unsigned = await signAssertion(key, PARTIES, NOW, { header: { alg: 'none' } });
  expect(unsigned).toMatch(/^[\w-]+\.[\w-]+\.$/);
  expect(await signAssertion(key, PARTIES, NOW)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
});
