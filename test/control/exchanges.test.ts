// docs/reference/control-api.md over REST: captured exchanges. Filters, pages, the long poll, redaction, and requests
// sent over real HTTP.

import { beforeAll, describe, expect, it } from 'vitest';
import type { Exchange, ExchangeSummary } from '../../src/control/schemas.ts';
import { clientKey, signAssertion } from '../support/assertion.ts';
import { authorizePath, redemption, refresh } from '../support/form-calls.ts';
import { hashOf, proof, proofKey } from '../support/dpop.ts';
import type { Harness, HarnessOptions, Page } from '../support/harness.ts';
import {
  call,
  CREDENTIALS,
  expectError,
  ORDERS,
  START,
  startHarness,
  startSignedIn,
} from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';

const numbers = ({ items }: Page<ExchangeSummary>) => items.map(({ number }) => number);

const exchangeBody = (code: string) => JSON.stringify(redemption(code));

/** Exchanges 1 to 4: 404, 400 unknown grant, 401 wrong secret, 200. */
async function fourExchanges(harness: Harness): Promise<void> {
  await call(harness.url(), 'GET', '/nowhere');
  await harness.token({ ...CREDENTIALS, grant_type: 'urn:example:grant' });
  await harness.token({
    client_id: 'demo-app',
    client_secret: 'wrong-secret',
    grant_type: 'refresh_token',
    refresh_token: 'x',
  });
  await harness.signIn();
}

describe('behaviour 7.21: captured passwords', () => {
  const password = 'correct horse battery staple';
  const former = 'a password of yesterday';
  const client = { client_id: 'legacy', client_secret: 'legacy-secret' };
  const sent = { ...client, grant_type: 'password', username: 'bea' };

  it('are redacted by name and by value, including former passwords, and in exports', async () => {
    const harness = await startHarness();
    await harness.post('/clients', { ...client, grant_types: ['password'] });
    await harness.post('/users', { sub: 'bea', password: former });
    await harness.patch('/users/bea', { password });
    await harness.token({ ...sent, password });
    await harness.token({ ...sent, username: former, password: 'another guess' });
    await call(harness.url(), 'GET', `/nowhere?x=${encodeURIComponent(password)}`);
    const items = await harness.list<ExchangeSummary>('/exchanges');
    expect(items.map(({ status }) => status)).toEqual([404, 400, 200]);
    const shown = await Promise.all([
      ...items.map(({ number }) => harness.get(`/exchanges/${number}`)),
      harness.get('/exchanges/export?format=json'),
      harness.get('/exchanges/export?format=har'),
      harness.get('/exchanges'),
    ]);
    const text = decodeURIComponent(
      JSON.stringify(shown).replaceAll('+', ' ').replaceAll('%', '%25'),
    );
    for (const secret of [password, former, 'another guess']) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(encodeURIComponent(secret));
    }
    expect(text).toContain('[redacted]');
  });
});

const empty = shareHarness();

const withFour = shareHarness();
beforeAll(() => fourExchanges(withFour()));

describe('GET /exchanges', () => {
  it('lists exchanges, newest first', async () => {
    const page = await withFour().get<Page<ExchangeSummary>>('/exchanges');
    expect(page.items.map(({ number, status, error }) => [number, status, error])).toEqual([
      [4, 200, null],
      [3, 401, 'invalid_client'],
      [2, 400, 'unsupported_grant_type'],
      [1, 404, 'not_found'],
    ]);
    expect(page.items[1]).toMatchObject({
      at: new Date(START).toISOString(),
      method: 'POST',
      path: '/oauth/token',
      ip: '127.0.0.1',
      grant_type: 'refresh_token',
      client_id: 'demo-app',
      cause: expect.stringMatching(/secret/) as string,
      retry_of: null,
      throttled: false,
    });
  });

  it.each([
    ['client_id=demo-app', [4, 3, 2]],
    ['client_id=none', []],
    ['error=invalid_client', [3]],
    ['status=404', [1]],
    ['status=400&error=invalid_client', []],
    ['after=2', [4, 3]],
    ['after=4', []],
    ['after=1&status=400', [2]],
  ])('filters by ?%s', async (query, expected) => {
    expect(numbers(await withFour().get<Page<ExchangeSummary>>(`/exchanges?${query}`))).toEqual(
      expected,
    );
  });

  it('pages with next, within ?after= and the filters', async () => {
    const harness = await startHarness();
    for (let count = 0; count < 6; count++) await call(harness.url(), 'GET', '/nowhere');
    const first = await harness.get<Page<ExchangeSummary>>('/exchanges?limit=2&after=1&status=404');
    expect(numbers(first)).toEqual([6, 5]);
    const path = `/exchanges?limit=2&status=404&after=${first.next}`;
    const second = await harness.get<Page<ExchangeSummary>>(path);
    expect(numbers(second)).toEqual([4, 3]);
    const third = await harness.get<Page<ExchangeSummary>>(
      `/exchanges?limit=2&status=404&after=${second.next}`,
    );
    expect(numbers(third)).toEqual([2]);
    expect(third.next).toBeNull();
  });

  it.each([
    ['after', 'after=x'],
    ['after', 'after=before:3'],
    ['after', 'after=-1'],
    ['status', 'status=ok'],
    ['status', 'status=99'],
    ['wait_seconds', 'wait_seconds=61'],
    ['limit', 'limit=1.5'],
  ])('rejects an invalid %s: ?%s', async (field, query) => {
    expectError(await empty().api('GET', `/exchanges?${query}`), 422, 'invalid', field);
  });
});

