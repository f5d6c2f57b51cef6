// Behaviour 2: the id_token, OpenID Connect Core 3.1.3.3.

import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import {
  client,
  createTestService,
  expectRefusal,
  ISSUER,
  PUBLIC,
  sha256,
  START,
  user,
} from '../support/core.ts';
import type { Settings } from '../../src/core/records/schemas.ts';

const SECRET_OF_32 = 'a-secret-of-thirty-two-bytes-or-more';

/** The tokens of a sign-in to a client with this secret. */
const signIn = (
  signing_alg: Settings['signing_alg'],
  scope: string,
  client_secret = SECRET_OF_32,
) =>
  createTestService({ settings: { signing_alg }, clients: [client({ client_secret })] }).signIn(
    { scope },
    { client_secret },
  );

describe('behaviour 2: id_token', () => {
  test('behaviour 2.15: is issued only if the authorization has openid', async () => {
    expect(await signIn('ES256', '')).not.toHaveProperty('id_token');
    expect(await signIn('ES256', 'profile')).not.toHaveProperty('id_token');
  });

  test.each(['RS256', 'ES256', 'PS256'] as const)(
    '%s: at_hash is the left half of the SHA-256 of the access token',
    async (alg) => {
      const { access_token, id_token = '' } = await signIn(alg, 'openid');
      const digest = createHash('sha256').update(access_token).digest();
      expect(decodeJwt(id_token)['at_hash']).toBe(digest.subarray(0, 16).toString('base64url'));
    },
  );

  test('at_hash is encoded in base64url, whatever characters the hash has', async () => {
    const bench = createTestService({ settings: { access_token_format: 'opaque' } });
    const hashes = [];
    for (let count = 0; count < 20; count++) {
      const { access_token, id_token = '' } = await bench.signIn({ scope: 'openid' });
      const left = Buffer.from(sha256(access_token), 'base64url').subarray(0, 16);
      expect(decodeJwt(id_token)['at_hash']).toBe(left.toString('base64url'));
      hashes.push(left.toString('base64'));
    }
    for (const character of ['+', '/']) expect(hashes.join('')).toContain(character);
  });

  test('EdDSA: at_hash is omitted', async () => {
    const { id_token = '' } = await signIn('EdDSA', 'openid');
    expect(decodeJwt(id_token)).not.toHaveProperty('at_hash');
  });

  test('behaviour 2.14: HS256: signed with the client_secret', async () => {
    const { id_token = '' } = await signIn('HS256', 'openid');
    const { payload } = await jwtVerify(id_token, new TextEncoder().encode(SECRET_OF_32), {
      currentDate: new Date(START),
    });
    expect(payload.aud).toBe('demo-app');
  });

  test('HS256: a client_secret of 32 bytes is long enough', async () => {
    expect(await signIn('HS256', 'openid', 'x'.repeat(32))).toHaveProperty('id_token');
  });

  test.each([
    ['x'.repeat(31), 'one of 31 bytes'],
    ['short', 'one of 5 bytes'],
  ])(
    'RFC 7518 3.2, behaviour 2.14 (HS256): the client_secret %s is too short: the error says so, and nothing is consumed',
    async (client_secret, got) => {
      const bench = createTestService({
        settings: { signing_alg: 'HS256' },
        clients: [client({ client_secret })],
      });
      const code = (await bench.issueCode({ scope: 'openid' })).value;
      const outcome = await bench.exchange(code, { client_secret });
      const refusal = expectRefusal(outcome, 'id_token_secret_short');
      expect(refusal.description).toBe(
        `an id_token signed with HS256 needs a client_secret of at least 32 bytes (RFC 7518 3.2); this client has one of ${client_secret.length}`,
      );
      expect(describeChecks(outcome.evaluation, false).slice(-2)).toMatchObject([
        { id: 'id_token', section: 'RFC 7518 3.2', verdict: 'failed', got },
        { id: 'consume', verdict: 'not_reached' },
      ]);
      bench.configure({ signing_alg: 'ES256' });
      expect(bench.answered(await bench.exchange(code, { client_secret }))).toHaveProperty(
        'id_token',
      );
    },
  );

  test('RFC 7518 3.2, behaviour 2.14 (HS256): a client without a client_secret gets an error', async () => {
    const code_verifier = 'v'.repeat(43);
    const bench = createTestService({
      settings: { signing_alg: 'HS256', profile: 'interop' },
      clients: [client(PUBLIC)],
    });
    const order = { scope: 'openid', code_challenge: code_verifier };
    const outcome = await bench.redeem(order, { client_secret: undefined, code_verifier });
    expect(expectRefusal(outcome, 'id_token_secret_short').facts.got).toBe('none');
  });

  test('HS256: without openid even a short client_secret is accepted', async () => {
    expect(await signIn('HS256', 'profile', 'short')).not.toHaveProperty('id_token');
  });
});

