// OpenID Connect Core 5.3 and RFC 6750 over real HTTP: stock clients that call userinfo, and error responses.

import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { describe, expect, it } from 'vitest';
import { type HttpService, sendRaw, sharedHttpService } from '../support/http-service.ts';
import type { AuthMethod } from '../support/token-endpoints.ts';
import {
  ask,
  callbackUrl,
  evaluationOf,
  oauthClient,
  openidClient,
  signIn,
  userinfo,
} from '../support/token-endpoints.ts';

const PATH = '/userinfo';
const BARE = 'Bearer realm="grantbench"';

const documented = await sharedHttpService();
const interop = await sharedHttpService({ profile: 'interop' });
const strict = await sharedHttpService({ profile: 'strict', dialect: 'auth0' });

describe.each<[string, HttpService, AuthMethod]>([
  ['documented, client_secret_post', documented, 'client_secret_post'],
  ['interop, client_secret_basic', interop, 'client_secret_basic'],
])('stock clients under %s', (_name, server, method) => {
  it('behaviour 7.9: openid-client exchanges a code and fetches the user of the ID token', async () => {
    const { url, service } = server;
    service.ports.clock.set(Math.floor(Date.now() / 1000) * 1000);
    const config = await openidClient(url, method, { id_token_signed_response_alg: 'ES256' });
    const code = await server.code({ scope: 'openid profile' });
    const callback = callbackUrl({ code, iss: url });
    const tokens = await openid.authorizationCodeGrant(config, callback, {}, { audience: url });
    const claims = await openid.fetchUserInfo(
      config,
      tokens.access_token,
      tokens.claims()?.sub ?? '',
    );
    service.ports.clock.reset();
    expect(claims).toEqual({ sub: 'ada', name: 'Ada Example' });
  });

  it('oauth4webapi fetches the user, and parses the challenge of a rejection', async () => {
    const { url } = server;
    const { as, client, options } = await oauthClient(url, method);
    const { access_token } = await signIn(server, { scope: 'openid' });
    const response = await oauth.userInfoRequest(as, client, access_token, options);
    const claims = await oauth.processUserInfoResponse(as, client, 'ada', response);
    expect(claims).toEqual({ sub: 'ada' });
    const refused = await oauth.userInfoRequest(as, client, 'nonsense', options);
    const outcome = oauth.processUserInfoResponse(as, client, 'ada', refused);
    await expect(outcome).rejects.toMatchObject({
      cause: [
        {
          scheme: 'bearer',
          parameters: { realm: 'grantbench', error: 'invalid_token' },
        },
      ],
    });
  });
});

it.each(['RS256', 'ES256', 'PS256'] as const)(
  'behaviour 7.28, OpenID Connect Core 5.3.2: a client that registered %s gets a signed response, which openid-client verifies',
  async (alg) => {
    const { url } = interop;
    interop.changeClient({ userinfo_signed_response_alg: alg });
    const { access_token } = await signIn(interop, { scope: 'openid profile' });
    const config = await openidClient(url, 'client_secret_basic', {
      userinfo_signed_response_alg: alg,
    });
    openid.enableNonRepudiationChecks(config);
    expect(config.serverMetadata().userinfo_signing_alg_values_supported).toContain(alg);
    const claims = await openid.fetchUserInfo(config, access_token, 'ada');
    expect(claims).toEqual({ sub: 'ada', name: 'Ada Example', iss: url, aud: 'demo-app' });
    const headers = { Authorization: `Bearer ${access_token}` };
    const response = await fetch(`${url}${PATH}`, { headers });
    expect(response.headers.get('content-type')).toBe('application/jwt');
    const refused = await fetch(`${url}${PATH}`, { headers: { Authorization: 'Bearer x' } });
    expect(refused.headers.get('content-type')).toBe('application/json');
  },
);