describe('?wait_seconds= is a long poll', () => {
  it('returns at once when an exchange already matches', async () => {
    const harness = await startHarness();
    await call(harness.url(), 'GET', '/nowhere');
    expect(numbers(await harness.get<Page<ExchangeSummary>>('/exchanges?wait_seconds=60'))).toEqual(
      [1],
    );
  });

  it('waits for the first matching exchange', async () => {
    const harness = await startHarness();
    await call(harness.url(), 'GET', '/nowhere');
    const waiting = harness.get<Page<ExchangeSummary>>(
      '/exchanges?after=1&status=200&wait_seconds=60',
    );
    // A second poll that the other exchanges match shows that they arrived while the first one waited.
    const other = harness.get<Page<ExchangeSummary>>('/exchanges?after=1&wait_seconds=60');
    await harness.connect();
    await call(harness.url(), 'GET', '/nowhere');
    expect(numbers(await other)).toEqual([2]);
    await call(harness.url(), 'GET', '/livez');
    const found = await waiting;
    expect(found.items).toHaveLength(1);
    expect(found.items[0]).toMatchObject({ number: 3, status: 200 });
  });

  it('behaviour 6.3: returns empty when the time is over by the machine’s clock, even if the sandbox clock is frozen', async () => {
    const harness = await startHarness();
    await harness.patch('/clock', { frozen: true });
    expect(await harness.get('/exchanges?wait_seconds=1')).toEqual({ items: [], next: null });
  });

  it('ends with the engine', async () => {
    const harness = await startHarness();
    const waiting = harness.get<Page<ExchangeSummary>>('/exchanges?wait_seconds=60');
    await harness.get('/server');
    await harness.engine.close();
    expect(await waiting).toEqual({ items: [], next: null });
  });

  it('ends when its client disconnects', async () => {
    const harness = await startHarness();
    const gone = new AbortController();
    const waiting = harness.api('GET', '/exchanges?wait_seconds=60', undefined, {
      signal: gone.signal,
    });
    await harness.get('/server');
    gone.abort();
    await expect(waiting).rejects.toThrow();
    expect(harness.faults).toEqual([]);
  });
});

