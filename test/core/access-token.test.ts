// Behaviour 2, the access token: its claims and header in each format, verified as a resource server
// would, with the published keys.

import type { JWTVerifyResult } from 'jose';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import type { TestService } from '../support/core.ts';
import { client, createTestService, ISSUER, ORDERS, START, user } from '../support/core.ts';
import { lineageId } from '../../src/core/model/credentials.ts';

const IAT = START / 1000;

function verify({ service, clock }: TestService, token: string): Promise<JWTVerifyResult> {
  return jwtVerify(token, createLocalJWKSet(service.keyring.jwks()), {
    issuer: ISSUER,
    audience: ORDERS,
    currentDate: new Date(clock.now()),
  });
}

/** A sign-in with its verified access token. */
async function signedIn(bench: TestService, order?: Parameters<TestService['signIn']>[0]) {
  const tokens = await bench.signIn(order);
  return { ...tokens, ...(await verify(bench, tokens.access_token)) };
}

describe('rfc9068', () => {
  test('spec 2.2, behaviour 2.6, RFC 9068 2: the token has exactly iss, sub, aud, client_id, iat, exp and jti, and scope when scopes were granted', async () => {
    const bench = createTestService();
    const order = { scope: 'openid orders:read' };
    const { payload, protectedHeader, lineage } = await signedIn(bench, order);
    const [epoch = ''] = String(payload.jti).split('.');
    expect(payload).toEqual({
      iss: ISSUER,
      sub: 'ada',
      aud: ORDERS,
      client_id: 'demo-app',
      iat: IAT,
      exp: IAT + 86_400,
      jti: `${epoch}.${lineageId(lineage)}.2`,
      scope: 'openid orders:read',
    });
    expect(protectedHeader).toEqual({
      alg: 'ES256',
      typ: 'at+jwt',
      kid: bench.service.keyring.jwks().keys[0]?.kid,
    });
    const bare = await signedIn(createTestService());
    expect(bare.payload).not.toHaveProperty('scope');
  });

  test('behaviour 2.9: each token of a lineage has its own number in jti', async () => {
    const bench = createTestService();
    const { access_token, refresh_token } = await bench.signIn();
    const tokens = [access_token];
    for (let count = 0; count < 3; count++) {
      tokens.push(bench.answered(await bench.refresh(refresh_token)).access_token);
    }
    const ids = [];
    for (const token of tokens) ids.push((await verify(bench, token)).payload.jti);
    const [first = ''] = ids;
    const lineage = first.slice(0, first.lastIndexOf('.'));
    expect(ids).toEqual([`${lineage}.2`, `${lineage}.4`, `${lineage}.5`, `${lineage}.6`]);
  });

  test('behaviour 2.9: a reset changes the epoch in jti', async () => {
    const bench = createTestService();
    const epochOf = async () => (await signedIn(bench)).payload.jti?.split('.')[0];
    const before = await epochOf();
    expect(await epochOf()).toBe(before);
    bench.service.reset();
    expect(await epochOf()).not.toBe(before);
  });
});

test('behaviour 2.7: an auth0 token has azp and sid instead of client_id and jti, and typ JWT', async () => {
  const bench = createTestService({ settings: { access_token_format: 'auth0' } });
  const { payload, protectedHeader, lineage } = await signedIn(bench, { scope: 'openid' });
  expect(payload).toEqual({
    iss: ISSUER,
    sub: 'ada',
    aud: ORDERS,
    azp: 'demo-app',
    iat: IAT,
    exp: IAT + 86_400,
    scope: 'openid',
    sid: expect.stringMatching(new RegExp(`^[\\w-]{8}\\.${lineageId(lineage)}\\.2$`)) as string,
  });
  expect(protectedHeader.typ).toBe('JWT');
});

test('behaviour 2.7: an opaque token is 256 random bits, not a JWT', async () => {
  const bench = createTestService({ settings: { access_token_format: 'opaque' } });
  const { access_token, expires_in } = await bench.signIn();
  expect(access_token).toMatch(/^[\w-]{43}$/);
  expect(expires_in).toBe(86_400);
  expect(bench.service.keyring.list()).toEqual([]);
});

test('behaviour 2: a client overrides the format of the workspace', async () => {
  const bench = createTestService({ clients: [client({ access_token_format: 'opaque' })] });
  expect((await bench.signIn()).access_token).not.toContain('.');
});

test('spec 2.1, 8.4, behaviour 6.2: iat and exp are whole seconds of the sandbox clock, exp - iat is expires_in, and the record ends with exp', async () => {
  const bench = createTestService();
  bench.clock.advance(12_345);
  const { payload, expires_in } = await signedIn(bench);
  expect(payload.iat).toBe(IAT + 12);
  expect(payload.exp).toBe(IAT + 12 + expires_in);
  const { expires_at } = await bench.newestAccessToken();
  expect(expires_at).toBe((IAT + 12 + expires_in) * 1000);
});

describe('custom claims', () => {
  test('behaviour 2.6: custom claims of the client and the user come last, and the user’s override the client’s', async () => {
    const bench = createTestService({
      clients: [
        client({ claims: { tier: 'gold', 'https://x.example/roles': ['a', { b: null }] } }),
      ],
      users: [user({ claims: { tier: 'platinum', locale: 'de' } })],
    });
    const { payload } = await signedIn(bench);
    expect(payload).toMatchObject({
      tier: 'platinum',
      locale: 'de',
      'https://x.example/roles': ['a', { b: null }],
    });
    expect(Object.keys(payload).slice(-3)).toEqual(['tier', 'https://x.example/roles', 'locale']);
  });

  test('behaviour 2: custom claims are those at the time of issue', async () => {
    const bench = createTestService();
    const { refresh_token } = await bench.signIn();
    bench.service.registry.users.put(user({ claims: { locale: 'fr' } }));
    const { access_token } = bench.answered(await bench.refresh(refresh_token));
    expect((await verify(bench, access_token)).payload).toMatchObject({ locale: 'fr' });
  });

  test('behaviour 4: a lineage stays valid after its user is removed, without the user’s claims', async () => {
    const bench = createTestService({ users: [user({ claims: { locale: 'de' } })] });
    const { refresh_token } = await bench.signIn();
    bench.service.registry.users.remove('ada');
    const { access_token } = bench.answered(await bench.refresh(refresh_token));
    const { payload } = await verify(bench, access_token);
    expect(payload.sub).toBe('ada');
    expect(payload).not.toHaveProperty('locale');
  });
});

test('behaviour 2, 7: iss is the issuer in the settings', async () => {
  const bench = createTestService({ settings: { issuer: 'https://auth.example/t' } });
  const { access_token } = await bench.signIn();
  expect(decodeJwt(access_token).iss).toBe('https://auth.example/t');
});
