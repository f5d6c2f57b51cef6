// Behaviour 2, audience and scope: the authorization sets them, the exchange can complete them, a refresh keeps them.

import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import { parseScope } from '../../src/core/registry/scopes.ts';
import {
  audience,
  BILLING,
  createTestService,
  expectNotes,
  expectRefusal,
  ISSUER,
  ORDERS,
  signedIn,
  withCode,
} from '../support/core.ts';

describe('audience at the exchange', () => {
  test('behaviour 2.4: the exchange must repeat the audience of the authorization, else invalid_target', async () => {
    const { send, answered } = await withCode({}, { audience: ORDERS });
    const refusal = expectRefusal(await send({ audience: BILLING }), 'audience_differs');
    expect(describeCause(refusal)).toMatchObject({
      detail: 'audience differs at character 9',
      differs_at: 8,
    });
    answered(await send({ audience: ORDERS }));
  });

  test('behaviour 3.7: the rejection of an unregistered audience names the nearest registered one', async () => {
    const { send } = await withCode({ settings: { profile: 'interop' } });
    for (const audience of [ORDERS, `${ISSUER}/mcp`]) {
      const refusal = expectRefusal(await send({ audience: `${audience}/` }), 'audience_unknown');
      expect(describeCause(refusal)).toMatchObject({
        detail: `audience is ${audience}/; the nearest registered audience is ${audience}`,
        differs_at: audience.length,
      });
    }
  });

  test.each([`${ORDERS}/`, ORDERS.toUpperCase(), 'orders', ' ', '__proto__'])(
    'behaviour 3.7: the audience "%s" is not registered, so invalid_target',
    async (unknown) => {
      const { send, answered } = await withCode();
      expectRefusal(await send({ audience: unknown }), 'audience_unknown');
      answered(await send());
    },
  );

  test('behaviour 2.4: without audience in the authorization the exchange decides', async () => {
    const { signIn } = createTestService();
    expect((await signIn({}, { audience: BILLING })).lineage.audience).toBe(BILLING);
    expect((await signIn({}, { audience: ISSUER })).lineage.audience).toBe(ISSUER);
  });

  test('behaviour 7: only the current issuer is an audience', async () => {
    const { configure, issueCode, exchange, answered } = createTestService();
    configure({ issuer: 'https://auth.example/tenant' });
    const code = (await issueCode()).value;
    expectRefusal(await exchange(code, { audience: ISSUER }), 'audience_unknown');
    answered(await exchange(code, { audience: 'https://auth.example/tenant' }));
  });
});

describe('an issuer that ends with a slash', () => {
  const SLASHED = `${ISSUER}/`;
  const withSlash = () =>
    createTestService({ settings: { issuer: SLASHED, profile: 'interop' }, audiences: [] });

  test.each([
    [ISSUER, SLASHED],
    [SLASHED, ISSUER],
    [SLASHED, SLASHED],
  ])(
    'behaviour 7.12: after an authorization for %s, the exchange and the refresh accept the audience %s',
    async (authorized, named) => {
      const { redeem, refresh, answered } = withSlash();
      const both = { audience: named, resource: authorized };
      const answer = answered(await redeem({ audience: authorized }, both));
      expect(decodeJwt(answer.access_token)).toMatchObject({ iss: SLASHED, aud: named });
      answered(await refresh(answer.refresh_token ?? '', { resource: authorized }));
    },
  );

  test('behaviour 7.12: an audience with two slashes differs', async () => {
    expectRefusal(await withSlash().redeem({}, { audience: `${SLASHED}/` }), 'audience_unknown');
  });
});

describe('audience at the refresh', () => {
  test("behaviour 2.4: a refresh keeps the lineage's audience", async () => {
    const { signIn, refresh, newestAccessToken } = createTestService();
    const { refresh_token } = await signIn({}, { audience: BILLING });
    await refresh(refresh_token);
    expect(await newestAccessToken()).toMatchObject({ audience: BILLING });
  });

  test.each(['audience', 'resource'])(
    'behaviour 1, 2 (interop): another %s at the refresh is invalid_target; the same value is accepted',
    async (name) => {
      const { signIn, refresh, answered } = createTestService({ settings: { profile: 'interop' } });
      const { refresh_token } = await signIn();
      const outcome = await refresh(refresh_token, { [name]: BILLING });
      const refusal = expectRefusal(outcome, 'audience_differs');
      expect(refusal.facts).toMatchObject({ expected: ORDERS, got: BILLING });
      expect(refusal.description).toBe(`${name} must be the one that was authorized`);
      const { detail, advice } = describeCause(refusal);
      expect(detail).toMatch(new RegExp(`^${name} differs at`));
      expect(advice).toBe(`Send the same ${name} in both requests.`);
      answered(await refresh(refresh_token, { [name]: ORDERS }));
    },
  );
});

test('behaviour 2: a refresh keeps the audience of its lineage; the profile documented ignores the parameter', async () => {
  const { signIn, refresh, answered } = createTestService();
  const { refresh_token } = await signIn();
  const { access_token } = answered(await refresh(refresh_token, { audience: BILLING }));
  expect(decodeJwt(access_token).aud).toBe(ORDERS);
});

