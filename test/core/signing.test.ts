// Behaviour 2, keys: every algorithm, the published keys, and thumbprints.

import type { JsonWebKey } from 'node:crypto';
import { constants, createHmac, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import type { JWK } from 'jose';
import {
  calculateJwkThumbprint,
  CompactSign,
  createLocalJWKSet,
  decodeProtectedHeader,
  importJWK,
  jwtVerify,
} from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SigningAlg, SigningKeyJwk } from '../../src/core/records/schemas.ts';
import { SIGNING_ALGS, signingKeySchema } from '../../src/core/records/schemas.ts';
import { createClock } from '../../src/core/model/clock.ts';
import { createKeyring } from '../../src/core/issuing/keyring.ts';
import type { SigningKey } from '../../src/core/model/ports.ts';
import {
  createJwsSigner,
  generateSigningKey,
  readSigningKey,
} from '../../src/engine/key-material.ts';
import { createTestService, signedIn, START } from '../support/core.ts';

/** One key of each algorithm for all tests, since those of RSA take long to generate. */
const made = new Map<SigningAlg, SigningKey>();
beforeAll(async () => {
  for (const alg of SIGNING_ALGS) made.set(alg, await generateSigningKey(alg, START));
});

function keyFor(alg: SigningAlg): SigningKey {
  const key = made.get(alg);
  if (key === undefined) throw new Error('no key');
  return key;
}

const newKeyring = () =>
  createKeyring({
    clock: createClock(() => START),
    createSigner: createJwsSigner,
    generateKey: generateSigningKey,
  });

const readKeys = (jwks: readonly SigningKeyJwk[]) =>
  Promise.all(jwks.map((jwk) => readSigningKey(jwk, START)));

const PUBLISHED: readonly SigningAlg[] = ['RS256', 'ES256', 'PS256', 'EdDSA'];
const PUBLIC_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  RSA: ['alg', 'e', 'kid', 'kty', 'n', 'use'],
  EC: ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
  OKP: ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
};

test.each(PUBLISHED)(
  'behaviour 2.12 (%s): a token verifies against the published key, whose kid is its RFC 7638 thumbprint',
  async (alg) => {
    const bench = createTestService({ settings: { signing_alg: alg } });
    bench.service.keyring.add(keyFor(alg));
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
  },
);

test('behaviour 2.12: an HS256 key is never published, and its tokens verify with the secret', async () => {
  const { access_token, ...bench } = await signedIn({ settings: { signing_alg: 'HS256' } });
  const { keyring } = bench.service;
  expect(keyring.jwks()).toEqual({ keys: [] });
  const [key] = keyring.list();
  if (key === undefined) throw new Error('no key');
  expect(key.public_jwk).toBeNull();
  const secret = await importJWK(key.private_jwk as JWK, 'HS256');
  await jwtVerify(access_token, secret, { currentDate: new Date(START) });
  expect(decodeProtectedHeader(access_token)).toMatchObject({ alg: 'HS256', kid: key.kid });
});

