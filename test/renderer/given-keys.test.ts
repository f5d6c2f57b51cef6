// Keys that the user provides to check a foreign token (behaviour 12.19).

import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWK } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeJwt } from '../../src/oauth/jwt.ts';
import { MOST_CHARACTERS, readKeys } from '../../src/renderer/inspector/given-keys.ts';
import { keysGiven, verifySignature } from '../../src/renderer/inspector/signature.ts';

const SECRET = 'a shared secret of thirty-two bytes';

async function verdict(token: string, given: string) {
  const jwt = decodeJwt(token);
  if (jwt === null) throw new Error('no JWT');
  const read = readKeys(given, jwt.header.alg);
  if ('problem' in read) throw new Error(read.problem);
  return verifySignature(token, jwt, keysGiven(read.keys));
}

const problemOf = (given: string, alg: unknown = 'ES256') => {
  const read = readKeys(given, alg);
  return 'problem' in read ? read.problem : null;
};

describe('behaviour 12.19: a foreign token is checked with the provided keys', () => {
  let publicJwk: JWK;
  let privateJwk: JWK;
  let pem: string;
  let token: string;
  let withoutKid: string;
  let other: JWK;

  beforeAll(async () => {
    const pair = await generateKeyPair('ES256', { extractable: true });
    publicJwk = { ...(await exportJWK(pair.publicKey)), kid: 'theirs' };
    privateJwk = { ...(await exportJWK(pair.privateKey)), kid: 'theirs' };
    pem = await exportSPKI(pair.publicKey);
    const sign = (header: { kid?: string }) =>
      new SignJWT({ sub: 'ada' })
        .setProtectedHeader({ alg: 'ES256', ...header })
        .sign(pair.privateKey);
    token = await sign({ kid: 'theirs' });
    withoutKid = await sign({});
    const second = await generateKeyPair('ES256', { extractable: true });
    other = await exportJWK(second.publicKey);
  });

  const VERIFIED = { state: 'verified', text: 'ES256 with a given key' };

  test('a JWK, alone or in a JWK Set', async () => {
    expect(await verdict(token, JSON.stringify(publicJwk))).toEqual(VERIFIED);
    const set = { keys: [{ ...other, kid: 'another' }, publicJwk] };
    expect(await verdict(token, JSON.stringify(set))).toEqual(VERIFIED);
    expect(await verdict(withoutKid, JSON.stringify(set))).toEqual(VERIFIED);
  });

  test('the public part of a private JWK', async () => {
    expect(await verdict(token, JSON.stringify(privateJwk))).toEqual(VERIFIED);
  });

  test('a public key in PEM, which has no kid', async () => {
    expect(await verdict(token, pem)).toEqual(VERIFIED);
  });

  test('the secret of an HMAC', async () => {
    const signed = await new SignJWT({ sub: 'ada' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(SECRET));
    expect(await verdict(signed, SECRET)).toMatchObject({ state: 'verified' });
    expect(await verdict(signed, `${SECRET}!`)).toMatchObject({ state: 'broken' });
  });

  test('keys without a matching kid', async () => {
    const given = JSON.stringify({ ...other, kid: 'another' });
    expect(await verdict(token, given)).toEqual({
      state: 'unknown_key',
      text: 'ES256: none of the given keys has that kid',
    });
  });

  test('a key with the kid of the token counts, whatever keys without a kid are before it', async () => {
    const rsa = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey);
    const unnamed = { ...rsa, alg: 'RS256' };
    const set = JSON.stringify({ keys: [unnamed, publicJwk] });
    expect(await verdict(token, set)).toEqual(VERIFIED);
    expect(await verdict(token, JSON.stringify(unnamed))).toEqual({
      state: 'unknown_key',
      text: 'ES256: none of the given keys has that kid',
    });
  });

  test('the reason names a key of another type', async () => {
    const rsa = await exportJWK((await generateKeyPair('RS256', { extractable: true })).publicKey);
    expect(await verdict(token, JSON.stringify(rsa))).toMatchObject({ state: 'unable' });
  });
});

describe('each invalid key is reported with its problem', () => {
  test.each([
    ['[1]', /not an object/],
    ['{"keys":7}', /keys that are not an array/],
    ['{"keys":[]}', /contains no JWK/],
    ['{"kid":"a"}', /contains no JWK/],
    ['{"kty":', /is not valid JSON/],
    ['-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', /PEM of type PRIVATE KEY/],
    ['eyJhbGciOiJub25lIn0', /is not a key/],
    [JSON.stringify({ keys: Array.from({ length: 101 }, () => ({ kty: 'EC' })) }), /101 keys/],
    ['{'.repeat(MOST_CHARACTERS + 1), /is longer than 100,000 characters/],
  ])('%#', (given, problem) => {
    expect(problemOf(given)).toMatch(problem);
  });

  test('empty input gives no key and no problem', () => {
    expect(readKeys(' \n', 'ES256')).toEqual({ keys: [] });
  });
});
