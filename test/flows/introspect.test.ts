// RFC 7662 over real HTTP: stock clients that introspect tokens, and invalid requests.

import * as oauth from 'oauth4webapi';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import { describe, expect, it } from 'vitest';
import { type HttpService, NOW, sharedHttpService } from '../support/http-service.ts';
import type { AuthMethod } from '../support/token-endpoints.ts';
import {
  ask,
  CREDENTIALS,
  evaluationOf,
  oauthClient,
  openidClient,
  present,
  signIn,
} from '../support/token-endpoints.ts';

const PATH = '/oauth/introspect';

const documented = await sharedHttpService();
const interop = await sharedHttpService({ profile: 'interop' });
const strict = await sharedHttpService({ profile: 'strict', max_body_bytes: 16_777_216 });

describe.each<[string, HttpService, AuthMethod]>([
  ['documented, client_secret_post', documented, 'client_secret_post'],
  ['interop, client_secret_basic', interop, 'client_secret_basic'],
])('stock clients under %s', (_name, server, method) => {
  it('behaviour 7.8: openid-client introspects access and refresh tokens', async () => {
    const { url } = server;
    const config = await openidClient(url, method);
    const { access_token, refresh_token } = await signIn(server, { scope: 'openid profile' });
    expect(await openid.tokenIntrospection(config, access_token)).toEqual({
      active: true,
      client_id: 'demo-app',
      token_type: 'Bearer',
      exp: NOW / 1000 + 86_400,
      iat: NOW / 1000,
      aud: url,
      jti: expect.stringMatching(/^[\w-]+\.\w+\.\d+$/) as string,
      scope: 'openid profile',
      username: 'Ada Example',
      sub: 'ada',
      iss: url,
    });
    expect(await openid.tokenIntrospection(config, refresh_token)).toMatchObject({
      active: true,
      exp: NOW / 1000 + 2_592_000,
    });
    await openid.tokenRevocation(config, refresh_token);
    expect(await openid.tokenIntrospection(config, refresh_token)).toEqual({ active: false });
  });

  it.each(['RS256', 'ES256', 'EdDSA'] as const)(
    'behaviour 7.28, RFC 9701 5: oauth4webapi gets JSON, or a response signed with %s if it requests a JWT',
    async (alg) => {
      const { url, changeClient } = server;
      const { as, client, party, options } = await oauthClient(url, method);
      // RS256 is the default.
      const chosen = alg === 'RS256' ? {} : { introspection_signed_response_alg: alg };
      changeClient(chosen);
      const { access_token } = await signIn(server);
      for (const requestJwtResponse of [false, true]) {
        const ask = (token: string) =>
          oauth.introspectionRequest(...party, token, {
            ...options,
            requestJwtResponse,
          });
        const response = await ask(access_token);
        expect(response.headers.get('content-type')).toBe(
          requestJwtResponse ? 'application/token-introspection+jwt' : 'application/json',
        );
        const own = { ...client, ...chosen };
        const reported = await oauth.processIntrospectionResponse(as, own, response);
        expect(reported).toMatchObject({ active: true, sub: 'ada', iss: url });
        const unknown = await oauth.processIntrospectionResponse(as, own, await ask('unknown'));
        expect(unknown).toEqual({ active: false });
      }
    },
  );

  it('behaviour 7.28, RFC 9701 5: the JWT has issuer, audience and time outside, and the token inside', async () => {
    const { url } = server;
    const { party, options } = await oauthClient(url, method);
    const { access_token } = await signIn(server);
    const response = await oauth.introspectionRequest(...party, access_token, {
      ...options,
      requestJwtResponse: true,
    });
    const jwt = await response.text();
    expect(decodeProtectedHeader(jwt)).toMatchObject({
      typ: 'token-introspection+jwt',
      alg: 'RS256',
    });
    expect(decodeJwt(jwt)).toEqual({
      iss: url,
      aud: 'demo-app',
      iat: NOW / 1000,
      token_introspection: expect.objectContaining({ active: true, sub: 'ada' }) as object,
    });
    await jwtVerify(jwt, createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`)));
  });
});

describe('the response', () => {
  it.each([
    [
      'application/json, Application/Token-Introspection+JWT',
      'application/token-introspection+jwt',
    ],
    ['application/token-introspection+jwt;q=0, application/json', 'application/json'],
    ['application/token-introspection+jwt; q=0.000', 'application/json'],
    ['application/token-introspection+jwt;q=0.5', 'application/token-introspection+jwt'],
  ])(
    'behaviour 7.28, RFC 9110 12.4.2: to a request with Accept: %s is %s',
    async (accept, type) => {
      const body = new URLSearchParams({ ...CREDENTIALS, token: 'unknown' });
      const { headers } = await fetch(`${documented.url}${PATH}`, {
        method: 'POST',
        headers: { accept },
        body,
      });
      expect(headers.get('content-type')).toBe(type);
    },
  );

  it('behaviour 7.8, RFC 7662 2.2: is only {"active":false} for any inactive token', async () => {
    const { url } = documented;
    const { access_token, refresh_token } = await signIn(documented);
    const code = await documented.code();
    await present(url, '/oauth/revoke', { token: refresh_token });
    const [header, , signature] = access_token.split('.');
    const tokens = [
      'x',
      '...',
      'a.b.c',
      'a.b.c.d.e',
      access_token,
      refresh_token,
      code,
      `${header ?? ''}.e30.${signature ?? ''}`,
    ];
    for (const token of tokens) {
      const answer = await present(url, PATH, { token });
      expect([answer.status, answer.text]).toEqual([200, '{"active":false}']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(evaluationOf(documented, answer).finding).not.toBeNull();
    }
  });
});

describe('bad input', () => {
  it('RFC 7662 2.1: a bearer token does not authenticate a client', async () => {
    const { access_token } = await signIn(interop);
    const answer = await ask(interop.url, PATH, {
      method: 'POST',
      headers: { Authorization: `Bearer ${access_token}` },
      body: new URLSearchParams({ token: access_token }),
    });
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_client']);
  });

  it('GET is 405 with Allow, and has a trace of this endpoint', async () => {
    const answer = await ask(documented.url, `${PATH}?token=secret`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(evaluationOf(documented, answer)).toMatchObject({ endpoint: 'introspect' });
  });

  it('a token of 2 MB is too large by default, and inactive under a higher limit', async () => {
    const token = 'A'.repeat(2_000_000);
    expect((await present(documented.url, PATH, { token })).status).toBe(413);
    for (const garbage of [token, `${token}.${token}.${token}`, '.'.repeat(2_000_000)]) {
      const answer = await present(strict.url, PATH, { token: garbage });
      expect([answer.status, answer.text]).toEqual([200, '{"active":false}']);
    }
    expect([...documented.faults, ...strict.faults]).toEqual([]);
  });
});
