import { afterEach, describe, expect, it } from 'vitest';
import {
  type Answered,
  exchangeParameters,
  NOW,
  postForm,
  postJson,
  refreshParameters,
  sharedHttpService,
} from '../support/http-service.ts';

const http = await sharedHttpService();

afterEach(() => {
  http.service.ports.clock.set(NOW);
});

const exchange = async () => postJson(http.url, exchangeParameters(http.url, await http.code()));

const newRefreshToken = async () => String((await exchange()).body['refresh_token']);

describe('behaviour 3.4: WWW-Authenticate only when the client used the Authorization header', () => {
  it('HTTP Basic is checked before the body and gets a challenge', async () => {
    const basic = await postJson(http.url, exchangeParameters(http.url, 'x'), {
      Authorization: `Basic ${Buffer.from('demo-app:demo-secret').toString('base64')}`,
    });
    expect(basic.status).toBe(401);
    expect(basic.headers.get('www-authenticate')).toBe(
      'Basic realm="grantbench", error="invalid_client", error_description="client_id and client_secret must be sent in the body; HTTP Basic is not accepted here"',
    );
  });

  it('a wrong secret in the body gets none', async () => {
    const wrong = { ...exchangeParameters(http.url, 'x'), client_secret: 'wrong' };
    const { status, headers } = await postJson(http.url, wrong);
    expect([status, headers.get('www-authenticate')]).toEqual([401, null]);
  });

  it('RFC 6749 5.2: the challenge contains the error and description of the body, in either dialect', async () => {
    for (const dialect of ['rfc6749', 'auth0'] as const) {
      http.configure({ dialect, profile: 'interop' });
      const { body, headers, status } = await postForm(
        http.url,
        { grant_type: 'client_credentials' },
        { Authorization: `Basic ${btoa('demo-app:wrong')}` },
      );
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe(
        `Basic realm="grantbench", error="${String(body['error'])}", error_description="${String(body['error_description'])}"`,
      );
    }
  });
});

describe('RFC 8707 2: resource may be repeated in general, but here a token is for one API', () => {
  it('behaviour 1.4: a repeated resource is 400 invalid_target after the client has authenticated, in every profile and format', async () => {
    for (const profile of ['documented', 'strict', 'interop'] as const) {
      http.configure({ profile });
      const code = await http.code();
      const twice = (parameters: Record<string, string>) =>
        `${new URLSearchParams(parameters).toString()}&resource=urn:a&resource=urn:b`;
      const seen = ({ status, body }: Answered) => ({ status, body });
      const refusal = {
        status: 400,
        body: {
          error: 'invalid_target',
          error_description: 'resource must be sent once: a token is for one API here (RFC 8707 2)',
        },
      };
      const json = JSON.stringify(exchangeParameters(http.url, code)).replace(
        /\}$/,
        ',"resource":"urn:a","resource":"urn:b"}',
      );
      expect(seen(await postJson(http.url, json))).toEqual(refusal);
      const first = await postJson(http.url, exchangeParameters(http.url, code));
      expect(first.status).toBe(200);
      const refresh = refreshParameters(String(first.body['refresh_token']));
      const unauthenticated = await postForm(http.url, twice({ ...refresh, client_secret: 'x' }));
      expect(unauthenticated.body['error']).toBe('invalid_client');
      expect(seen(await postForm(http.url, twice(refresh)))).toEqual(refusal);
    }
  });
});