describe('the keyring', () => {
  test('generates a key once per algorithm, even for simultaneous requests', async () => {
    const keyring = newKeyring();
    const keys = await Promise.all(
      Array.from({ length: 20 }, async () => keyring.signing('ES256')),
    );
    expect(new Set(keys).size).toBe(1);
    expect(keyring.list()).toHaveLength(1);
    expect(keys[0]?.created_at).toBe(START);
  });

  test('behaviour 2: keeps keys of a former algorithm published', async () => {
    const keyring = newKeyring();
    await keyring.signing('ES256');
    await keyring.signing('EdDSA');
    expect(keyring.jwks().keys.map(({ alg }) => alg)).toEqual(['EdDSA', 'ES256']);
  });

  test('signs with a stored key after loading it, under the same kid', async () => {
    const before = newKeyring();
    await before.signing('ES256');
    const kept = before.list().map(({ private_jwk }) => signingKeySchema.parse(private_jwk));
    const after = newKeyring();
    after.replaceAll(await readKeys(kept));
    const token = await after.sign({ sub: 'ada' }, 'JWT', 'ES256');
    await jwtVerify(token, createLocalJWKSet(before.jwks()));
    expect(after.jwks()).toEqual(before.jwks());
  });

  test('workspace: keeps the kid of a loaded key', async () => {
    const keyring = newKeyring();
    await keyring.signing('ES256');
    const [made] = keyring.list();
    if (made === undefined) throw new Error('no key');
    keyring.replaceAll(await readKeys([{ ...made.private_jwk, kid: 'mine' }]));
    expect(keyring.jwks().keys.map(({ kid }) => kid)).toEqual(['mine']);
  });

  test('workspace: signs with the first key for the algorithm', async () => {
    const [one, two] = [newKeyring(), newKeyring()];
    const jwks: SigningKeyJwk[] = [];
    for (const { signing } of [one, two]) jwks.push((await signing('ES256')).private_jwk);
    const both = newKeyring();
    both.replaceAll(await readKeys(jwks));
    const token = await both.sign({}, 'JWT', 'ES256');
    expect(decodeProtectedHeader(token).kid).toBe(jwks[0]?.kid);
  });

  test('behaviour 2: signs with the new key after a rotation, and keeps former keys published', async () => {
    const keyring = newKeyring();
    const first = await keyring.signing('ES256');
    const token = await keyring.sign({ sub: 'ada' }, 'JWT', 'ES256');
    const second = await keyring.rotate('ES256');
    expect(await keyring.signing('ES256')).toBe(second);
    expect(keyring.jwks().keys.map(({ kid }) => kid)).toEqual([second.kid, first.kid]);
    expect(await keyring.verify(token)).toEqual({ claims: { sub: 'ada' } });
    expect(decodeProtectedHeader(await keyring.sign({}, 'JWT', 'ES256')).kid).toBe(second.kid);
  });

  test('behaviour 2: keeps the keys of other algorithms when one is rotated', async () => {
    const keyring = newKeyring();
    const other = await keyring.signing('EdDSA');
    await keyring.rotate('ES256');
    expect(await keyring.signing('EdDSA')).toBe(other);
  });

  test('behaviour 2: rejects tokens of a retired key, and signs with the key before it again', async () => {
    const keyring = newKeyring();
    const first = await keyring.signing('ES256');
    const second = await keyring.rotate('ES256');
    const token = await keyring.sign({}, 'JWT', 'ES256');
    expect([keyring.retire(second.kid), keyring.retire(second.kid)]).toEqual([true, false]);
    expect(await keyring.verify(token)).toEqual({ problem: 'key_unknown' });
    expect(await keyring.signing('ES256')).toBe(first);
    expect(keyring.jwks().keys.map(({ kid }) => kid)).toEqual([first.kid]);
  });

  test('behaviour 2: signs with an imported key from then on', async () => {
    const keyring = newKeyring();
    await keyring.signing('ES256');
    const { private_jwk } = await newKeyring().signing('ES256');
    keyring.add(await readSigningKey({ ...private_jwk, kid: 'mine' }, START + 1));
    expect(decodeProtectedHeader(await keyring.sign({}, 'JWT', 'ES256')).kid).toBe('mine');
    expect(keyring.list().map(({ created_at }) => created_at)).toEqual([START + 1, START]);
  });
});

