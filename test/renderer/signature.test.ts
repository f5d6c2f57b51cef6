// The verdict on a signature, with keys as the control API lists them.

import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SigningKey } from '../../src/control/schemas.ts';
import { decodeJwt, type DecodedJwt } from '../../src/oauth/jwt.ts';
import { keysOfServer, verifySignature } from '../../src/renderer/inspector/signature.ts';

const ALGS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

interface Pair {
  readonly key: SigningKey;
  readonly sign: (
    kid?: string | null,
    header?: Readonly<Record<string, unknown>>,
  ) => Promise<string>;
}

async function pair(alg: (typeof ALGS)[number], kid: string): Promise<Pair> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const public_jwk = { ...(await exportJWK(publicKey)) };
  const key = { kid, alg, signing: true, published: true, public_jwk } as unknown as SigningKey;
  const sign: Pair['sign'] = (named = kid, header = {}) =>
    new SignJWT({ sub: 'ada' })
      .setProtectedHeader({ alg, ...(named === null ? {} : { kid: named }), ...header })
      .sign(privateKey, { crit: { unknown: true } });
  return { key, sign };
}

const secret = {
  kid: 'hs',
  alg: 'HS256',
  published: false,
  public_jwk: null,
} as unknown as SigningKey;

function decoded(token: string): DecodedJwt {
  const jwt = decodeJwt(token);
  if (jwt === null) throw new Error('no JWT');
  return jwt;
}

const verdictOn = (token: string, keys: readonly SigningKey[]) =>
  verifySignature(token, decoded(token), keysOfServer(keys));

describe('the signature’s verdict', () => {
  let one: Pair;
  let other: Pair;

  beforeAll(async () => {
    [one, other] = await Promise.all([pair('ES256', 'one'), pair('ES256', 'other')]);
  });

  test.each(ALGS)('%s: is valid with the key it names', async (alg) => {
    const { key, sign } = await pair(alg, 'k');
    expect(await verdictOn(await sign(), [key])).toEqual({
      state: 'verified',
      text: `${alg} with a key published in the JWK Set`,
    });
  });

  test('RFC 7515 4.1.11: is checked whatever members of the header are critical', async () => {
    const header = { crit: ['unknown'], unknown: true };
    expect(await verdictOn(await one.sign('one', header), [one.key])).toMatchObject({
      state: 'verified',
    });
    const forged = await other.sign('one', header);
    expect(await verdictOn(forged, [one.key])).toMatchObject({ state: 'broken' });
  });

  test('reports a replaced key that is still published', async () => {
    const previous = { ...one.key, signing: false };
    expect(await verdictOn(await one.sign(), [other.key, previous])).toEqual({
      state: 'verified',
      text: 'ES256 with a previous key, which is still published in the JWK Set',
    });
  });

  test('reports no predecessor of a key that only signs something else than access tokens', async () => {
    const rs256 = { ...other.key, alg: 'RS256' } as SigningKey;
    const es256 = { ...one.key, signing: false };
    expect(await verdictOn(await one.sign(), [rs256, es256])).toEqual({
      state: 'verified',
      text: 'ES256 with a key published in the JWK Set',
    });
  });

  test('reports a key that is no longer published', async () => {
    const retired = { ...one.key, published: false };
    expect((await verdictOn(await one.sign(), [retired])).text).toBe(
      'ES256 with a key retired from the JWK Set',
    );
  });

  test('is invalid when another key made it', async () => {
    const forged = await other.sign('one');
    expect(await verdictOn(forged, [one.key, other.key])).toMatchObject({ state: 'broken' });
  });

  test('is invalid when the payload was changed', async () => {
    const [header, , signature] = (await one.sign()).split('.');
    const payload = Buffer.from('{"sub":"eve"}').toString('base64url');
    const token = `${header}.${payload}.${signature}`;
    expect(await verdictOn(token, [one.key])).toMatchObject({ state: 'broken' });
  });

  test('is invalid with an algorithm other than its key’s', async () => {
    const rs = { ...one.key, alg: 'RS256' } as SigningKey;
    expect(await verdictOn(await one.sign(), [rs])).toEqual({
      state: 'broken',
      text: 'the header says ES256, but the key with that kid is for RS256',
    });
  });

  test('is unknown when no key has that kid', async () => {
    expect(await verdictOn(await one.sign('gone'), [one.key])).toEqual({
      state: 'unknown_key',
      text: 'ES256: no key of this server has that kid; the token is from another issuer or an earlier run, or its key was retired',
    });
  });

  test('is checked with every key of the algorithm without a kid', async () => {
    const token = await one.sign(null);
    expect(await verdictOn(token, [other.key, one.key])).toMatchObject({ state: 'verified' });
    expect(await verdictOn(token, [other.key])).toEqual({
      state: 'unknown_key',
      text: 'ES256: it has no kid, and no key of this server verifies it',
    });
    expect(await verdictOn(token, [secret])).toMatchObject({ state: 'unknown_key' });
  });

  test('behaviour 2: cannot be checked with HS256, whose key is never published', async () => {
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', kid: 'hs' })
      .sign(new Uint8Array(32));
    expect(await verdictOn(token, [secret])).toMatchObject({ state: 'unpublished' });
  });

  test('RFC 8725 3.2: is absent with alg none', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'None', kid: 'one' })}.${part({ sub: 'ada' })}.`;
    expect(await verdictOn(token, [one.key])).toEqual({
      state: 'unsigned',
      text: 'alg none: anyone can create such a token. A verifier must reject it (RFC 8725 3.2).',
    });
    expect((await verdictOn(`${token}c2ln`, [one.key])).text).toContain(
      'its signature means nothing',
    );
  });

  test('has no verdict when a key cannot be read', async () => {
    const odd = { ...one.key, public_jwk: { kty: 'EC' } };
    expect(await verdictOn(await one.sign(), [odd])).toMatchObject({ state: 'unable' });
  });
});
