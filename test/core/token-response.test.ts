import { describe, expect, test } from 'vitest';
import { GRANT_TYPES } from '../../src/core/records/enumerations.ts';
import {
  client,
  createTestService,
  deviations,
  expectNotes,
  expectRefusal,
  ISSUER,
  ORDERS,
  refreshRequest,
  signedIn,
  START,
  tokenRequest,
  withCode,
} from '../support/core.ts';
import { words } from '../support/words.ts';

describe('the code exchange', () => {
  test('spec 1.2, 2.1, 4.1.1: returns exactly access_token, refresh_token, token_type and expires_in', async () => {
    const { answer } = await createTestService().redeem();
    expect(answer).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/) as string,
      token_type: 'Bearer',
      expires_in: 86_400,
    });
  });

  test.each(['audience', 'redirect_uri', 'code'])(
    'spec 4.1.1 %s: is required; missing or empty, it is invalid_request and consumes nothing',
    async (field) => {
      const { issueCode, evaluate, answered } = createTestService();
      const code = (await issueCode()).value;
      const missing = await evaluate(tokenRequest({ code, [field]: undefined }));
      const refusal = expectRefusal(missing, 'parameter_missing');
      expect(refusal.description).toBe(`${field} is required`);
      const empty = expectRefusal(
        await evaluate(tokenRequest({ code, [field]: '' })),
        'parameter_empty',
      );
      expect(empty.description).toBe(`${field} must not be empty`);
      answered(await evaluate(tokenRequest({ code })));
    },
  );

  test('spec 4.1.1, 5.1: requires client_secret; missing, empty or wrong, it is invalid_client', async () => {
    const { send, answered } = await withCode();
    for (const client_secret of [undefined, '']) {
      expectRefusal(await send({ client_secret }), 'client_secret_missing');
    }
    for (const client_secret of ['demo-secre', 'demo-secret ', 'Demo-secret', 'admin-secret']) {
      expectRefusal(await send({ client_secret }), 'client_secret_wrong');
    }
    answered(await send());
  });

  test('spec 4.1.1 audience: may be the issuer, the address of the authentication API, which is always registered', async () => {
    const { answered, service, redeem } = createTestService({ audiences: [] });
    answered(await redeem({}, { audience: ISSUER }));
    expect(service.issuer()).toBe(ISSUER);
  });

  test.each([
    'http://localhost:3000/callback/',
    'http://localhost:3000/Callback',
    'http://LOCALHOST:3000/callback',
    'http://localhost:3000/callback?x=1',
    'http://localhost:3000/callback ',
    'http://localhost:3000/%63allback',
  ])(
    'spec 4.1.1, 5.3: requires the redirect_uri of the authorization, so %s is invalid_grant and the code stays unused',
    async (redirect_uri) => {
      const { send, answered } = await withCode();
      const refusal = expectRefusal(await send({ redirect_uri }), 'redirect_uri_differs');
      expect(refusal.facts).toMatchObject({ expected: 'http://localhost:3000/callback' });
      answered(await send());
    },
  );
});

describe('the refresh', () => {
  test('spec 1.3, 2.1, 4.1.2, 5.2, behaviour 2.2: returns access_token, token_type and expires_in, and no refresh_token', async () => {
    const { refresh_token, access_token, refresh } = await signedIn();
    const { answer } = await refresh(refresh_token);
    expect(answer).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      token_type: 'Bearer',
      expires_in: 86_400,
    });
    expect(answer?.access_token).not.toBe(access_token);
  });

  test('spec 4.1.2, 5.4: requires refresh_token; missing or empty, it is invalid_request and the token remains valid', async () => {
    const { refresh_token, evaluate, refresh, answered } = await signedIn();
    const missing = await evaluate(refreshRequest());
    expectRefusal(missing, 'parameter_missing');
    expect(missing.refusal?.facts).toEqual({ field: 'refresh_token' });
    expectRefusal(await evaluate(refreshRequest({ refresh_token: '' })), 'parameter_empty');
    answered(await refresh(refresh_token));
  });

  test('spec 4.1.2: does not require audience or redirect_uri', async () => {
    const { refresh_token, refresh, answered } = await signedIn({
      settings: { profile: 'strict' },
    });
    answered(await refresh(refresh_token));
  });
});