describe('behaviour 2: the claims of an id_token', () => {
  const claimsOf = async (order: { scope: string; nonce?: string }, person = user()) => {
    const { id_token = '' } = await createTestService({ users: [person] }).signIn(order);
    return decodeJwt(id_token);
  };
  const personal = async (scope: string) => {
    const { name, email } = await claimsOf({ scope });
    return { name, email };
  };

  test('OpenID Connect Core 2: name issuer, subject, client and times, with the lifetime of the access token', async () => {
    const { access_token, id_token = '' } = await createTestService().signIn({ scope: 'openid' });
    const access = decodeJwt(access_token);
    expect(decodeJwt(id_token)).toEqual({
      iss: ISSUER,
      sub: 'ada',
      aud: 'demo-app',
      iat: START / 1000,
      exp: access.exp,
      auth_time: START / 1000,
      at_hash: expect.any(String) as string,
    });
    expect(access.iat).toBe(START / 1000);
    expect(decodeProtectedHeader(id_token).typ).toBe('JWT');
  });

  test('OpenID Connect Core 2: contain the unchanged nonce of the request', async () => {
    const nonce = 'n-0S6_WzA2Mj';
    expect(await claimsOf({ scope: 'openid', nonce })).toMatchObject({ nonce });
  });

  test('OpenID Connect Core 5.4: contain the name for profile and the address for email', async () => {
    const name = 'Ada';
    const email = 'ada@example.test';
    expect(await personal('openid')).toEqual({});
    expect(await personal('openid profile')).toEqual({ name });
    expect(await personal('openid email')).toEqual({ email });
    expect(await personal('openid profile email')).toEqual({ name, email });
  });

  test('OpenID Connect Core 5.3.2: omit what the user does not have', async () => {
    const nameless = user({ name: undefined, email: undefined });
    const claims = await claimsOf({ scope: 'openid profile email' }, nameless);
    expect(claims).not.toHaveProperty('name');
    expect(claims).not.toHaveProperty('email');
  });

  const PERSON = user({
    claims: {
      given_name: 'Ada',
      updated_at: 1_700_000_000,
      email_verified: true,
      address: { locality: 'London' },
      phone_number: '+44 20 7946 0000',
      phone_number_verified: false,
      plan: 'pro',
    },
  });
  const OF_SCOPE = [
    ['profile', ['name', 'given_name', 'updated_at']],
    ['email', ['email', 'email_verified']],
    ['address', ['address']],
    ['phone', ['phone_number', 'phone_number_verified']],
  ] as const;
  const about = (claims: object) =>
    Object.keys(claims).filter(
      (name) => name === 'email' || name === 'name' || name in PERSON.claims,
    );

  test.each(OF_SCOPE)(
    'OpenID Connect Core 5.4, behaviour 2.15: contain the standard claims of the scope %s that the user has',
    async (scope, names) => {
      const claims = await claimsOf({ scope: `openid ${scope}` }, PERSON);
      expect(about(claims).sort()).toEqual([...names].sort());
      const values = { ...PERSON, ...PERSON.claims } as Record<string, unknown>;
      for (const name of names) expect(claims[name]).toEqual(values[name]);
    },
  );

  test('behaviour 2.15: omit custom claims, unless the client wants them in id_tokens', async () => {
    expect(about(await claimsOf({ scope: 'openid' }, PERSON))).toEqual([]);
    const bench = createTestService({
      users: [PERSON],
      clients: [client({ claims_in_id_token: true, claims: { tenant: 'of the client' } })],
    });
    const { id_token = '' } = await bench.signIn({ scope: 'openid email' });
    const claims = decodeJwt(id_token);
    expect(about(claims).sort()).toEqual(['email', 'email_verified', 'plan']);
    expect(claims).not.toHaveProperty('tenant');
  });

  test('behaviour 2.15: never let a custom claim replace a claim of the service', async () => {
    const made_up = {
      nonce: 'mine',
      auth_time: 1,
      at_hash: 'mine',
      c_hash: 'mine',
      s_hash: 'mine',
    };
    const bench = createTestService({
      users: [user({ claims: { ...made_up, acr: 'urn:loa:2' } })],
      clients: [client({ claims_in_id_token: true })],
    });
    const claims = decodeJwt((await bench.signIn({ scope: 'openid' })).id_token ?? '');
    expect(claims).toMatchObject({ auth_time: START / 1000, acr: 'urn:loa:2' });
    expect(claims['at_hash']).not.toBe('mine');
    for (const name of ['nonce', 'c_hash', 's_hash']) expect(claims).not.toHaveProperty(name);
  });

  test('contain only the sub of a user who was deleted before the exchange', async () => {
    const bench = createTestService();
    const { value } = await bench.issueCode({ scope: 'openid profile email' });
    bench.service.registry.users.remove('ada');
    const { id_token = '' } = bench.answered(await bench.exchange(value));
    const { sub, name, email } = decodeJwt(id_token);
    expect({ sub, name, email }).toEqual({ sub: 'ada' });
  });
});