describe('behaviour 5: throttling over HTTP', () => {
  it('spec 8.3, behaviour 5.8, 5.9: a throttled request is 429 with Retry-After, both header families and a description', async () => {
    http.configure({ throttle: { limit: 2, window_seconds: 60 } });
    const parameters = refreshParameters(await newRefreshToken());
    const first = await postForm(http.url, parameters);
    expect(first.headers.get('ratelimit-policy')).toBe('"token-ip";q=2;w=60');
    expect(first.headers.get('ratelimit')).toBe('"token-ip";r=1;t=60');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
    expect(first.headers.get('retry-after')).toBeNull();
    http.service.ports.clock.advance(18_000);
    await postForm(http.url, parameters);
    const over = await postForm(http.url, parameters);
    expect(over.status).toBe(429);
    expect(over.body).toEqual({
      error: 'too_many_requests',
      error_description: 'too many requests with this token from this address; retry in 42 s',
    });
    expect(over.headers.get('retry-after')).toBe('42');
    expect(over.headers.get('ratelimit')).toBe('"token-ip";r=0;t=42');
    expect(over.headers.get('x-ratelimit-limit')).toBe('2');
    expect(over.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(over.headers.get('x-ratelimit-reset')).toBe(String(NOW / 1000 + 60));
    http.service.ports.clock.advance(42_000);
    expect((await postForm(http.url, parameters)).status).toBe(200);
  });

  it('behaviour 5.7: without trust_proxy X-Forwarded-For is ignored, and both loopback addresses count as one', async () => {
    http.configure({ throttle: { limit: 1 } });
    const parameters = refreshParameters(await newRefreshToken());
    const headers = { 'X-Forwarded-For': '203.0.113.7' };
    expect((await postForm(http.url, parameters, headers)).status).toBe(200);
    const six = await postForm(`http://127.0.0.1:${http.port}`, parameters);
    expect(six.status).toBe(429);
  });
});

describe('behaviour 6.2: the Date header', () => {
  it('follows the sandbox clock', async () => {
    expect((await exchange()).headers.get('date')).toBe('Sun, 01 Mar 2026 10:00:00 GMT');
    http.service.ports.clock.advance(86_400_000);
    expect((await exchange()).headers.get('date')).toBe('Mon, 02 Mar 2026 10:00:00 GMT');
  });
});

describe('behaviour 7: endpoints', () => {
  it('behaviour 7.11: both metadata documents have the same issuer and match the profile', async () => {
    const load = async (path: string) =>
      (await (await fetch(http.url + path)).json()) as Record<string, unknown>;
    const as = await load('/.well-known/oauth-authorization-server');
    const oidc = await load('/.well-known/openid-configuration');
    expect(as['issuer']).toBe(http.url);
    expect(as['token_endpoint']).toBe(`${http.url}/oauth/token`);
    expect(as['token_endpoint_auth_methods_supported']).toEqual(['client_secret_post']);
    expect(oidc).toMatchObject(as);
  });

  it('behaviour 7.12: a fixed issuer with a path serves the endpoints below it', async () => {
    const issuer = 'https://login.example/tenant';
    http.configure({ issuer });
    const metadata = await fetch(`${http.url}/.well-known/oauth-authorization-server/tenant`);
    expect(await metadata.json()).toMatchObject({ issuer });
    const parameters = exchangeParameters(issuer, await http.code());
    expect((await postJson(`${http.url}/tenant`, parameters)).status).toBe(200);
    expect((await fetch(`${http.url}/oauth/token`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${http.url}/readyz`)).status).toBe(200);
  });

  it.each(['', '/tenant'])(
    'behaviour 7.12, OpenID Connect Discovery 4.1, RFC 8414 3.1: an issuer with a trailing slash (%s/) is discovered without it',
    async (path) => {
      const issuer = `https://login.example${path}/`;
      http.configure({ issuer });
      for (const place of [
        `${path}/.well-known/openid-configuration`,
        `/.well-known/oauth-authorization-server${path}`,
      ]) {
        const metadata = (await (await fetch(`${http.url}${place}`)).json()) as object;
        expect(metadata).toMatchObject({
          issuer,
          token_endpoint: `https://login.example${path}/oauth/token`,
          jwks_uri: `https://login.example${path}/.well-known/jwks.json`,
        });
      }
      const parameters = exchangeParameters(issuer, await http.code());
      expect((await postJson(`${http.url}${path}`, parameters)).status).toBe(200);
      expect((await (await fetch(http.url)).text()).includes('example//')).toBe(false);
    },
  );

  it('the JWK Set requires revalidation and has no private members', async () => {
    const response = await fetch(`${http.url}/.well-known/jwks.json`);
    expect(response.headers.get('cache-control')).toBe('max-age=0, must-revalidate');
    const { keys } = (await response.json()) as { keys: Record<string, unknown>[] };
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'].sort(),
    );
  });

  it('the landing page names issuer, endpoints and workbench, with a strict content security policy', async () => {
    const response = await fetch(http.url);
    const page = await response.text();
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w-]+'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page).toContain(`POST ${http.url}/oauth/token`);
    expect(page).toContain('http://127.0.0.1:4281/');
    expect(page).not.toContain('token=');
  });

  it('behaviour 2.1: the Grantbench-Exchange header can be disabled', async () => {
    http.configure({ exchange_header: false });
    expect((await exchange()).headers.get('grantbench-exchange')).toBeNull();
  });
});