describe('verifying', () => {
  const signed = async () => {
    const keyring = newKeyring();
    const token = await keyring.sign({ sub: 'ada' }, 'JWT', 'ES256');
    const [header = '', payload = '', signature = ''] = token.split('.');
    return { keyring, header, payload, signature };
  };
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('RFC 7515 5.2: a changed claim, or a changed or empty signature, is an invalid signature', async () => {
    const { keyring, header, payload, signature } = await signed();
    for (const token of [
      `${header}.${encode({ sub: 'eve' })}.${signature}`,
      `${header}.${payload}.${'A'.repeat(86)}`,
      `${header}.${payload}.`,
    ]) {
      expect(await keyring.verify(token)).toEqual({ problem: 'signature_wrong' });
    }
  });

  test('RFC 8725 3.1: the header does not choose the algorithm', async () => {
    const { keyring, payload } = await signed();
    const [key] = keyring.list();
    for (const alg of ['none', 'HS256', 'ES384']) {
      const token = `${encode({ alg, kid: key?.kid })}.${payload}.AAAA`;
      expect(await keyring.verify(token)).toEqual({
        problem: 'signature_wrong',
        got: 'its alg does not match the key',
      });
    }
  });

  test('an unknown or missing kid is an unknown key', async () => {
    const { keyring, payload, signature } = await signed();
    for (const kid of ['other', undefined, 7]) {
      const token = `${encode({ alg: 'ES256', kid })}.${payload}.${signature}`;
      expect(await keyring.verify(token)).toMatchObject({ problem: 'key_unknown' });
    }
  });

  test.each(['', '.', '..', 'a.b.c', 'e30', `${encode([])}.e30.e30`])(
    'a text that is not a compact JWS is malformed: %j',
    async (token) => {
      const { keyring } = await signed();
      expect(await keyring.verify(token)).toEqual({ problem: 'malformed' });
    },
  );

  test.each([encode([1]), encode(1), encode(null), Buffer.from([0xff]).toString('base64url')])(
    'a signed payload that is not a JSON object is malformed: %s',
    async (payload) => {
      const { keyring } = await signed();
      const key = await keyring.signing('ES256');
      const token = await new CompactSign(Buffer.from(payload, 'base64url'))
        .setProtectedHeader({ alg: 'ES256', kid: key.kid })
        .sign(await importJWK(key.private_jwk as JWK, 'ES256'));
      expect(await keyring.verify(token)).toEqual({ problem: 'malformed' });
    },
  );
});

describe.each(SIGNING_ALGS)('the %s signatures of node:crypto and of jose', (alg) => {
  const claims = {
    sub: 'ada',
    name: 'Ada Ünïcode 🔑',
    amount: 1.5,
    nested: { list: [null, true] },
  };
  const payload = JSON.stringify(claims);

  let ours: string;
  let theirs: string;

  beforeAll(async () => {
    const { private_jwk, kid } = keyFor(alg);
    ours = await createJwsSigner(private_jwk)('at+jwt', payload);
    theirs = await new CompactSign(Buffer.from(payload))
      .setProtectedHeader({ alg, typ: 'at+jwt', kid })
      .sign(await importJWK(private_jwk as JWK, alg));
  });

  test('RFC 7515 7.1: header and payload are equal to the byte', () => {
    const signingInput = (token: string) => token.slice(0, token.lastIndexOf('.'));
    expect(signingInput(ours)).toBe(signingInput(theirs));
  });

  test('each library verifies the signatures of the other, and not one of other claims', async () => {
    const keyring = newKeyring();
    const { public_jwk, private_jwk } = keyFor(alg);
    keyring.add(await readSigningKey(private_jwk, START));
    expect(await keyring.verify(ours)).toEqual({ claims });
    expect(verifiedByNode(theirs, alg, public_jwk ?? private_jwk)).toBe(true);
    const [header, , signature] = ours.split('.');
    const changed = [header, Buffer.from('{"sub":"eve"}').toString('base64url'), signature];
    expect(await keyring.verify(changed.join('.'))).toEqual({ problem: 'signature_wrong' });
  });

  test('a token without a kid has none in its header', async () => {
    const { kid: _kid, ...nameless } = keyFor(alg).private_jwk;
    const token = await createJwsSigner(nameless)('JWT', payload);
    expect(decodeProtectedHeader(token)).toEqual({ alg, typ: 'JWT' });
  });
});