describe('behaviour 2.15: the id_token of a refresh', () => {
  const interop = (members: Partial<Settings> = {}) =>
    createTestService({ settings: { profile: 'interop', ...members } });

  test('OpenID Connect Core 12.2 (interop): has the same iss, sub, aud and auth_time, a new iat and no nonce', async () => {
    const bench = interop();
    const first = await bench.signIn({ scope: 'openid email', nonce: 'n-0S6' });
    bench.advance(100);
    const { evaluation, answer } = await bench.refresh(first.refresh_token);
    const [before, after] = [first, answer].map((tokens) => decodeJwt(tokens?.id_token ?? ''));
    expect(before?.['nonce']).toBe('n-0S6');
    expect(after).toEqual({
      iss: before?.iss,
      sub: before?.sub,
      aud: before?.aud,
      auth_time: before?.['auth_time'],
      iat: START / 1000 + 100,
      exp: START / 1000 + 100 + 86_400,
      at_hash: expect.any(String) as string,
      email: 'ada@example.test',
    });
    expect(after?.['at_hash']).not.toBe(before?.['at_hash']);
    expect(evaluation.issued.map(({ kind }) => kind)).toEqual(['access_token', 'id_token']);
  });

  test('OpenID Connect Core 12.2 (interop): keeps the auth_time of the sign-in with rotation too', async () => {
    const bench = interop({ refresh_rotation: { enabled: true, grace_seconds: 0 } });
    let { refresh_token } = await bench.signIn({ scope: 'openid' });
    for (let round = 1; round < 3; round++) {
      bench.advance(100);
      const answer = bench.answered(await bench.refresh(refresh_token));
      expect(decodeJwt(answer.id_token ?? '')['auth_time']).toBe(START / 1000);
      refresh_token = answer.refresh_token ?? '';
    }
  });

  test('behaviour 2.15 (interop): is issued only if openid was granted and is requested', async () => {
    const bench = interop();
    const without = await bench.signIn({ scope: 'profile' });
    expect((await bench.refresh(without.refresh_token)).answer).not.toHaveProperty('id_token');
    const { refresh_token } = await bench.signIn({ scope: 'openid profile' });
    const narrowed = await bench.refresh(refresh_token, { scope: 'profile' });
    expect(narrowed.answer).not.toHaveProperty('id_token');
  });

  test.each(['documented', 'strict'] as const)(
    'spec 4.1.2, behaviour 2.15 (%s): is not issued, as the specification does not define one',
    async (profile) => {
      const bench = createTestService({ settings: { profile } });
      const { refresh_token } = await bench.signIn({ scope: 'openid' });
      const { answer } = await bench.refresh(refresh_token);
      expect(Object.keys(answer ?? {})).toEqual(['access_token', 'token_type', 'expires_in']);
    },
  );

  test('RFC 7518 3.2, behaviour 2.14 (HS256): a client_secret that is too short rejects the refresh, which rotates nothing', async () => {
    const bench = interop({ refresh_rotation: { enabled: true, grace_seconds: 0 } });
    const { refresh_token } = await bench.signIn({ scope: 'openid' });
    bench.configure({ profile: 'interop', signing_alg: 'HS256' });
    expectRefusal(await bench.refresh(refresh_token), 'id_token_secret_short');
    bench.configure({ profile: 'interop' });
    bench.answered(await bench.refresh(refresh_token));
  });
});