describe('GET /exchanges/{number}', () => {
  it('shows request, response and trace', async () => {
    const exchange = await withFour().get<Exchange>('/exchanges/3');
    expect(exchange).toMatchObject({
      number: 3,
      status: 401,
      request: { http_version: '1.1', body_encoding: 'utf8' },
      response: { reason: 'Unauthorized' },
      why: { check: 'client_secret', summary: expect.any(String) as string },
      profile: 'documented',
      clock: { now: new Date(START).toISOString(), frozen: false, offset_seconds: 0 },
    });
    const verdicts = Object.fromEntries(exchange.trace.map(({ id, verdict }) => [id, verdict]));
    expect(verdicts).toMatchObject({
      grant_type: 'passed',
      client_secret: 'failed',
      credential_live: 'not_reached',
    });
  });

  it.each<readonly [string, NonNullable<HarnessOptions['workspace']>]>([
    ['by default', {}],
    ['below the path of the issuer', { settings: { issuer: 'https://login.example/tenant' } }],
    ...(['auth0', 'entra', 'keycloak', 'okta'] as const).map(
      (provider) => [`in the shape of ${provider}`, { shape: { provider } }] as const,
    ),
  ])('names the endpoint at the path, whatever the path is: %s', async (_where, workspace) => {
    const harness = await startHarness({ workspace });
    const { endpoints } = await harness.get<{ endpoints: Record<string, string> }>('/server');
    const expected = {
      token: 'token',
      authorization: 'authorize',
      pushed_authorization_request: 'par',
      revocation: 'revoke',
      introspection: 'introspect',
      device_authorization: 'device_authorization',
      userinfo: 'userinfo',
      end_session: 'logout',
      jwks: 'jwks',
      openid_configuration: 'metadata',
      oauth_authorization_server: 'metadata',
    };
    const paths: string[] = [];
    for (const name of Object.keys(expected)) {
      const { pathname } = new URL(endpoints[name] ?? '');
      paths.push(pathname);
      await call(harness.url(), 'GET', pathname);
    }
    const items = await harness.list<{ path: string; endpoint: string }>('/exchanges');
    const found = items.map(({ path, endpoint }) => [path, endpoint]).reverse();
    expect(found).toEqual(Object.values(expected).map((name, index) => [paths[index], name]));
  });

  it('names no endpoint for other paths, and that of a protected API and of its metadata', async () => {
    const harness = await startHarness({ workspace: { apis: [{ name: 'orders' }] } });
    for (const path of [
      '/nowhere',
      '/livez',
      '/register',
      '/api/orders/1',
      '/.well-known/oauth-protected-resource/api/orders',
    ])
      await call(harness.url(), 'GET', path);
    const items = await harness.list<{ endpoint: string }>('/exchanges');
    expect(items.map(({ endpoint }) => endpoint).reverse()).toEqual([
      null,
      null,
      null,
      'api',
      'resource_metadata',
    ]);
  });

  it('names the endpoint where a fault rule answered instead', async () => {
    const harness = await startHarness();
    await harness.post('/faults', { when: 'instead', effect: { kind: 'drop' } });
    await call(harness.url(), 'GET', '/userinfo').catch(() => undefined);
    expect(await harness.get<object>('/exchanges/1')).toMatchObject({ endpoint: 'userinfo' });
  });

  it('lists the exchanges of one lineage', async () => {
    const { harness, refresh_token } = await startSignedIn();
    await harness.signIn();
    await refresh(harness, refresh_token);
    const { lineage_id } = await harness.get<{ lineage_id: string }>('/exchanges/1');
    expect(
      numbers(await harness.get<Page<ExchangeSummary>>(`/exchanges?lineage_id=${lineage_id}`)),
    ).toEqual([3, 1]);
    expect(
      numbers(await harness.get<Page<ExchangeSummary>>('/exchanges?lineage_id=nothing')),
    ).toEqual([]);
  });

  const basic = `Basic ${Buffer.from('demo-app:demo-secret').toString('base64')}`;
  it.each([
    ...(['rfc6749', 'auth0'] as const).flatMap((dialect) => [
      {
        name: 'HTTP Basic',
        dialect,
        send: ({ token }: Harness) =>
          token({ grant_type: 'client_credentials', audience: ORDERS }, { Authorization: basic }),
      },
      {
        name: 'a password',
        dialect,
        send: ({ token }: Harness) =>
          token({ ...CREDENTIALS, grant_type: 'password', username: 'ada', password: 'x' }),
      },
      {
        name: 'an unknown scope at /authorize',
        dialect,
        send: ({ url }: Harness) =>
          call(url(), 'GET', authorizePath({ audience: ORDERS, scope: 'orders:read nothing' })),
      },
    ]),
  ])(
    'behaviour 1.2: a note gives the response of strict to $name in the dialect $dialect',
    async ({ dialect, send }) => {
      const harness = await startHarness({ workspace: { settings: { dialect } } });
      const grant_types = ['authorization_code', 'client_credentials', 'password'];
      await harness.patch('/clients/demo-app', { profile: 'interop', grant_types });
      expect((await send(harness)).status).toBeLessThan(400);
      const { deviation_notes: notes } = await harness.get<{
        deviation_notes: { strict_status: number | null; strict_error: string | null }[];
      }>('/exchanges/1');
      await harness.patch('/clients/demo-app', { profile: 'strict' });
      await send(harness);
      const { status, error } = await harness.get<ExchangeSummary>('/exchanges/2');
      expect(notes.filter(({ strict_status }) => strict_status !== null)).toContainEqual(
        expect.objectContaining({ strict_status: status, strict_error: error }),
      );
    },
  );

  it.each(['x', '0', '-1', '1.5'])('is 422 for the invalid number %s', async (number) => {
    expectError(await empty().api('GET', `/exchanges/${number}`), 422, 'invalid', 'number');
  });
});

