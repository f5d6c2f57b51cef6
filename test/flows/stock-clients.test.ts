// Complete flows over real HTTP with unchanged third-party clients, and with the exact requests and responses of the
// specification.

import * as openid from 'openid-client';
import { AuthorizationCode } from 'simple-oauth2';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  exchangeParameters,
  postForm,
  postJson,
  REDIRECT_URI,
  refreshParameters,
  SECRET,
  sharedHttpService,
} from '../support/http-service.ts';
import { callbackUrl, openidClient } from '../support/token-endpoints.ts';

const http = await sharedHttpService();
const strict = await sharedHttpService({ profile: 'strict' });

/** Verifies as an API would, with the published keys only. */
async function verify(url: string, token: string) {
  const { payload, protectedHeader } = await jwtVerify(
    token,
    createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`)),
    { issuer: url, audience: url, currentDate: new Date('2026-03-01T10:00:01Z') },
  );
  return { payload, protectedHeader };
}

describe.each([
  ['documented', http],
  ['strict', strict],
] as const)('the requests of the specification under %s', (_profile, server) => {
  it('spec 1.1, 2.1, 4.1.1, behaviour 2.1: a JSON exchange is answered 200 with exactly the four members', async () => {
    const { url } = server;
    const answer = await postJson(url, exchangeParameters(url, await server.code()));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 86_400,
    });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
  });

  it('spec 2.1, 4.1.2: a form refresh is answered 200 without refresh_token', async () => {
    const { url } = server;
    const first = await postJson(url, exchangeParameters(url, await server.code()));
    const answer = await postForm(url, refreshParameters(String(first.body['refresh_token'])));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 86_400,
    });
    expect(answer.body['access_token']).not.toBe(first.body['access_token']);
  });

  it('RFC 9068: the access token can be verified with the published keys only', async () => {
    const { url } = server;
    const answer = await postJson(url, exchangeParameters(url, await server.code()));
    const { payload, protectedHeader } = await verify(url, String(answer.body['access_token']));
    expect(protectedHeader).toMatchObject({ typ: 'at+jwt', alg: 'ES256' });
    expect(payload).toEqual({
      iss: url,
      sub: 'ada',
      aud: url,
      client_id: 'demo-app',
      iat: 1_772_359_200,
      exp: 1_772_359_200 + 86_400,
      jti: expect.stringMatching(/^[\w-]+\.\w+\.\d+$/),
    });
  });
});

describe('openid-client', () => {
  it('behaviour 2.15: validates the id_token of an authorization that had openid', async () => {
    const moment = Math.floor(Date.now() / 1000);
    http.service.ports.clock.set(moment * 1000);
    const config = await openidClient(http.url, 'client_secret_post', {
      id_token_signed_response_alg: 'ES256',
    });
    const code = await http.code({ scope: 'openid profile', nonce: 'n-0S6' });
    const tokens = await openid.authorizationCodeGrant(
      config,
      callbackUrl({ code, iss: http.url }),
      { expectedNonce: 'n-0S6', idTokenExpected: true },
      { audience: http.url },
    );
    http.service.ports.clock.reset();
    expect(tokens.claims()).toEqual({
      iss: http.url,
      sub: 'ada',
      aud: 'demo-app',
      iat: moment,
      exp: moment + 86_400,
      auth_time: moment,
      nonce: 'n-0S6',
      at_hash: expect.stringMatching(/^[\w-]{22}$/),
      name: 'Ada Example',
    });
  });
});

describe('simple-oauth2', () => {
  it('exchanges in JSON and refreshes with a form, as documented, under strict', async () => {
    const common = {
      client: { id: 'demo-app', secret: SECRET },
      auth: { tokenHost: strict.url, tokenPath: '/oauth/token' },
    };
    const asJson = new AuthorizationCode({
      ...common,
      options: { bodyFormat: 'json', authorizationMethod: 'body' },
    });
    const accessToken = await asJson.getToken({
      code: await strict.code(),
      redirect_uri: REDIRECT_URI,
      audience: strict.url,
    } as never);
    const asForm = new AuthorizationCode({
      ...common,
      options: { bodyFormat: 'form', authorizationMethod: 'body' },
    });
    const refreshed = await asForm.createToken(accessToken.token).refresh();
    expect(refreshed.token['token_type']).toBe('Bearer');
    expect(refreshed.token['access_token']).not.toBe(accessToken.token['access_token']);
  });
});
