// Behaviour 7.13: the requests that a page of another origin may send, and the responses it may read.

import { describe, expect, it } from 'vitest';
import {
  exchangeParameters,
  postJson,
  refreshParameters,
  sendRaw,
  sharedHttpService,
} from '../support/http-service.ts';

const ORIGIN = 'http://localhost:3000';
const JWKS = '/.well-known/jwks.json';

const http = await sharedHttpService();

const ask = (method: string, path: string, init: RequestInit = {}) =>
  fetch(`${http.url}${path}`, { method, redirect: 'manual', ...init });

/** The request that a browser sends for a script. */
const preflight = (path: string, method: string, wanted?: string) =>
  ask('OPTIONS', path, {
    headers: {
      Origin: ORIGIN,
      'Access-Control-Request-Method': method,
      ...(wanted === undefined ? {} : { 'Access-Control-Request-Headers': wanted }),
    },
  });

const corsNames = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

const OPEN: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/oauth/token'],
  ['POST', '/oauth/revoke'],
  ['POST', '/oauth/introspect'],
  ['POST', '/oauth/par'],
  ['POST', '/oauth/device_authorization'],
  ['GET', '/userinfo'],
  ['GET', JWKS],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/.well-known/oauth-authorization-server'],
];
const CLOSED = ['/authorize', '/device', '/logout', '/register', '/livez', '/'];

describe('a request with an Origin', () => {
  it.each(OPEN)('behaviour 7.13: may read %s %s, with or without credentials', async (...where) => {
    const { headers } = await ask(...where, { headers: { Origin: ORIGIN } });
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('vary')).toBe('Origin');
    const exposed = headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['Grantbench-Exchange', 'WWW-Authenticate']));
  });

  it('behaviour 7.13: may come from a sandboxed frame with the origin null', async () => {
    const { headers } = await ask('GET', JWKS, {
      headers: { Origin: 'null' },
    });
    expect(headers.get('access-control-allow-origin')).toBe('null');
  });

  it.each(['a\x80\xff', 'a\tb', 'x'.repeat(30_000)])(
    'behaviour 7.13: gets a valid response for any Origin: %j',
    async (origin) => {
      const text = `GET ${JWKS} HTTP/1.1\r\nOrigin: ${origin}\r\nConnection: close\r\n\r\n`;
      expect(await sendRaw(http.port, text)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('behaviour 7.13: may read an error response, even for a body over the limit', async () => {
    for (const body of ['{}', JSON.stringify({ padding: 'x'.repeat(70_000) })]) {
      const headers = { Origin: ORIGIN, 'Content-Type': 'application/json' };
      const answer = await ask('POST', '/oauth/token', { headers, body });
      expect(answer.ok).toBe(false);
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    }
  });

  it('behaviour 7.13: gets no access through cookies', async () => {
    const headers = { Origin: ORIGIN, Cookie: 'grantbench_session=anything' };
    const answer = await ask('GET', '/userinfo', { headers });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
  });
});

describe('a request without an origin', () => {
  it('behaviour 7.13: gets only Vary: Origin', async () => {
    const answer = await postJson(http.url, exchangeParameters(http.url, await http.code()));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('vary')).toBe('Origin');
    expect([...answer.headers.keys()].join(' ')).not.toContain('access-control');
  });
});

describe('a preflight', () => {
  it.each(OPEN)('behaviour 7.13: for %s %s is answered', async (method, path) => {
    const answer = await preflight(path, method);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
    expect(answer.headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type');
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(http.newest()?.evaluation).toBeNull();
  });

  it('behaviour 7.13: allows all requested headers', async () => {
    const asked = 'auth0-client,content-type,x-client-sku, x-ms-lib-capability';
    const { headers } = await preflight('/oauth/token', 'POST', asked);
    expect(headers.get('access-control-allow-headers')).toBe(
      'auth0-client, content-type, x-client-sku, x-ms-lib-capability',
    );
    expect(headers.get('vary')).toBe('Access-Control-Request-Headers, Origin');
  });

  it.each(['', ',', 'a b', 'x-a;q=1', '"quoted"'])(
    'behaviour 7.13: does not repeat an invalid list of headers: %j',
    async (asked) => {
      const { headers } = await preflight('/oauth/token', 'POST', asked);
      expect(headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type');
    },
  );

  it('behaviour 7.13: is explained for a method that the endpoint does not support', async () => {
    expect((await preflight('/oauth/token', 'PUT')).status).toBe(204);
    expect(http.newest()?.evaluation).toMatchObject({
      endpoint: 'token',
      finding: { reason: 'preflight_method', facts: { expected: 'POST', got: 'PUT' } },
    });
    await preflight('/oauth/token', 'a-secret-astray');
    expect(http.newest()?.evaluation?.finding?.facts.got).toBe('another method');
  });

  it.each(CLOSED)(
    'behaviour 7.13: is rejected and explained for %s, which no page may read',
    async (path) => {
      http.configure({ registration: { mode: 'open' } });
      const answer = await preflight(path, 'POST');
      expect([answer.status, corsNames(answer)]).toEqual([405, []]);
      expect(http.newest()?.evaluation?.refusal?.reason).toBe('preflight_closed');
      expect(corsNames(await ask('GET', path, { headers: { Origin: ORIGIN } }))).toEqual([]);
    },
  );

  it('behaviour 7.13: is only an OPTIONS request from a browser', async () => {
    expect((await ask('OPTIONS', '/authorize')).status).toBe(405);
    expect(http.newest()?.evaluation?.refusal?.reason).toBe('method_not_allowed');
    expect((await ask('OPTIONS', '/oauth/token')).status).toBe(204);
  });
});

describe('with CORS switched off', () => {
  it('behaviour 7.13: pages of other origins can read nothing, and preflights fail', async () => {
    http.configure({ cors: false });
    for (const [method, path] of OPEN) {
      const refused = await preflight(path, method);
      expect([refused.status, corsNames(refused)]).toEqual([405, []]);
      expect(refused.headers.get('allow')).not.toContain('OPTIONS');
      expect(http.newest()?.evaluation?.refusal?.reason).toBe('preflight_off');
      const answer = await ask(method, path, { headers: { Origin: ORIGIN } });
      expect([corsNames(answer), answer.headers.get('vary')]).toEqual([[], null]);
    }
    http.configure({ cors: true });
    const open = await ask('GET', JWKS, { headers: { Origin: ORIGIN } });
    expect(open.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  });
});

it('behaviour 7.13: an ordinary refresh from a page gets its tokens', async () => {
  const first = await postJson(http.url, exchangeParameters(http.url, await http.code()));
  const body = new URLSearchParams(refreshParameters(String(first.body['refresh_token'])));
  const answer = await ask('POST', '/oauth/token', { headers: { Origin: ORIGIN }, body });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, ORIGIN]);
});