describe('secrets are redacted unless ?secrets=1', () => {
  it('in bodies and headers, both ways', async () => {
    const harness = await startHarness();
    const code = await harness.code();
    const raw = exchangeBody(code);
    const { body } = await call(harness.url(), 'POST', '/oauth/token', {
      raw,
      headers: { Authorization: 'Bearer some-token', Cookie: 'session=abc' },
    });
    const { access_token, refresh_token } = body as Record<string, string>;
    const secrets = [code, 'demo-secret', access_token, refresh_token, 'some-token', 'session=abc'];

    const hidden = JSON.stringify(await harness.get('/exchanges/1'));
    const shown = await harness.get<Exchange>('/exchanges/1?secrets=1');
    for (const secret of secrets) {
      expect(hidden).not.toContain(secret);
      expect(JSON.stringify(shown)).toContain(secret);
    }
    expect(shown.request.body).toBe(raw);
    expect(hidden).toContain('"client_id\\":\\"demo-app');
  });

  it('in a query string that was captured before the secret was known', async () => {
    const harness = await startHarness();
    await call(harness.url(), 'GET', '/authorize?state=chosen-beforehand');
    const path = async () => (await harness.list<ExchangeSummary>('/exchanges'))[0];
    expect(await path()).toMatchObject({ path: '/authorize?state=chosen-beforehand' });
    const client = { client_id: 'late', client_secret: 'chosen-beforehand' };
    await harness.post('/clients', client);
    expect(await path()).toMatchObject({ path: '/authorize?state=[redacted]' });
  });

  it('keeps non-UTF-8 bytes as base64', async () => {
    const harness = await startHarness();
    const raw = Buffer.concat([Buffer.from('client_secret=demo-secret&x='), Buffer.from([0xff])]);
    await call(harness.url(), 'POST', '/oauth/token', {
      raw,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    const { request } = await harness.get<Exchange>('/exchanges/1');
    expect(request.body_encoding).toBe('base64');
    const text = Buffer.from(request.body, 'base64').toString('latin1');
    expect(text).toBe('client_secret=[redacted]&x=\u00ff');
    const { request: shown } = await harness.get<Exchange>('/exchanges/1?secrets=1');
    expect(Buffer.from(shown.body, 'base64')).toEqual(raw);
  });

  it('but not the thumbprints of keys that a rejection compares', async () => {
    const harness = await startHarness({ workspace: { settings: { profile: 'interop' } } });
    const [key, other] = await Promise.all([proofKey(), proofKey()]);
    const bound = { DPoP: await proof(key, { claims: { htu: `${harness.url()}/oauth/token` } }) };
    const { body } = await harness.token(redemption(await harness.code()), bound);
    const { access_token } = body as { access_token: string };
    const claims = { htm: 'GET', htu: `${harness.url()}/userinfo`, ...hashOf(access_token) };
    const DPoP = await proof(other, { claims });
    const headers = { Authorization: `DPoP ${access_token}`, DPoP };
    expect((await call(harness.url(), 'GET', '/userinfo', { headers })).status).toBe(401);
    const [newest] = await harness.list<ExchangeSummary>('/exchanges');
    expect(newest?.cause).toContain(`signed with the key ${other.jkt}`);
    expect(newest?.cause).toContain(`bound to the key ${key.jkt}`);
    const { trace } = await harness.get<Exchange>(`/exchanges/${newest?.number}`);
    const { note } = trace.find(({ id }) => id === 'dpop_signature') ?? expect.fail();
    expect(note).toBe(`thumbprint ${other.jkt}`);
  });

  it('nor the ids of keys, which are often thumbprints, with which clients sign', async () => {
    const harness = await startHarness({ workspace: { settings: { profile: 'interop' } } });
    const [known, other] = ['A', 'B'].map((letter) => letter.repeat(43));
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const { jwk } = await clientKey(known);
    const grant_types = ['authorization_code', grant_type];
    await harness.patch('/clients/demo-app', { jwks: { keys: [jwk] }, grant_types });
    const claims = { iss: 'demo-app', client_id: 'demo-app' };
    const assertion = await signAssertion(await clientKey(other), claims);
    await harness.token({ ...CREDENTIALS, grant_type, assertion });
    await call(harness.url(), 'GET', `/authorize?client_id=demo-app&request=${assertion}`);
    const causes = (await harness.list<ExchangeSummary>('/exchanges')).map(({ cause }) => cause);
    const cause = `signed by key ${other}, registered: ${known}`;
    expect(causes).toEqual([cause, cause]);
  });
});

describe('POST /requests sends over real HTTP and returns the exchange', () => {
  it('as given, to the token endpoint', async () => {
    const harness = await startHarness();
    const body = exchangeBody(await harness.code());
    const exchange = await harness.post<Exchange>('/requests', {
      method: 'POST',
      path: '/oauth/token?x=1',
      headers: { 'Content-Type': 'application/json', 'X-Custom': 'yes' },
      body,
      secrets: true,
    });
    expect(exchange).toMatchObject({ number: 1, status: 200, path: '/oauth/token?x=1' });
    expect(exchange.request.body).toBe(body);
    expect(exchange.request.headers).toEqual(
      expect.arrayContaining([
        ['Host', `localhost:${harness.engine.server().port}`],
        ['Content-Type', 'application/json'],
        ['X-Custom', 'yes'],
        ['Content-Length', String(body.length)],
      ]),
    );
    expect(JSON.parse(exchange.response.body)).toHaveProperty('access_token');
  });

  it('redacts like every other response', async () => {
    const harness = await startHarness();
    const code = await harness.code();
    const exchange = await harness.post<Exchange>('/requests', {
      path: '/oauth/token',
      headers: { 'Content-Type': 'application/json' },
      body: exchangeBody(code),
    });
    expect(JSON.stringify(exchange)).not.toContain(code);
    expect(exchange.response.body).toContain('"access_token":"[redacted]"');
  });

  it('with any method, repeated headers, Host and a body on GET', async () => {
    const harness = await startHarness();
    const exchange = await harness.post<Exchange>('/requests', {
      method: 'GET',
      path: '/nowhere',
      headers: [
        ['Host', 'other.example'],
        ['X-Twice', '1'],
        ['x-twice', '2'],
      ],
      body: 'payload',
    });
    expect(exchange).toMatchObject({ method: 'GET', status: 404 });
    expect(exchange.request.body).toBe('payload');
    expect(exchange.request.headers).toEqual(
      expect.arrayContaining([
        ['Host', 'other.example'],
        ['X-Twice', '1'],
        ['x-twice', '2'],
      ]),
    );
    for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const answer = await harness.post('/requests', { method, path: '/oauth/token' });
      expect(answer).toMatchObject({ method });
    }
  });

  it.each([true, false])(
    'finds its exchange among concurrent ones, whether responses contain its number (%s), without another marker',
    async (exchange_header) => {
      const harness = await startHarness();
      await harness.patch('/settings', { exchange_header });
      const paths = Array.from({ length: 10 }, (_, index) => `/nowhere-${index}`);
      const exchanges = await Promise.all(
        paths.map((path) => harness.post<Exchange>('/requests', { path, secrets: true })),
      );
      expect(exchanges.map(({ path }) => path)).toEqual(paths);
      for (const { request, response } of exchanges) {
        const markers = [...request.headers, ...response.headers].filter(([name]) =>
          /^grantbench/i.test(name),
        );
        expect(markers).toHaveLength(exchange_header ? 1 : 0);
      }
    },
  );

  it.runIf(process.platform === 'linux')('wherever the token service listens', async () => {
    const harness = await startHarness({ engine: { host: '127.0.0.2' } });
    const exchange = await harness.post('/requests', { method: 'GET', path: '/livez' });
    expect(exchange).toMatchObject({ status: 200 });
  });

  it('is a conflict with a message while the token service is stopped', async () => {
    const harness = await startHarness({ start: false });
    const answer = await harness.api('POST', '/requests', { path: '/livez' });
    expectError(answer, 409, 'conflict', undefined, /not running/);
  });

  it.each([
    ['method', { method: 'get' }],
    ['method', { method: 'CONNECT' }],
    ['method', { method: 'BREW\r\n' }],
    ['path', { path: 'oauth/token' }],
    ['path', { path: 'http://evil.example/' }],
    ['path', { path: '/a b' }],
    ['path', { path: '/ä' }],
    ['path', { path: undefined }],
    ['headers.X-A', { headers: { 'X-A': 'a\r\nX-B: b' } }],
    ['headers', { headers: { 'X A': 'a' } }],
    ['headers.Content-Length', { headers: { 'Content-Length': '99' } }],
    ['headers.Transfer-Encoding', { headers: { 'Transfer-Encoding': 'chunked' } }],
    ['headers.Connection', { headers: [['Connection', 'upgrade']] }],
    ['body', { body: { a: 1 } }],
    ['to', { to: 'elsewhere' }],
  ])('refuses with 422 and %s: %j', async (field, members) => {
    const { api, get } = empty();
    const answer = await api('POST', '/requests', { path: '/livez', ...members });
    expectError(answer, 422, 'invalid', field);
    expect((await get<Page<ExchangeSummary>>('/exchanges')).items).toEqual([]);
  });
});
