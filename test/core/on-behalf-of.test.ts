// The on-behalf-of request of Microsoft Entra ID: the JWT bearer grant with an access token of this issuer as the
// assertion. What is issued, and which tokens are rejected.

import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import type { AuthorizationOrder } from '../../src/core/authorization/direct-code.ts';
import type { RequestParameters, TestServiceOptions } from '../support/core.ts';
import {
  admin,
  audience,
  BILLING,
  checkOf,
  client,
  createTestService,
  deviations,
  expectRefusal,
  ISSUER,
  ORDERS,
  refreshRequest,
  verdictsOf,
} from '../support/core.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const API = 'api://demo-app';

/** The demo client is the API. The other client signs ada in, and calls the API. */
function withApi(options: TestServiceOptions = {}) {
  const made = createTestService({
    clients: [client({ grant_types: [GRANT, 'refresh_token', 'client_credentials'] }), admin()],
    audiences: [
      audience(),
      ...[API, 'api://admin', 'demo-app', 'admin', 'stock-service'].map((uri) =>
        audience({ uri, scopes: ['read'] }),
      ),
    ],
    ...options,
  });
  made.setShape({ accepts: ['on_behalf_of'] });
  const received = async (order: Partial<AuthorizationOrder> = {}) =>
    made.service.mint({ client_id: 'admin', sub: 'ada', audience: API, ...order });
  const ask = (assertion: string | undefined, parameters: RequestParameters = {}) =>
    made.evaluate(
      refreshRequest({
        grant_type: GRANT,
        requested_token_use: 'on_behalf_of',
        audience: ORDERS,
        assertion,
        ...parameters,
      }),
    );
  const askWith = async (
    order: Partial<AuthorizationOrder> = {},
    parameters: RequestParameters = {},
  ) => ask((await received(order)).access_token, parameters);
  return { ...made, received, ask, askWith };
}

describe('behaviour 12.21: what is issued', () => {
  test('behaviour 12.21: is an access token, a refresh token and an id_token of the user for the API that asks', async () => {
    const { askWith, answered } = withApi();
    const outcome = await askWith({}, { scope: 'openid orders:read' });
    const answer = answered(outcome);
    expect(answer).toEqual({
      access_token: expect.any(String) as string,
      refresh_token: expect.any(String) as string,
      id_token: expect.any(String) as string,
      token_type: 'Bearer',
      expires_in: 86_400,
    });
    const claims = { sub: 'ada', client_id: 'demo-app', aud: ORDERS, scope: 'openid orders:read' };
    expect(decodeJwt(answer.access_token)).toMatchObject(claims);
    expect(verdictsOf(outcome).filter((check) => !check.endsWith(' passed'))).toEqual([]);
    expect(checkOf(outcome, 'credential_known')?.note).toBe('it represents ada');
    expect(checkOf(outcome, 'credential_client')?.got).toBe(API);
    expect(checkOf(outcome, 'user')?.got).toBe('ada');
    expect(checkOf(outcome, 'consume')?.note).toBe('an access token can be used until it expires');
  });

  test.each([
    ['documented', ['unknown_parameters: a parameter']],
    ['strict', ['unknown_parameters: a parameter']],
    ['interop', []],
  ] as const)(
    'behaviour 12.21: in the profile %s, the deviations are %j',
    async (profile, expected) => {
      const { askWith, answered } = withApi({ settings: { profile } });
      const outcome = await askWith();
      answered(outcome);
      expect(deviations(outcome)).toEqual(expected);
    },
  );

  test('behaviour 12.21: lives no longer than the assertion, which can be sent again until it expires', async () => {
    const { received, ask, answered, advance } = withApi();
    const { access_token } = await received({ access_token_expires_in: 60 });
    advance(20);
    for (const outcome of [await ask(access_token), await ask(access_token)]) {
      expect(answered(outcome).expires_in).toBe(40);
    }
  });

  test('behaviour 12.21: has the audience of 7.16 and its scopes, whatever those of the assertion', async () => {
    const { askWith, answered } = withApi();
    const usual = answered(await askWith({ scope: 'read' }, { audience: undefined }));
    expect(decodeJwt(usual.access_token).aud).toBe(ISSUER);
    expect(usual).not.toHaveProperty('id_token');
    expectRefusal(await askWith({}, { audience: BILLING }), 'audience_unknown');
    expectRefusal(await askWith({ scope: 'read' }, { scope: 'read' }), 'scope_unknown');
  });

  test.each(['demo-app', 'stock-service', ORDERS])(
    'behaviour 12.21: a token for %s, the API itself or one whose client is not known, is accepted',
    async (uri) => {
      const { askWith, answered } = withApi();
      answered(await askWith({ audience: uri }));
    },
  );
});

describe('behaviour 12.21: rejected with invalid_grant', () => {
  test.each(['api://admin', 'admin', ISSUER])(
    'behaviour 12.21: a token for %s, which another client or the issuer receives',
    async (uri) => {
      const outcome = await withApi().askWith({ audience: uri });
      const { facts } = expectRefusal(outcome, 'on_behalf_of_audience', `its audience is ${uri}`);
      expect(facts.expected).toBe(API);
    },
  );

  test('behaviour 12.21: a token that expired or was revoked, and the trace says when', async () => {
    const { received, ask, advance, service } = withApi();
    const { access_token } = await received({ access_token_expires_in: 60 });
    advance(65);
    expectRefusal(await ask(access_token), 'on_behalf_of_ended', 'expired 5 s ago');
    const revoked = await received();
    await service.revokeLineage(revoked.lineage);
    expectRefusal(await ask(revoked.access_token), 'on_behalf_of_ended', /^revoked at /);
  });

  test('behaviour 12.21: a token of a client, or of a user who was deleted', async () => {
    const { received, ask, answered, evaluate, service } = withApi();
    const own = refreshRequest({ grant_type: 'client_credentials', audience: API });
    const { access_token } = answered(await evaluate(own));
    expectRefusal(await ask(access_token), 'on_behalf_of_without_user', 'it represents a client');
    const of = await received();
    service.registry.users.replaceAll([]);
    const outcome = await ask(of.access_token);
    expectRefusal(outcome, 'on_behalf_of_without_user', 'it represents ada');
  });

  test('behaviour 12.21: a refresh token or anything else that is not an access token of this issuer', async () => {
    const { received, ask } = withApi();
    const { refresh_token } = await received();
    expectRefusal(await ask(refresh_token ?? ''), 'on_behalf_of_unknown', /another kind/);
    expectRefusal(await ask('nonsense'), 'on_behalf_of_unknown', 'no access token matches it');
  });

  test.each([
    ['without the shape', {}],
    ['with another requested_token_use', { requested_token_use: 'other' }],
  ])('behaviour 7.20, 12.21: any access token %s', async (how, parameters) => {
    const { service, askWith } = withApi();
    if (how === 'without the shape') service.setShape(null);
    expectRefusal(await askWith({}, parameters), 'assertion_iss_differs');
  });
});

test('behaviour 5.1, 12.21: requests are counted by assertion and address before the assertion is checked', async () => {
  const { ask, service } = withApi({ settings: { throttle: { limit: 1 } } });
  expectRefusal(await ask('guess'), 'on_behalf_of_unknown');
  expectRefusal(await ask('guess'), 'throttled');
  expect(service.throttle.list().map(({ kind }) => kind)).toEqual(['unknown']);
});
