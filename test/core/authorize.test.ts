// The step before the token endpoint (spec 1.2): authorizing a client as a user, and issuing tokens directly.

import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import type { AuthorizationOrder } from '../../src/core/authorization/direct-code.ts';
import { AuthorizationProblem } from '../../src/core/authorization/direct-code.ts';
import {
  BILLING,
  client,
  createTestService,
  ISSUER,
  ORDERS,
  REDIRECT_URI,
  START,
  user,
} from '../support/core.ts';
import { lineageId } from '../../src/core/model/credentials.ts';

describe('an authorization that is granted', () => {
  test('spec 1.2: the code records what was authorized', async () => {
    const { issueCode } = createTestService();
    const order = { audience: ORDERS, scope: 'openid orders:read', nonce: 'n-0S6' };
    expect(await issueCode(order)).toMatchObject({
      kind: 'code',
      state: 'issued',
      redirect_uri: REDIRECT_URI,
      redirect_uri_given: true,
      requested_scope: 'openid orders:read',
      nonce: 'n-0S6',
      issued_at: START,
      expires_at: START + 600_000,
      issued_by: null,
      n: 1,
      lineage: {
        registration: { client_id: 'demo-app' },
        user_sub: 'ada',
        audience: ORDERS,
        scope: 'openid orders:read',
        created_at: START,
        revoked_at: null,
        count: 1,
      },
    });
  });

  test('control: sub defaults to the first user', async () => {
    const { issueCode } = createTestService({ users: [user({ sub: 'bob' }), user()] });
    expect((await issueCode()).lineage.user_sub).toBe('bob');
    expect((await issueCode({ sub: 'ada' })).lineage.user_sub).toBe('ada');
  });

  test('behaviour 4: each authorization opens a lineage of its own', async () => {
    const { issueCode } = createTestService();
    const ids = [await issueCode(), await issueCode()].map(({ lineage }) => lineageId(lineage));
    expect(new Set(ids).size).toBe(2);
  });
});

const PROBLEMS: readonly [Partial<AuthorizationOrder>, string, string][] = [
  [{ client_id: 'nobody' }, 'client_id', 'is not a registered client'],
  [{ sub: 'nobody' }, 'sub', 'is not a registered user'],
  [{ audience: 'https://x.example/' }, 'audience', 'is not a registered audience'],
  [
    { redirect_uri: `${REDIRECT_URI}/` },
    'redirect_uri',
    'is not one of the redirect_uris of the client',
  ],
  [{ scope: 'a  b' }, 'scope', 'must be scope tokens separated by single spaces'],
  [
    { audience: BILLING, scope: 'orders:read' },
    'scope',
    `contains "orders:read", which is not defined for ${BILLING}`,
  ],
  [{ scope: 'x' }, 'scope', 'contains "x", which is not defined for any audience'],
];

describe('an authorization that cannot be granted', () => {
  test.each(PROBLEMS)('control: %j is reported at %s: it %s', async (order, field, message) => {
    const { issueCode, stores, clock } = createTestService();
    const granted = issueCode(order);
    await expect(granted).rejects.toBeInstanceOf(AuthorizationProblem);
    await expect(granted).rejects.toMatchObject({ field, message });
    expect(stores.liveCount(clock.now())).toBe(0);
  });

  test('control: sub is required when no user is registered', async () => {
    const { issueCode } = createTestService({ users: [] });
    const message = 'is required: no user is registered';
    await expect(issueCode()).rejects.toMatchObject({ field: 'sub', message });
  });

  test('behaviour 3: a client that may not use the code grant gets no code', async () => {
    const { issueCode } = createTestService({
      clients: [client({ grant_types: ['refresh_token'] })],
    });
    await expect(issueCode()).rejects.toMatchObject({ field: 'client_id' });
  });

  test('behaviour 1 (interop): an unknown scope is dropped instead', async () => {
    const { issueCode } = createTestService({ settings: { profile: 'interop' } });
    expect((await issueCode({ scope: 'x openid' })).lineage.scope).toBe('openid');
  });
});

describe('issuing tokens without a code', () => {
  test('control: a token pair is issued for client, user, audience and scope', async () => {
    const { service, refresh, answered } = createTestService();
    const minted = await service.mint({
      client_id: 'demo-app',
      audience: ORDERS,
      scope: 'orders:read',
      access_token_expires_in: 120,
    });
    expect(minted).toMatchObject({ expires_in: 120, scope: 'orders:read' });
    expect(decodeJwt(minted.access_token)).toMatchObject({
      aud: ORDERS,
      scope: 'orders:read',
      sub: 'ada',
      exp: START / 1000 + 120,
    });
    answered(await refresh(minted.refresh_token ?? ''));
  });

  test.each([
    [null, ISSUER],
    [BILLING, BILLING],
  ])('behaviour 7: with default_audience %j the audience is %s', async (default_audience, aud) => {
    const { service } = createTestService({ clients: [client({ default_audience })] });
    const { access_token } = await service.mint({ client_id: 'demo-app' });
    expect(decodeJwt(access_token).aud).toBe(aud);
  });

  test('behaviour 2: a scope that the default audience does not define is reported', async () => {
    const { service } = createTestService();
    const order = { client_id: 'demo-app', scope: 'orders:read' };
    const problem = {
      field: 'scope',
      message: `contains "orders:read", which is not defined for ${ISSUER}`,
    };
    await expect(service.mint(order)).rejects.toMatchObject(problem);
    await expect(service.issueRefreshToken(order)).rejects.toMatchObject(problem);
  });

  test('behaviour 2: a client without the refresh_token grant gets no refresh token', async () => {
    const { service } = createTestService({
      clients: [client({ grant_types: ['authorization_code'] })],
    });
    expect((await service.mint({ client_id: 'demo-app' })).refresh_token).toBeNull();
  });

  test('control: a lineage can start with only a live refresh token', async () => {
    const { service, refresh, answered } = createTestService();
    const token = await service.issueRefreshToken({ client_id: 'demo-app', audience: ORDERS });
    expect(token).toMatchObject({ state: 'active', n: 1, lineage: { audience: ORDERS } });
    answered(await refresh(token.value));
  });
});
