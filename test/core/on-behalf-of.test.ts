// The on-behalf-of request that the shape of Entra ID accepts: which access tokens an API may present, and what it gets.

import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { resolveShape } from '../../src/core/shape/resolve.ts';
import type { RequestParameters, TestServiceOptions } from '../support/core.ts';
import {
  admin,
  AS_ADMIN,
  audience,
  checkOf,
  client,
  createTestService,
  expectRefusal,
  ISSUER,
  ORDERS,
  refreshRequest,
  user,
  verdictsOf,
} from '../support/core.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const API = 'api://admin';

/** The demo app signs ada in for the API, which is the client `admin`. */
function withApi(options: TestServiceOptions = {}) {
  const bench = createTestService({
    clients: [
      client({ grant_types: ['authorization_code', 'refresh_token', 'client_credentials'] }),
      admin({ grant_types: [GRANT, 'refresh_token'] }),
    ],
    audiences: [
      audience(),
      ...[API, 'api://demo-app', 'api://unregistered', 'demo-app', ISSUER].map((uri) =>
        audience({ uri, name: uri }),
      ),
    ],
    ...options,
  });
  const shape = resolveShape({ accepts: ['on_behalf_of'] });
  if (!('value' in shape)) throw new Error('no such shape');
  bench.service.setShape(shape.value);
  const ask = (assertion: string | undefined, parameters: RequestParameters = {}) =>
    bench.evaluate(
      refreshRequest({
        grant_type: GRANT,
        requested_token_use: 'on_behalf_of',
        audience: ORDERS,
        ...AS_ADMIN,
        assertion,
        ...parameters,
      }),
    );
  const signIn = (uri = API) => bench.signIn({ audience: uri }, { audience: uri });
  const received = async (uri?: string) => (await signIn(uri)).access_token;
  return { ...bench, ask, signIn, received };
}

describe('behaviour 12.21: on behalf of', () => {
  test('the API gets tokens of the user for another API, which live no longer than the one it received', async () => {
    const { ask, answered, received, advance } = withApi();
    const assertion = await received();
    advance(86_000);
    const outcome = await ask(assertion, { scope: 'orders:read  openid' });
    const answer = answered(outcome);
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 400 });
    expect(answer).not.toHaveProperty('scope');
    expect(decodeJwt(answer.access_token)).toMatchObject({
      sub: 'ada',
      aud: ORDERS,
      client_id: 'admin',
      scope: 'orders:read openid',
    });
    expect(decodeJwt(answer.id_token ?? '')).toMatchObject({ sub: 'ada', aud: 'admin' });
    expect(answer).toHaveProperty('refresh_token');
    expect(verdictsOf(outcome).filter((check) => !check.endsWith(' passed'))).toEqual([]);
    expect(checkOf(outcome, 'credential_known')?.note).toBe('it represents ada');
    expect(checkOf(outcome, 'credential_client')?.got).toBe(API);
    expect(checkOf(outcome, 'user')?.got).toBe('ada');
    expect(checkOf(outcome, 'consume')?.note).toBe('an access token can be used until it expires');
    expect(outcome.evaluation.access_token).not.toBeNull();
    answered(await ask(assertion));
  });

  test('it gets no ID token without openid, and no refresh token if it may not use one', async () => {
    const { ask, answered, received, service } = withApi();
    service.registry.clients.put(admin({ grant_types: [GRANT] }));
    const answer = answered(await ask(await received()));
    expect(Object.keys(answer)).toEqual(['access_token', 'token_type', 'expires_in']);
  });

  test('the token may be for a URI that belongs to no client', async () => {
    const { ask, answered, received } = withApi();
    answered(await ask(await received('api://unregistered')));
    answered(await ask(await received(ORDERS)));
  });

  test.each([['api://demo-app'], ['demo-app'], [ISSUER]])(
    'a token for %s, another client or the issuer, is rejected',
    async (uri) => {
      const { ask, received } = withApi();
      expectRefusal(
        await ask(await received(uri)),
        'on_behalf_of_audience',
        `its audience is ${uri}`,
      );
    },
  );

  test('a token that expired or was revoked is rejected', async () => {
    const { ask, signIn, advance, service } = withApi();
    const { access_token, lineage } = await signIn();
    await service.revokeLineage(lineage);
    expectRefusal(await ask(access_token), 'on_behalf_of_ended', /revoked/);
    const { access_token: expired } = await signIn();
    advance(86_400);
    expectRefusal(await ask(expired), 'on_behalf_of_ended', /expired/);
  });

  test('the token of a client, or of a user who was deleted, is rejected', async () => {
    const { ask, answered, evaluate, received, service } = withApi();
    const asApp = { grant_type: 'client_credentials', audience: API };
    const own = answered(await evaluate(refreshRequest({ ...asApp }))).access_token;
    expectRefusal(await ask(own), 'on_behalf_of_without_user', 'it represents a client');
    const assertion = await received();
    service.registry.users.replaceAll([user({ sub: 'eve' })]);
    expectRefusal(await ask(assertion), 'on_behalf_of_without_user', 'it represents ada');
  });

  test('what is no access token of this issuer is rejected', async () => {
    const { ask, signIn } = withApi();
    const { refresh_token } = await signIn();
    for (const assertion of ['x', 'a.b.c', refresh_token])
      expectRefusal(await ask(assertion), 'on_behalf_of_unknown');
    expectRefusal(await ask(undefined), 'parameter_missing');
  });

  test('scopes and audiences are checked as in other grants', async () => {
    const { ask, received } = withApi();
    const assertion = await received();
    expectRefusal(await ask(assertion, { scope: 'nothing:known' }), 'scope_unknown');
    expectRefusal(await ask(assertion, { audience: 'https://x.example/' }), 'audience_unknown');
  });

  test('without the shape, the request is a JWT bearer request, whose assertion is no token', async () => {
    const { ask, received, service } = withApi();
    const assertion = await received();
    service.setShape(null);
    expectRefusal(await ask(assertion), 'assertion_iss_differs');
  });

  test('with the shape, an assertion that the client signed is still a JWT bearer request', async () => {
    const { ask } = withApi();
    expectRefusal(await ask('x', { requested_token_use: undefined }), 'assertion_malformed');
    expectRefusal(await ask('x', { requested_token_use: 'other' }), 'assertion_malformed');
  });
});