/** Verified with node:crypto only (RFC 7518 3, RFC 8037 3.1). */
function verifiedByNode(token: string, alg: SigningAlg, jwk: JsonWebKey): boolean {
  const [header = '', payload = '', last = ''] = token.split('.');
  const input = Buffer.from(`${header}.${payload}`);
  const signature = Buffer.from(last, 'base64url');
  if (alg === 'HS256') {
    const secret = Buffer.from(String(jwk.k), 'base64url');
    return createHmac('sha256', secret).update(input).digest().equals(signature);
  }
  const hash = alg === 'EdDSA' ? null : 'sha256';
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const padding = alg === 'PS256' ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
  return verify(hash, input, { key, dsaEncoding: 'ieee-p1363', ...padding }, signature);
}

describe('reading a key', () => {
  test.each(SIGNING_ALGS)('%s: a generated key can be read, under the same kid', async (alg) => {
    const jwk = keyFor(alg).private_jwk;
    const { kid: _kid, ...nameless } = signingKeySchema.parse(jwk);
    const key = await readSigningKey(nameless, START);
    expect(key).toMatchObject({ kid: jwk.kid, thumbprint: jwk.kid, alg, created_at: START });
    expect(key.private_jwk).toEqual(jwk);
  });

  test('behaviour 2: only the public members of an imported key are published', async () => {
    const jwk = { ...keyFor('ES256').private_jwk, use: 'sig', note: 'private', key_ops: ['sign'] };
    const { public_jwk } = await readSigningKey(jwk, START);
    expect(Object.keys(public_jwk ?? {}).toSorted()).toEqual(PUBLIC_MEMBERS['EC']);
  });

  test('a key that cannot be read, or cannot sign, is an Error', async () => {
    const jwk = keyFor('ES256').private_jwk;
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({
      format: 'jwk',
    });
    for (const broken of [
      { kty: 'EC', alg: 'ES256', crv: 'P-256' },
      { ...jwk, d: 'AA' },
      { ...jwk, crv: 'P-384' },
      { ...jwk, d: undefined },
      { ...jwk, key_ops: ['verify'] },
      { kty: 'oct', alg: 'HS256', k: '!'.repeat(43) },
      { ...p384, alg: 'ES256' },
    ]) {
      await expect(readSigningKey(broken as SigningKeyJwk, START)).rejects.toThrow();
    }
  });

  test.each(['ES256', 'EdDSA', 'RS256'] as const)(
    '%s: a key whose public part belongs to another key is an Error',
    async (alg) => {
      const other = await generateSigningKey(alg, START);
      const { x, y, n } = other.private_jwk as Record<string, unknown>;
      const mixed = {
        ...keyFor(alg).private_jwk,
        ...(n === undefined ? { x } : { n }),
        ...(y ? { y } : {}),
      };
      await expect(readSigningKey(mixed, START)).rejects.toThrow();
    },
  );

  test('behaviour 2.14, RFC 7518 3.2: an HS256 secret has at least 32 bytes', () => {
    const key = (bytes: number) =>
      signingKeySchema.safeParse({
        kty: 'oct',
        alg: 'HS256',
        k: Buffer.alloc(bytes, 1).toString('base64url'),
      });
    expect(key(32).success).toBe(true);
    expect(key(31).error?.issues).toMatchObject([
      { path: ['k'], message: 'must be at least 32 bytes for HS256 (RFC 7518 3.2); it has 31' },
    ]);
  });
});

test('a key that is read twice is tested once, and each result has its own time', async () => {
  const { private_jwk } = await newKeyring().signing('ES256');
  const once = await readSigningKey(private_jwk, START);
  const again = await readSigningKey(private_jwk, START + 1);
  expect(again.public_jwk).toBe(once.public_jwk);
  expect([once.created_at, again.created_at]).toEqual([START, START + 1]);
});