describe('scope', () => {
  test('behaviour 2.5: a request without scope is granted no scopes', async () => {
    expect((await createTestService().signIn()).lineage.scope).toBe('');
  });

  test('behaviour 2.5: every audience defines openid, profile, email, address, phone and offline_access', async () => {
    const { signIn } = createTestService();
    const scope = 'openid profile email address phone offline_access';
    expect((await signIn({ scope }, { audience: BILLING })).lineage.scope).toBe(scope);
    expect((await signIn({ scope }, { audience: ISSUER })).lineage.scope).toBe(scope);
  });

  test('behaviour 2: a refresh without scope keeps the granted scopes', async () => {
    const { signIn, refresh, newestAccessToken } = createTestService();
    const { refresh_token } = await signIn({ scope: 'orders:read orders:write' });
    for (const scope of [undefined, '']) {
      expect((await refresh(refresh_token, { scope })).answer).not.toHaveProperty('scope');
      expect(await newestAccessToken()).toMatchObject({ scope: 'orders:read orders:write' });
    }
  });

  test('RFC 6749 6, behaviour 2: a refresh may request fewer scopes, and the lineage keeps its scope', async () => {
    const { signIn, refresh, newestAccessToken } = createTestService();
    const granted = 'orders:read orders:write';
    const { refresh_token, lineage } = await signIn({ scope: granted });
    const { answer } = await refresh(refresh_token, { scope: 'orders:read' });
    expect(answer).not.toHaveProperty('scope');
    expect(await newestAccessToken()).toMatchObject({ scope: 'orders:read' });
    expect(lineage.scope).toBe(granted);
    expect((await refresh(refresh_token, { scope: granted })).answer).not.toBeNull();
  });

  test.each([
    ['orders:write', 'orders:write'],
    ['orders:read orders:write', 'orders:write'],
    ['made:up', 'made:up'],
    ['Orders:read', 'Orders:read'],
    ['orders:read a b', 'a b'],
  ])(
    'behaviour 2.5, 3.7: a refresh for "%s" exceeds the grant by %s: invalid_scope, and the token remains valid',
    async (scope, got) => {
      const { refresh_token, refresh, answered } = await signedIn({}, { scope: 'orders:read' });
      const refusal = expectRefusal(await refresh(refresh_token, { scope }), 'scope_beyond_grant');
      expect(refusal.facts).toMatchObject({ expected: 'orders:read', got });
      answered(await refresh(refresh_token));
    },
  );

  test('behaviour 2: a refresh for any scope exceeds a grant without scope', async () => {
    const { refresh_token, refresh } = await signedIn();
    const { refusal } = await refresh(refresh_token, { scope: 'orders:read' });
    expect(refusal?.facts).toEqual({ expected: 'no scope', got: 'orders:read' });
  });

  test.each(['a"b', 'a\\b', 'a\tb', 'a\nb', ' \t', 'é', '\0', 'a  b"'])(
    'RFC 6749 3.3: the scope %j is malformed, so invalid_scope',
    async (scope) => {
      const { refresh_token, refresh } = await signedIn();
      expectRefusal(await refresh(refresh_token, { scope }), 'scope_malformed');
    },
  );

  test.each(['orders:read  orders:write', ' orders:read', 'orders:read ', ' '])(
    'RFC 6749 3.3, behaviour 1.12 (strict): the scope %j has extra blanks, so invalid_scope',
    async (scope) => {
      const { signIn, refresh } = createTestService({ settings: { profile: 'strict' } });
      const { refresh_token } = await signIn({ scope: 'orders:read orders:write' });
      expectRefusal(await refresh(refresh_token, { scope }), 'scope_malformed');
    },
  );

  test.each([
    ['documented', '  orders:write   orders:read ', 'orders:write orders:read'],
    ['interop', '  orders:write   orders:read ', 'orders:write orders:read'],
    ['documented', '  ', 'openid orders:read orders:write'],
  ] as const)(
    'behaviour 1.12 (%s): extra blanks in the scope "%s" are accepted and noted, and blanks alone count as absent',
    async (profile, scope, granted) => {
      const { signIn, refresh, newestAccessToken } = createTestService({ settings: { profile } });
      const { refresh_token } = await signIn({ scope: 'openid orders:read orders:write' });
      const outcome = await refresh(refresh_token, { scope });
      expect(outcome.answer).not.toHaveProperty('scope');
      expectNotes(outcome, 'scope_blanks');
      expect(await newestAccessToken()).toMatchObject({ scope: granted });
    },
  );

  test('RFC 6749 3.3: scope tokens are case-sensitive, keep their order, and repetitions are ignored', () => {
    expect(parseScope('b a B b')).toEqual(['b', 'a', 'B']);
    expect(parseScope('')).toEqual([]);
    expect(parseScope('!#[]~')).toEqual(['!#[]~']);
  });

  test('behaviour 2: a refresh still grants a scope that its audience no longer defines', async () => {
    const { service, signIn, refresh, answered } = createTestService();
    const { refresh_token } = await signIn({ scope: 'orders:read' });
    service.registry.audiences.put(audience({ scopes: [] }));
    answered(await refresh(refresh_token, { scope: 'orders:read' }));
  });
});