describe('the response', () => {
  it('OpenID Connect Core 5.3.2: is JSON, not cacheable, for GET, HEAD and POST', async () => {
    const { url } = documented;
    const { access_token } = await signIn(documented, { scope: 'openid' });
    const headers = { Authorization: `Bearer ${access_token}` };
    for (const method of ['GET', 'POST']) {
      const answer = await ask(url, PATH, { method, headers });
      expect([answer.status, answer.text]).toEqual([200, '{"sub":"ada"}']);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    const head = await ask(url, PATH, { method: 'HEAD', headers });
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '13']);
  });

  it('spec 5.5, RFC 6750 2.2: is the same for a token in a posted form', async () => {
    const { access_token } = await signIn(documented, { scope: 'openid' });
    const body = new URLSearchParams({ access_token });
    const answer = await ask(documented.url, PATH, { method: 'POST', body });
    expect(answer.body).toEqual({ sub: 'ada' });
  });

  it('behaviour 7: is 403 insufficient_scope for a token without openid under strict', async () => {
    const { access_token } = await signIn(strict, { scope: 'profile' });
    const refused = await userinfo(strict.url, access_token);
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        error: 'insufficient_scope',
        error_description: 'the access token must have the scope openid (OpenID Connect Core 5.3)',
      },
    ]);
    expect(refused.headers.get('www-authenticate')).toBe(
      `${BARE}, error="insufficient_scope", error_description="the access token must have the scope openid (OpenID Connect Core 5.3)", scope="openid"`,
    );
  });
});

describe('a rejected token', () => {
  it('behaviour 7.9, RFC 6750 3.1: that is missing gets a challenge without an error, and the body names the cause', async () => {
    for (const headers of [{}, { Authorization: 'Basic YTpi' }, { Authorization: 'Bearer' }]) {
      const answer = await ask(documented.url, PATH, { headers });
      expect([answer.status, answer.body]).toEqual([
        401,
        {
          error: 'invalid_token',
          error_description:
            'an access token is required in the Authorization header, as Bearer (RFC 6750 2.1)',
        },
      ]);
      expect(answer.headers.get('www-authenticate')).toBe(BARE);
    }
  });

  it('behaviour 7.9, RFC 6750 3.1: that is invalid, expired or revoked is reported in challenge and body', async () => {
    const { url, service } = documented;
    const { access_token, refresh_token } = await signIn(documented, { scope: 'openid' });
    const refusal = async (token: string, description: string) => {
      const answer = await userinfo(url, token);
      expect([answer.status, answer.body]).toEqual([
        401,
        { error: 'invalid_token', error_description: description },
      ]);
      expect(answer.headers.get('www-authenticate')).toBe(
        `${BARE}, error="invalid_token", error_description="${description}"`,
      );
    };
    await refusal('garbage', 'the access token is not valid');
    await refusal('a.b.c.d', 'the access token is not valid');
    await refusal(refresh_token, 'the access token is not valid');
    service.ports.clock.advance(86_400_000);
    await refusal(access_token, 'the access token has expired');
    service.ports.clock.reset();
    const user = service.registry.users.get('ada');
    service.registry.users.remove('ada');
    await refusal(
      access_token,
      'the access token was issued for a user who is no longer registered',
    );
    if (user !== undefined) service.registry.users.put(user);
  });
});

describe('bad input', () => {
  const head = (token: string, length = 0) =>
    `GET ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\nAuthorization: Bearer ${token}\r\n\r\n`;

  it('PUT is 405 with Allow', async () => {
    const answer = await ask(documented.url, PATH, { method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
    expect(evaluationOf(documented, answer).endpoint).toBe('userinfo');
  });

  it.each<[string, string, string, string]>([
    ['text', 'text/plain', 'x', 'the Content-Type header must be'],
    [
      'access_token twice',
      'application/x-www-form-urlencoded',
      'access_token=a&access_token=b',
      'access_token must not be repeated',
    ],
  ])(
    'a posted body that is %s is rejected, naming the field and the rule',
    async (_name, type, body, rule) => {
      const headers = { 'Content-Type': type };
      const answer = await ask(documented.url, PATH, { method: 'POST', headers, body });
      expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_request']);
      expect(answer.body['error_description']).toContain(rule);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_request"');
    },
  );

  it('the body of a GET request is ignored (RFC 6750 2.2)', async () => {
    const { access_token } = await signIn(documented, { scope: 'openid' });
    const answer = await sendRaw(documented.port, `${head(access_token, 3)}{{{`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  it('a token that exceeds the header limit is 431, and no token causes an internal error', async () => {
    expect(await sendRaw(documented.port, head('A'.repeat(2_000_000)))).toMatch(/^HTTP\/1.1 431 /);
    for (const token of ['A'.repeat(60_000), '.'.repeat(60_000), '\xff\xfe', '{}', '"', '\t']) {
      expect(await sendRaw(documented.port, head(token))).toMatch(/^HTTP\/1.1 401 /);
    }
    expect(documented.faults).toEqual([]);
  });
});