describe('grant_type', () => {
  test('spec 4.1 grant_type: is invalid_request when missing or empty', async () => {
    const { evaluate } = createTestService();
    for (const grant_type of [undefined, '']) {
      const request = tokenRequest({ grant_type, code: 'any' });
      expectRefusal(await evaluate(request), 'grant_type_missing');
    }
  });

  test.each([
    'Authorization_code',
    'authorization_code ',
    'REFRESH_TOKEN',
    'Client_credentials',
    'Password',
    'urn:example:grant',
    '__proto__',
    'constructor',
    'toString',
  ])(
    'spec 4.1, 4.1.1, 4.1.2, behaviour 3.5: is compared exactly, so "%s" is unsupported',
    async (grant_type) => {
      const outcome = await createTestService().evaluate(tokenRequest({ grant_type, code: 'any' }));
      expectRefusal(outcome, 'grant_type_unsupported');
    },
  );

  test('behaviour 3.5: a client that may not use the grant is unauthorized_client, and nothing is consumed', async () => {
    const { refresh_token, service, issueCode, exchange, refresh, answered } = await signedIn();
    const code = (await issueCode()).value;
    service.registry.clients.put(client({ grant_types: [] }));
    for (const outcome of [await exchange(code), await refresh(refresh_token)]) {
      expectRefusal(outcome, 'grant_not_allowed');
    }
    service.registry.clients.put(client());
    answered(await exchange(code));
    answered(await refresh(refresh_token));
  });

  test.each([
    'client_credentials',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
  ])(
    'behaviour 1.7, RFC 6749 4.4 (%s): a public client may not use the grant, whatever it is registered for',
    async (grant_type) => {
      const { evaluate } = createTestService({
        settings: { profile: 'interop' },
        clients: [
          client({
            grant_types: [...GRANT_TYPES],
            client_secret: null,
            token_endpoint_auth_method: 'none',
          }),
        ],
      });
      const outcome = await evaluate(refreshRequest({ grant_type, client_secret: undefined }));
      expectRefusal(outcome, 'grant_not_for_public_client');
    },
  );
});

describe('a shape', () => {
  const REFERENCES = words(
    'user.sub client.client_id scope request.grant_type request.audience session.uuid',
    'expires_in refresh.expires_in issuer time.seconds',
  );
  const seen = Object.fromEntries(REFERENCES.map((name) => [name, { $from: name }]));
  const shapedService = () => {
    const grant_types = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
    const bench = createTestService({ clients: [client({ grant_types: [...grant_types] })] });
    bench.setShape({
      name: 'Acme',
      grant_types: { renew: 'refresh_token' },
      token_response: { seen },
    });
    return bench;
  };
  const OF_ALL = {
    'client.client_id': 'demo-app',
    'request.audience': ORDERS,
    'session.uuid': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    expires_in: 86_400,
    issuer: ISSUER,
    'time.seconds': START / 1000,
  };

  test('behaviour 12.5, 12.7: has references in its response to the user, the grant and what was issued, which is noted', async () => {
    const { redeem } = shapedService();
    const outcome = await redeem({ scope: 'orders:read orders:write' });
    expect(outcome.answer).toMatchObject({ token_type: 'Bearer' });
    expect(outcome.answer).toHaveProperty('seen', {
      ...OF_ALL,
      'user.sub': 'ada',
      scope: 'orders:read orders:write',
      'request.grant_type': 'authorization_code',
      'refresh.expires_in': 2_592_000,
    });
    expect(deviations(outcome)).toEqual(['shape_applied: Acme: members of the token response']);
  });

  test('behaviour 12.5: refers to the scope that this refresh granted, and the rest of the lifetime', async () => {
    const { signIn, refresh, advance } = shapedService();
    const { refresh_token } = await signIn({ scope: 'orders:read orders:write' });
    advance(60.4);
    const { answer } = await refresh(refresh_token, { scope: ' orders:read ' });
    expect(answer).toMatchObject({
      seen: { scope: 'orders:read', 'refresh.expires_in': 2_591_940 },
    });
  });

  test('behaviour 12.5: omits what a token of the client itself does not have', async () => {
    const own = { grant_type: 'client_credentials', audience: ORDERS };
    const { answer } = await shapedService().evaluate(refreshRequest(own));
    const seen = { ...OF_ALL, 'request.grant_type': 'client_credentials' };
    expect(answer).toHaveProperty('seen', seen);
  });

  test('behaviour 12.20: accepts a grant under its own name, which is noted', async () => {
    const { signIn, refresh } = shapedService();
    const { refresh_token } = await signIn();
    const outcome = await refresh(refresh_token, { grant_type: 'renew' });
    expectNotes(
      outcome,
      'shape_applied: Acme: refresh_token under the name renew, members of the token response',
    );
  });
});

