// Behaviour 2, keys: every algorithm, what is published, and thumbprints.

import type { JWK } from 'jose';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeProtectedHeader,
  importJWK,
  jwtVerify,
} from 'jose';
import { describe, expect, test } from 'vitest';
import type { SigningAlg, SigningKeyJwk } from '../../src/core/schemas.ts';
import { settingsSchema, SIGNING_ALGS, signingKeySchema } from '../../src/core/schemas.ts';
import { createKeyring } from '../../src/core/signing.ts';
import { createTestService, START } from '../support/core.ts';

const PUBLISHED: readonly SigningAlg[] = ['RS256', 'ES256', 'PS256', 'EdDSA'];
const PUBLIC_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  RSA: ['alg', 'e', 'kid', 'kty', 'n', 'use'],
  EC: ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
  OKP: ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
};

test('behaviour 2: RS256 is the default', () => {
  expect(settingsSchema.parse({}).signing_alg).toBe('RS256');
  expect(SIGNING_ALGS).toEqual(['RS256', 'ES256', 'EdDSA', 'PS256', 'HS256']);
});

describe.each(PUBLISHED)('%s', (alg) => {
  test(`behaviour 2 (${alg}): a token verifies against the published key, whose kid is its RFC 7638 thumbprint`, async () => {
    const bench = createTestService({ settings: { signing_alg: alg } });
    const { access_token } = await bench.signIn();
    const jwks = bench.service.keyring.jwks();
    const [key] = jwks.keys;
    if (key === undefined) throw new Error('not published');
    expect(Object.keys(key).sort()).toEqual(PUBLIC_MEMBERS[key.kty ?? '']);
    expect(key).toMatchObject({ alg, use: 'sig', kid: await calculateJwkThumbprint(key) });
    const { protectedHeader } = await jwtVerify(access_token, createLocalJWKSet(jwks), {
      currentDate: new Date(START),
    });
    expect(protectedHeader).toEqual({ alg, typ: 'at+jwt', kid: key.kid });
  });
});

describe('HS256', () => {
  test('behaviour 2: its key is never published, and its tokens verify with the secret', async () => {
    const bench = createTestService({ settings: { signing_alg: 'HS256' } });
    const { access_token } = await bench.signIn();
    const { keyring } = bench.service;
    expect(keyring.jwks()).toEqual({ keys: [] });
    const [key] = keyring.list();
    if (key === undefined) throw new Error('no key');
    expect(key.public_jwk).toBeNull();
    const secret = await importJWK(key.private_jwk as JWK, 'HS256');
    await jwtVerify(access_token, secret, { currentDate: new Date(START) });
    expect(decodeProtectedHeader(access_token)).toMatchObject({ alg: 'HS256', kid: key.kid });
  });
});

describe('the keyring', () => {
  test('a key is made once per algorithm, also when a crowd asks at once', async () => {
    const keyring = createKeyring(() => START);
    const keys = await Promise.all(
      Array.from({ length: 20 }, async () => keyring.signing('ES256')),
    );
    expect(new Set(keys).size).toBe(1);
    expect(keyring.list()).toHaveLength(1);
    expect(keys[0]?.created_at).toBe(START);
  });

  test('behaviour 2: keys of a former algorithm stay published', async () => {
    const keyring = createKeyring(() => START);
    await keyring.signing('ES256');
    await keyring.signing('EdDSA');
    expect(keyring.jwks().keys.map(({ alg }) => alg)).toEqual(['ES256', 'EdDSA']);
  });

  test('a key that is kept signs after it was loaded, under the same kid', async () => {
    const before = createKeyring(() => START);
    await before.signing('ES256');
    const kept = before.list().map(({ private_jwk }) => signingKeySchema.parse(private_jwk));
    const after = createKeyring(() => START);
    await after.load(kept);
    const token = await after.sign({ sub: 'ada' }, 'JWT', 'ES256');
    await jwtVerify(token, createLocalJWKSet(before.jwks()));
    expect(after.jwks()).toEqual(before.jwks());
  });

  test('workspace: a loaded key keeps the kid it brings', async () => {
    const keyring = createKeyring(() => START);
    await keyring.signing('ES256');
    const [made] = keyring.list();
    if (made === undefined) throw new Error('no key');
    await keyring.load([{ ...made.private_jwk, kid: 'mine' }]);
    expect(keyring.jwks().keys.map(({ kid }) => kid)).toEqual(['mine']);
  });

  test('workspace: the first key with the wanted algorithm signs', async () => {
    const [one, two] = [createKeyring(() => START), createKeyring(() => START)];
    const jwks: SigningKeyJwk[] = [];
    for (const { signing } of [one, two]) jwks.push((await signing('ES256')).private_jwk);
    const both = createKeyring(() => START);
    await both.load(jwks);
    const token = await both.sign({}, 'JWT', 'ES256');
    expect(decodeProtectedHeader(token).kid).toBe(jwks[0]?.kid);
  });

  test('a key that cannot be read is an Error, and the former keys stay', async () => {
    const keyring = createKeyring(() => START);
    await keyring.signing('ES256');
    await expect(keyring.load([{ kty: 'EC', alg: 'ES256', crv: 'P-256' }])).rejects.toThrow();
    expect(keyring.list()).toHaveLength(1);
  });
});
