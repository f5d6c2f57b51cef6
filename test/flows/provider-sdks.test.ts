// Requests and expectations of provider SDKs that the standards leave open or contradict, over real HTTP.

import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../src/control/names.ts';
import { call, REDIRECT_URI } from '../support/harness.ts';
import {
  lastExchange,
  ORDERS,
  PASSWORD,
  post,
  postForm,
  type Started,
  startShaped,
  startWith,
  TENANT,
} from '../support/shaped.ts';

const basic = (credentials: string) => ({
  Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
});

/** Descriptions of providers may contain line breaks, which a header cannot (RFC 6750 3). */
const inHeader = (text: unknown) =>
  String(text)
    .replace(/[\r\n]+/g, ' ')
    .replaceAll('"', "'");

describe.each(PROVIDERS)('behaviour 3.4: the challenge with the shape of %s', (provider) => {
  it('contains the error and description of the body when client authentication fails, and at userinfo', async () => {
    const started = await startShaped(provider);
    for (const credentials of ['demo-app:wrong', 'nobody:wrong']) {
      const answer = await postForm(
        started,
        '/oauth/token',
        { grant_type: 'refresh_token', refresh_token: 'x' },
        basic(credentials),
      );
      const { error, error_description } = answer.body as Record<string, unknown>;
      expect(answer.headers['www-authenticate']).toBe(
        `Basic realm="grantbench", error="${String(error)}", error_description="${inHeader(error_description)}"`,
      );
    }
    const headers = { Authorization: 'Bearer unknown' };
    const answer = await call(started.origin, 'GET', '/userinfo', { headers });
    expect(answer.status).toBe(401);
    const { error, error_description } = answer.body as Record<string, unknown>;
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer realm="grantbench", error="${String(error)}", error_description="${inHeader(error_description)}"`,
    );
  });
});

it("behaviour 3.4: a challenge omits characters of a shape's text that a header cannot contain", async () => {
  const body = { error: 'in"valid\\', error_description: 'Käthe said "no"\r\nX-Injected: yes' };
  const started = await startWith({
    settings: { profile: 'interop' },
    errors: [{ error: 'invalid_client', body }],
  });
  const form = { grant_type: 'refresh_token', refresh_token: 'x' };
  const answer = await postForm(started, '/oauth/token', form, basic('demo-app:wrong'));
  expect([answer.status, answer.body]).toEqual([401, body]);
  expect(answer.headers).not.toHaveProperty('x-injected');
  expect(answer.headers['www-authenticate']).toBe(
    `Basic realm="grantbench", error="in'valid'", error_description="K'the said 'no' X-Injected: yes"`,
  );
});

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

describe('behaviour 12.20: a client is registered with the provider’s name of a grant', () => {
  const named = ['device_code', DEVICE, 'refresh_token'];
  const standard = [DEVICE, 'refresh_token'];

  it('over HTTP, in the control API and in the workspace', async () => {
    const started = await startShaped(
      'entra',
      { registration: { mode: 'open' } },
      { grant_types: named },
    );
    const { harness, origin } = started;
    const grantsOf = async (id: string) =>
      (await harness.get<{ grant_types: string[] }>(`/clients/${id}`)).grant_types;
    expect(await grantsOf('demo-app')).toEqual(standard);
    const answer = await call(origin, 'POST', '/register', { body: { grant_types: named } });
    expect([answer.status, answer.body]).toMatchObject([201, { grant_types: standard }]);
    await harness.post('/clients', { client_id: 'created', grant_types: named });
    expect(await grantsOf('created')).toEqual(standard);
    await harness.patch('/clients/created', { grant_types: ['device_code'] });
    expect(await grantsOf('created')).toEqual([DEVICE]);
  });

  it('and the name is refused where the shape has no such name', async () => {
    const started = await startShaped('okta', { registration: { mode: 'open' } });
    const body = { grant_types: ['device_code'] };
    const answer = await call(started.origin, 'POST', '/register', { body });
    expect([answer.status, answer.body]).toMatchObject([400, { error: 'invalid_client_metadata' }]);
  });
});

const BASE = '/realms/sandbox/protocol/openid-connect';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const TYPE = (name: string) => `urn:ietf:params:oauth:token-type:${name}`;

interface Minted {
  readonly access_token: string;
  readonly refresh_token: string;
}

const mint = ({ harness }: Started, order: object = {}) =>
  harness.post<Minted>('/tokens', { client_id: 'demo-app', ...order });

const deviations = async (started: Started) =>
  (await lastExchange(started)).deviation_notes.map(({ id }) => id);

describe('Auth0', () => {
  const client = { grant_types: ['password', 'authorization_code'] };
  const REALM = {
    grant_type: 'http://auth0.com/oauth/grant-type/password-realm',
    realm: 'employees',
    username: 'ada',
    password: PASSWORD,
  };

  it('behaviour 12.20: the password-realm grant is the password grant, in JSON too, and the metadata lists it', async () => {
    const started = await startShaped('auth0', {}, client);
    const metadata = await call(started.origin, 'GET', '/.well-known/openid-configuration');
    expect((metadata.body as Record<string, unknown>)['grant_types_supported']).toContain(
      REALM.grant_type,
    );
    expect((await post(started, '/oauth/token', REALM)).status).toBe(200);
    const { trace, deviation_notes } = await lastExchange(started);
    expect(trace.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
    expect(deviation_notes.find(({ id }) => id === 'shape_applied')?.text).toContain(
      `password under the name ${REALM.grant_type}`,
    );
    const wrong = await post(started, '/oauth/token', { ...REALM, password: 'wrong' });
    expect([wrong.status, wrong.body]).toEqual([
      403,
      { error: 'invalid_grant', error_description: 'Wrong email or password.' },
    ]);
  });

  it('behaviour 12.20: without the shape, the name is no grant', async () => {
    const started = await startWith({ settings: { profile: 'interop' } }, '', {}, client);
    const answer = await post(started, '/oauth/token', REALM);
    expect(answer.body).toMatchObject({ error: 'unsupported_grant_type' });
  });

  it('behaviour 12.21: userinfo takes the token in the query, notes it, and shows it nowhere', async () => {
    const started = await startShaped('auth0');
    const { access_token } = await mint(started, { scope: 'openid' });
    const answer = await call(started.origin, 'GET', `/userinfo?access_token=${access_token}`);
    expect([answer.status, answer.body]).toMatchObject([200, { sub: 'ada' }]);
    expect(await deviations(started)).toContain('access_token_in_query');
    expect(await deviations(started)).not.toContain('query_credentials');
    expect(JSON.stringify(await lastExchange(started))).not.toContain(access_token);
    const headers = { Authorization: `Bearer ${access_token}` };
    const path = `/userinfo?access_token=${access_token}`;
    expect((await call(started.origin, 'GET', path, { headers })).status).toBe(400);
    expect((await call(started.origin, 'GET', '/userinfo?access_token=x')).status).toBe(401);
  });

  it('behaviour 12.21: strict refuses the token in the query all the same, and other shapes ignore it', async () => {
    const strict = await startShaped('auth0', { profile: 'strict' });
    const { access_token } = await mint(strict, { scope: 'openid' });
    const path = `/userinfo?access_token=${access_token}`;
    expect((await call(strict.origin, 'GET', path)).status).toBe(400);
    const other = await startShaped('okta');
    const token = (await mint(other, { scope: 'openid' })).access_token;
    expect((await call(other.origin, 'GET', `/userinfo?access_token=${token}`)).status).toBe(401);
  });
});

describe('Okta', () => {
  const PUBLIC = { client_secret: null, token_endpoint_auth_method: 'none' };
  const REVOKE = '/oauth2/default/v1/revoke';

  it('behaviour 12.21: revocation takes HTTP Basic with the client_id alone, as sign-out sends it', async () => {
    const started = await startShaped('okta', {}, PUBLIC);
    const { access_token } = await mint(started, { scope: 'openid' });
    const form = { token: access_token, token_type_hint: 'access_token' };
    expect((await postForm(started, REVOKE, form, basic('demo-app'))).status).toBe(200);
    expect(await deviations(started)).toContain('basic_client_id_alone');
    const headers = { Authorization: `Bearer ${access_token}` };
    expect((await call(started.origin, 'GET', '/userinfo', { headers })).status).toBe(401);
  });

  it('behaviour 12.21: it proves nothing: a client with a secret still needs it, and an unknown one is refused', async () => {
    const started = await startShaped('okta');
    for (const id of ['demo-app', 'nobody']) {
      const answer = await postForm(started, REVOKE, { token: 'x' }, basic(id));
      expect([answer.status, answer.body]).toMatchObject([401, { error: 'invalid_client' }]);
    }
  });

  it('behaviour 12.21: the other shapes refuse it', async () => {
    const started = await startShaped('keycloak', {}, PUBLIC);
    const answer = await postForm(started, '/oauth/revoke', { token: 'x' }, basic('demo-app'));
    expect(answer.status).toBe(401);
  });
});

describe('Keycloak', () => {
  const both = { client_id: 'demo-app', client_secret: 'demo-secret' };
  const introspect = (started: Started, path: string, fields: object, credentials: string) =>
    postForm(started, path, { token: 'x', ...fields }, basic(credentials));

  it('behaviour 12.21: introspection takes the same credentials in header and body', async () => {
    const started = await startShaped('keycloak');
    const path = `${BASE}/token/introspect`;
    const answer = await introspect(started, path, both, 'demo-app:demo-secret');
    expect([answer.status, answer.body]).toEqual([200, { active: false }]);
    expect(await deviations(started)).toContain('credentials_twice');
    for (const fields of [
      { ...both, client_secret: 'other' },
      { ...both, client_id: 'other' },
      { ...both, client_assertion: 'x' },
    ]) {
      const refused = await introspect(started, path, fields, 'demo-app:demo-secret');
      expect([refused.status, refused.body]).toMatchObject([400, { error: 'invalid_request' }]);
    }
    expect((await introspect(started, path, both, 'demo-app:wrong')).status).toBe(400);
  });

  const get = (started: Started, path: string, headers: Record<string, string> = {}) =>
    call(started.origin, 'GET', `${BASE}${path}`, { headers });

  it('behaviour 12.22: the second step says whether the cookie of the first one was sent', async () => {
    const started = await startShaped('keycloak');
    const first = await get(started, '/3p-cookies/step1.html');
    expect([first.status, first.headers['location']]).toEqual([302, 'step2.html']);
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    expect(cookie).toBe(`grantbench_embedded_${new URL(started.origin).port}=yes`);
    const blocked = await get(started, '/3p-cookies/step2.html');
    expect(blocked.text).toContain('data-word="unsupported"');
    const second = await get(started, '/3p-cookies/step2.html', { Cookie: cookie });
    expect(second.text).toContain('data-word="supported"');
    expect(second.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'nonce-([\w-]+)'; script-src 'nonce-\1'; base-uri 'none'; frame-ancestors \*$/,
    );
  });

  it('behaviour 12.22: the status page responds to origins of redirect URIs only', async () => {
    const started = await startShaped('keycloak');
    const status = '/login-status-iframe.html';
    const page = await get(started, status);
    expect(page.status).toBe(200);
    expect(String(page.headers['set-cookie'])).toMatch(
      /^grantbench_signed_in_\d+=yes; .*Max-Age=0$/,
    );
    expect(page.headers['content-security-policy']).toContain("connect-src 'self';");
    const { origin } = new URL(REDIRECT_URI);
    for (const [client_id, from, expected] of [
      ['demo-app', origin, 204],
      ['demo-app', 'https://evil.example', 403],
      ['demo-app', 'null', 403],
      ['nobody', origin, 403],
    ] as const) {
      const query = String(new URLSearchParams({ client_id, origin: from }));
      expect((await get(started, `${status}/init?${query}`)).status).toBe(expected);
    }
    expect((await get(started, `${status}/init`)).status).toBe(403);
  });

  it('behaviour 12.22: each realm has the frames, and no other path or shape', async () => {
    const shape = { provider: 'keycloak', parameters: { realm: ['one', 'two'] } };
    const started = await startWith(shape, '/realms/one');
    const at = async (path: string, { origin } = started) =>
      (await call(origin, 'GET', path)).status;
    const end = '/protocol/openid-connect/3p-cookies/step2.html';
    for (const realm of ['one', 'two']) expect(await at(`/realms/${realm}${end}`)).toBe(200);
    for (const path of [`/realms/three${end}`, end, '/3p-cookies/step2.html']) {
      expect(await at(path)).toBe(404);
    }
    expect(await at(`${BASE}/3p-cookies/step2.html`, await startShaped('okta'))).toBe(404);
  });

  it('behaviour 12.21: the other shapes refuse two authentication methods', async () => {
    const started = await startShaped('okta');
    const path = '/oauth2/default/v1/introspect';
    expect((await introspect(started, path, both, 'demo-app:demo-secret')).status).toBe(400);
  });
});

describe('Entra ID', () => {
  const TOKEN = `/${TENANT}/oauth2/v2.0/token`;
  const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const open = async (started: Started) => {
    const path = `/${TENANT}/oauth2/v2.0/devicecode`;
    const { body } = await post(started, path, { scope: 'openid' });
    return body as Record<string, string>;
  };
  const poll = (started: Started, device_code = '') =>
    post(started, TOKEN, { grant_type: 'device_code', device_code });

  it('behaviour 12.5: a device is told a message, and no verification_uri_complete', async () => {
    const started = await startShaped('entra');
    const device = await open(started);
    expect(device).toEqual({
      device_code: expect.any(String) as string,
      user_code: expect.any(String) as string,
      verification_uri: `${started.origin}/device`,
      expires_in: expect.any(Number) as number,
      interval: 5,
      message: `To sign in, use a web browser to open the page ${started.origin}/device and enter the code ${device['user_code'] ?? ''} to authenticate.`,
    });
  });

  it('behaviour 12.20: a device polls under the name device_code', async () => {
    const started = await startShaped('entra');
    const { device_code, user_code } = await open(started);
    for (const error_codes of [[70_016], [70_016]]) {
      const { status, body } = await poll(started, device_code);
      expect([status, body]).toMatchObject([400, { error: 'authorization_pending', error_codes }]);
    }
    const items = await started.harness.list<{ id: string; user_code: string }>('/devices');
    const { id = '' } = items.find((one) => one.user_code === user_code) ?? {};
    await started.harness.post(`/devices/${id}/approve`, { sub: 'ada' });
    expect((await poll(started, device_code)).body).toMatchObject({ token_type: 'Bearer' });
    expect((await poll(started, 'unknown')).body).toMatchObject({
      error: 'bad_verification_code',
      error_codes: [70_018],
    });
    const standard = await post(started, TOKEN, { grant_type: DEVICE, device_code: 'unknown' });
    expect(standard.body).toMatchObject({ error_codes: [70_018] });
  });

  it('behaviour 12.8: each error has error_codes, whatever the path and the cause', async () => {
    const started = await startShaped('entra');
    const { origin } = started;
    const answers = [
      await call(origin, 'GET', '/nowhere'),
      await call(origin, 'DELETE', TOKEN),
      await call(origin, 'GET', '/oidc/userinfo'),
      await post(started, TOKEN, {}),
      await post(started, TOKEN, { grant_type: 'none' }),
      await post(started, TOKEN, { grant_type: 'client_credentials' }),
      await post(started, `/${TENANT}/oauth2/v2.0/devicecode`, { audience: 'https://no.example' }),
    ];
    const codes = answers.map(({ body }) => (body as Record<string, unknown>)['error_codes']);
    expect(codes).toEqual([
      [90_023],
      [900_561],
      [50_027],
      [900_144],
      [70_003],
      [70_001],
      [500_011],
    ]);
  });

  const OBO = { grant_type: JWT_BEARER, requested_token_use: 'on_behalf_of', audience: ORDERS };
  const API = {
    client_id: 'demo-app',
    grant_types: [JWT_BEARER, 'refresh_token'],
  };
  const startApi = async () => {
    const started = await startShaped('entra', {}, API);
    const { harness } = started;
    await harness.post('/audiences', { uri: 'api://demo-app', scopes: ['read'] });
    await harness.post('/audiences', { uri: 'api://spa', scopes: [] });
    await harness.post('/clients', { client_id: 'spa', client_secret: 'spa-secret' });
    return started;
  };

  it('behaviour 12.21: an API asks on behalf of the user with the token that it received', async () => {
    const started = await startApi();
    const order = { client_id: 'spa', audience: 'api://demo-app', access_token_expires_in: 60 };
    const { access_token: assertion } = await mint(started, order);
    const answer = await post(started, TOKEN, { ...OBO, assertion, scope: 'orders:read openid' });
    const body = answer.body as Record<string, string>;
    expect([answer.status, body]).toMatchObject([200, { token_type: 'Bearer', expires_in: 60 }]);
    expect(decodeJwt(body['access_token'] ?? '')).toMatchObject({
      sub: 'ada',
      aud: ORDERS,
      azp: 'demo-app',
      scp: 'orders:read openid',
    });
    expect(body).toHaveProperty('refresh_token');
    expect(body).toHaveProperty('id_token');
    const { trace } = await lastExchange(started);
    expect(trace.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  });

  it('behaviour 12.21: a token for another API, expired or unknown is invalid_grant with its number', async () => {
    const started = await startApi();
    const { harness } = started;
    const of = async (order: object) => (await mint(started, order)).access_token;
    const short = await of({ audience: 'api://demo-app', access_token_expires_in: 1 });
    const { clock } = harness.engine.service.ports;
    clock.set(clock.now() + 2000);
    const cases: [string, number][] = [
      [await of({ audience: 'api://spa' }), 500_131],
      [short, 500_133],
      ['not a token', 50_013],
    ];
    for (const [assertion, code] of cases) {
      const { status, body } = await post(started, TOKEN, { ...OBO, assertion });
      const expected = { error: 'invalid_grant', error_codes: [code] };
      expect([status, body]).toMatchObject([400, expected]);
    }
  });
});

describe('behaviour 7.19: token exchange', () => {
  const client = { grant_types: [EXCHANGE, 'authorization_code', 'refresh_token'] };
  const start = async () => {
    const started = await startShaped('keycloak', {}, client);
    await started.harness.post('/audiences', { uri: 'stock-service', scopes: ['stock'] });
    return started;
  };
  const exchange = (started: Started, fields: Record<string, string>) =>
    post(started, `${BASE}/token`, { grant_type: EXCHANGE, ...fields });

  it('takes a JWT of any kind as one, and issues a JWT under the type that was asked for', async () => {
    const started = await start();
    const { access_token: subject_token } = await mint(started, { scope: 'openid' });
    const types = { subject_token_type: TYPE('jwt'), requested_token_type: TYPE('jwt') };
    const answer = await exchange(started, { subject_token, ...types });
    expect([answer.status, answer.body]).toMatchObject([200, { issued_token_type: TYPE('jwt') }]);
    const fields = { subject_token_type: TYPE('jwt') };
    for (const wrong of ['x', 'a.b.c', `${subject_token}x`]) {
      const refused = await exchange(started, { subject_token: wrong, ...fields });
      expect([refused.status, refused.body]).toMatchObject([400, { error: 'invalid_request' }]);
    }
  });

  it('issues no JWT where access tokens are opaque', async () => {
    const started = await startShaped('keycloak', { access_token_format: 'opaque' }, client);
    const { access_token: subject_token } = await mint(started);
    const fields = { subject_token, subject_token_type: TYPE('access_token') };
    const answer = await exchange(started, { ...fields, requested_token_type: TYPE('jwt') });
    expect([answer.status, answer.body]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  it('issues for an audience that is a name and no URL, which is no resource', async () => {
    const started = await start();
    const { access_token: subject_token } = await mint(started);
    const fields = { subject_token, subject_token_type: TYPE('access_token') };
    const answer = await exchange(started, { ...fields, audience: 'stock-service' });
    const { access_token = '' } = answer.body as Partial<Minted>;
    expect(decodeJwt(access_token)).toMatchObject({ aud: 'stock-service' });
    const refused = await exchange(started, { ...fields, resource: 'stock-service' });
    expect([refused.status, refused.body]).toMatchObject([400, { error: 'invalid_target' }]);
  });
});