test('behaviour 2.2: a client without the refresh_token grant gets no refresh token, which is noted', async () => {
  const { redeem } = createTestService({
    clients: [client({ grant_types: ['authorization_code'] })],
  });
  const outcome = await redeem();
  expect(Object.keys(outcome.answer ?? {}).sort()).toEqual([
    'access_token',
    'expires_in',
    'token_type',
  ]);
  expect(deviations(outcome)).toContain('no_refresh_token');
});

test('behaviour 2.8: codes and refresh tokens are opaque with 256 bits of randomness', async () => {
  const { code, refresh_token } = await signedIn();
  for (const value of [code.value, refresh_token]) {
    expect(Buffer.from(value, 'base64url')).toHaveLength(32);
  }
  expect(code.value).not.toBe(refresh_token);
});

describe('behaviour 2.2: scope in the response', () => {
  test('behaviour 2: scope is omitted when it equals the requested one', async () => {
    const { send } = await withCode({}, { audience: ORDERS, scope: 'orders:read openid' });
    expect((await send()).answer).not.toHaveProperty('scope');
  });

  test('behaviour 2: scope is returned when it differs from the requested one', async () => {
    const { send } = await withCode(
      { settings: { profile: 'interop' } },
      { audience: ORDERS, scope: 'orders:read made:up' },
    );
    expect((await send()).answer).toMatchObject({ scope: 'orders:read' });
  });

  test('RFC 6749 5.1, behaviour 2.2: scope is empty when none of the requested scopes is granted', async () => {
    const { send, signIn, refresh, evaluate } = await withCode(
      {
        settings: { profile: 'interop' },
        clients: [
          client({ grant_types: ['authorization_code', 'refresh_token', 'client_credentials'] }),
        ],
      },
      { audience: ORDERS, scope: 'made:up' },
    );
    expect((await send()).answer).toMatchObject({ scope: '' });
    const { refresh_token } = await signIn({ scope: 'orders:read' });
    expect((await refresh(refresh_token, { scope: 'made:up' })).answer).toMatchObject({
      scope: '',
    });
    const own = { grant_type: 'client_credentials', redirect_uri: undefined, scope: 'made:up' };
    expect((await evaluate(tokenRequest(own))).answer).toMatchObject({ scope: '' });
  });

  test('behaviour 2.2: with settings.scope_member every token response has scope', async () => {
    const { refresh, answered, redeem } = createTestService({
      settings: { scope_member: true },
    });
    const same = answered(await redeem({ scope: 'orders:read' }));
    expect(same.scope).toBe('orders:read');
    expect((await refresh(same.refresh_token ?? '')).answer).toMatchObject({
      scope: 'orders:read',
    });
    expect((await redeem()).answer).toMatchObject({ scope: '' });
  });
});
