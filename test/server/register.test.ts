// POST /register (RFC 7591): off, open or with an initial access token; accepted, ignored and rejected metadata.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { describeDeviation } from '../../src/core/checks/deviations.ts';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import { createEvaluation } from '../../src/core/checks/trace.ts';
import { clientSchema } from '../../src/core/records/schemas.ts';
import { clientKey } from '../support/assertion.ts';
import { checkOf } from '../support/core.ts';
import {
  type Answered,
  answeredBy,
  NOW,
  postForm,
  sharedHttpService,
} from '../support/http-service.ts';

const REDIRECT = 'https://app.example/callback';
const LOOPBACK_KEYS =
  'jwks_uri must be an http or https URL of localhost, 127.0.0.1 or [::1], without a fragment; use jwks for keys elsewhere';
const WRONG_TOKEN =
  'Bearer realm="grantbench", error="invalid_token", error_description="the initial access token is not valid"';

const http = await sharedHttpService({ registration: { mode: 'open' } });

const send = async (init: RequestInit): Promise<Answered> =>
  answeredBy(await fetch(`${http.url}/register`, { method: 'POST', ...init }));

const register = (
  metadata: unknown = { redirect_uris: [REDIRECT] },
  headers: Record<string, string> = {},
) =>
  send({
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  });

const clients = () => http.service.registry.clients.list().length;
/** Expects a refusal of the metadata. */
const expectRejected = ({ status, body }: Answered, error: string, error_description: string) => {
  expect([status, body]).toEqual([400, { error, error_description }]);
};

const evaluation = () => http.newest()?.evaluation ?? createEvaluation(0);
const notes = () => evaluation().deviations.map((one) => describeDeviation(one).text);

describe('a successful registration', () => {
  it('RFC 7591 3.2.1, RFC 7592 3: is 201 with identifier, secret, times and all registered metadata', async () => {
    const answer = await register();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      client_id: expect.stringMatching(/^[\w-]{20}$/) as string,
      client_secret: expect.stringMatching(/^[\w-]{43}$/) as string,
      client_id_issued_at: NOW / 1000,
      client_secret_expires_at: 0,
      application_type: 'web',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: expect.stringMatching(
        /^openid profile email address phone offline_access\b/,
      ) as string,
      id_token_signed_response_alg: 'ES256',
      registration_access_token: expect.stringMatching(/^[\w-]{43}$/) as string,
      registration_client_uri: `${http.url}/register/${String(answer.body['client_id'])}`,
    });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('RFC 7591 2: returns each supported member as sent', async () => {
    const { jwk } = await clientKey();
    const metadata = {
      client_name: 'Käthe’s app',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/cb', 'com.example.app:/cb'],
      post_logout_redirect_uris: ['https://app.example/bye'],
      grant_types: ['authorization_code', 'client_credentials'],
      response_types: ['code'],
      default_max_age: 3600,
      require_auth_time: true,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [jwk], remark: 'members beside keys are ignored' },
    };
    const answer = await register(metadata);
    expect(answer.body).toMatchObject({ ...metadata, jwks: { keys: [jwk] } });
    expect(answer.body).not.toHaveProperty('client_secret');
    expect(answer.body).not.toHaveProperty('client_secret_expires_at');
  });

  it('RFC 7591 3.2.1: gives a public client no secret', async () => {
    const answer = await register({
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
    });
    expect(answer.body).not.toHaveProperty('client_secret');
    expect(http.service.registry.clients.get(String(answer.body['client_id']))).toMatchObject({
      client_secret: null,
      token_endpoint_auth_method: 'none',
    });
  });

  it('RFC 7591 2: takes a JWK Set without keys as none, except for a method that needs keys', async () => {
    const metadata = { redirect_uris: [REDIRECT], jwks: { keys: [] } };
    const answer = await register(metadata);
    expect(answer.status).toBe(201);
    expect(answer.body).not.toHaveProperty('jwks');
    const method = { token_endpoint_auth_method: 'private_key_jwt' };
    expectRejected(
      await register({ ...metadata, ...method }),
      'invalid_client_metadata',
      'jwks is required with token_endpoint_auth_method private_key_jwt, unless jwks_uri is set',
    );
  });

  it('RFC 7591 2: takes members that are empty as absent', async () => {
    const empty = {
      client_name: '',
      post_logout_redirect_uris: [],
      response_types: [],
      scope: '',
      contacts: [],
      jwks: null,
    };
    const { status } = await register({ redirect_uris: [REDIRECT], ...empty });
    expect(status).toBe(201);
  });

  it('RFC 7591 2.1, behaviour 7.23: response types follow from the grants, or are a part of those', async () => {
    const grant_types = ['authorization_code', 'implicit'];
    const all = await register({ redirect_uris: [REDIRECT], grant_types });
    expect(all.body['response_types']).toEqual(['code', 'code id_token', 'id_token']);
    expect(notes()).toEqual([
      'Only the interop profile sends an ID token from the authorization endpoint: such requests are rejected.',
    ]);
    const response_types = ['id_token code', 'code'];
    const some = await register({ redirect_uris: [REDIRECT], grant_types, response_types });
    expect(some.body['response_types']).toEqual(['code', 'code id_token']);
    const alone = await register({ redirect_uris: [REDIRECT], grant_types: ['implicit'] });
    expect(alone.body['response_types']).toEqual(['id_token']);
    const without = await register({ redirect_uris: [], grant_types: ['implicit'] });
    expect(without.body['error']).toBe('invalid_redirect_uri');
  });

  it('RFC 7591 2: gives a client without redirect URIs no response type', async () => {
    const answer = await register({ grant_types: ['client_credentials'] });
    expect(answer.body).toMatchObject({ redirect_uris: [], response_types: [] });
  });

  it('RFC 7591 1: makes the client known to the service and to viewers immediately', async () => {
    http.events.length = 0;
    const { body } = await register({ grant_types: ['client_credentials'] });
    expect(http.events).toContainEqual({ type: 'registry', list: 'clients' });
    const parameters = {
      grant_type: 'client_credentials',
      client_id: String(body['client_id']),
      client_secret: String(body['client_secret']),
    };
    expect((await postForm(http.url, parameters)).status).toBe(200);
  });

  it('behaviour 3: has every check in its trace, in the order of evaluation', async () => {
    await register();
    const { endpoint, client_id, profile } = evaluation();
    expect([endpoint, typeof client_id, profile]).toEqual(['register', 'string', 'documented']);
    expect(describeChecks(evaluation(), false).map(({ id, verdict }) => [id, verdict])).toEqual(
      ['method', 'content_type', 'body', 'authorization_header', 'metadata', 'capacity'].map(
        (id) => [id, 'passed'],
      ),
    );
  });
});

describe('metadata that is ignored or adjusted', () => {
  it('RFC 7591 2: unknown metadata is ignored and noted, without unknown names', async () => {
    const answer = await register({
      redirect_uris: [REDIRECT],
      logo_uri: 'https://app.example/logo.png',
      scope: 'openid',
      'client_name#de': 'App',
      hunter2: true,
    });
    expect(answer.status).toBe(201);
    for (const name of ['logo_uri', 'client_name#de', 'hunter2']) {
      expect(answer.body).not.toHaveProperty(name);
    }
    expect(notes()).toEqual(['Unsupported client metadata was ignored: logo_uri, another member.']);
  });

  it('behaviour 1, 7.15: members that only the workspace sets are ignored and noted', async () => {
    const ours = {
      client_id: 'demo-app',
      client_secret: 'mine',
      claims: { admin: true },
      profile: 'interop',
      default_audience: 'https://orders.example/api',
      access_token_expires_in: 315_360_000,
      refresh_token_expires_in: 1,
      access_token_format: 'opaque',
      throttle: { limit: 1_000_000, window_seconds: 1 },
    };
    const { body } = await register({ redirect_uris: [REDIRECT], ...ours });
    const record = http.service.registry.clients.get(String(body['client_id']));
    const { client_id, client_secret, registration_access_token } = record ?? {};
    const generated = { client_id, client_secret, registration_access_token };
    expect(record).toEqual(clientSchema.parse({ ...generated, redirect_uris: [REDIRECT] }));
    expect(client_id).not.toBe('demo-app');
    expect(client_secret).not.toBe('mine');
    expect(notes()[0]).toContain(Object.keys(ours).join(', '));
  });

  it('RFC 7591 2: a null member counts as absent', async () => {
    const nulls = { client_name: null, grant_types: null, jwks: null, jwks_uri: null };
    const answer = await register({ redirect_uris: [REDIRECT], response_types: null, ...nulls });
    expect(answer.status).toBe(201);
    expect(notes()).toEqual([]);
  });

  it.each(['none', 'client_secret_basic'])(
    'behaviour 1, 7.15: the response and a note warn that the profile does not accept %s, and name one that does',
    async (token_endpoint_auth_method) => {
      const metadata = { redirect_uris: [REDIRECT], token_endpoint_auth_method };
      const refused = await register(metadata);
      expect(refused.status).toBe(201);
      expect(refused.body['grantbench_warnings']).toEqual(notes());
      expect(notes()).toEqual([
        `The active profile does not accept ${token_endpoint_auth_method}: requests that authenticate this way are rejected. Register client_secret_post, or use the interop profile.`,
      ]);
      http.configure({ profile: 'interop' });
      expect((await register(metadata)).body).not.toHaveProperty('grantbench_warnings');
      expect(notes()).toEqual([]);
    },
  );

  it('behaviour 7.15: the response warns that a public client cannot use client_credentials in any profile', async () => {
    http.configure({ profile: 'interop' });
    const { body } = await register({
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'none',
    });
    expect(body['grantbench_warnings']).toEqual([
      'A client without a secret or key may not use client_credentials: such requests are rejected in every profile.',
    ]);
  });

  it('behaviour 1.13: the response warns that strict does not accept the password grant', async () => {
    const metadata = { grant_types: ['password'] };
    expect((await register(metadata)).body).not.toHaveProperty('grantbench_warnings');
    http.configure({ profile: 'strict' });
    expect((await register(metadata)).body['grantbench_warnings']).toEqual([
      'The active profile does not accept the password grant: such requests are rejected.',
    ]);
  });

  it('behaviour 7.15, RFC 7591 3.2.1: the response has the requested scopes that are defined, or else all scopes', async () => {
    http.service.registry.audiences.put({
      uri: 'https://orders.example/api',
      name: 'Orders',
      scopes: ['orders:read', 'orders:write'],
    });
    const scopeOf = async (scope?: unknown) =>
      (await register({ redirect_uris: [REDIRECT], scope })).body['scope'];
    const all = 'openid profile email address phone offline_access orders:read orders:write';
    expect(await scopeOf()).toBe(all);
    expect(await scopeOf(null)).toBe(all);
    expect(await scopeOf('openid orders:read')).toBe('openid orders:read');
    expect(notes()).toEqual([]);
    expect(await scopeOf('openid made:up')).toBe('openid');
    expect(notes()).toEqual(['Scopes that no audience defines were omitted: made:up.']);
  });

  it.each([[7], ['a "b"'], [['openid']]])(
    'RFC 7591 3.2.2: the scope %j is invalid_client_metadata, and nothing is registered',
    async (scope) => {
      const before = clients();
      const answer = await register({ redirect_uris: [REDIRECT], scope });
      const description = 'scope must be scope tokens separated by single spaces';
      expectRejected(answer, 'invalid_client_metadata', description);
      expect(clients()).toBe(before);
    },
  );
});

describe('behaviour 7.29: a client that registered itself', () => {
  const METADATA = { redirect_uris: [REDIRECT], client_name: 'First' };
  const registered = async (metadata: object = METADATA) => {
    const { body } = await register(metadata);
    const { client_id, client_secret, registration_access_token, registration_client_uri } =
      body as Record<string, string>;
    const uri = registration_client_uri ?? '';
    const ask = async (method: string, metadata?: unknown, token = registration_access_token) => {
      const headers = {
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        ...(metadata === undefined ? {} : { 'Content-Type': 'application/json' }),
      };
      const given = metadata === undefined ? {} : { body: JSON.stringify(metadata) };
      return answeredBy(await fetch(uri, { method, headers, ...given }));
    };
    return { client_id: client_id ?? '', client_secret: client_secret ?? '', ask, body };
  };
  const recordOf = (client_id: string) => http.service.registry.clients.get(client_id);

  it('RFC 7592 2.1: reads its registration', async () => {
    const { ask, body } = await registered();
    const answer = await ask('GET');
    const { client_id_issued_at: _issued, ...rest } = body;
    expect([answer.status, answer.body]).toEqual([200, rest]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await ask('HEAD')).status).toBe(200);
    const check = checkOf({ evaluation: evaluation() }, 'authorization_header');
    expect(check?.got).toBe('the registration access token');
  });

  it('RFC 7592 2.2: replaces it as a whole, and what the workspace decides stays', async () => {
    const { client_id, client_secret, ask } = await registered();
    const former = recordOf(client_id);
    if (former === undefined) throw new Error('it is not registered');
    http.service.registry.clients.put({ ...former, access_token_expires_in: 60 });
    const metadata = { client_id, redirect_uris: ['https://other.example/cb'], client_secret };
    const { status, body } = await ask('PUT', metadata);
    expect(status).toBe(200);
    expect(body).toMatchObject({ client_id, client_secret, redirect_uris: metadata.redirect_uris });
    expect(body).not.toHaveProperty('client_name');
    expect(recordOf(client_id)).toMatchObject({
      client_name: '',
      client_secret,
      redirect_uris: metadata.redirect_uris,
      access_token_expires_in: 60,
    });
    expect((await ask('GET')).status).toBe(200);
  });

  it('RFC 7592 2.2: loses its secret with a method without one, and gets a new one with another', async () => {
    const { client_id, client_secret, ask } = await registered();
    const metadata = { client_id, redirect_uris: [REDIRECT] };
    const none = await ask('PUT', { ...metadata, token_endpoint_auth_method: 'none' });
    expect(none.body).not.toHaveProperty('client_secret');
    expect(recordOf(client_id)?.client_secret).toBeNull();
    const again = await ask('PUT', metadata);
    expect(again.body['client_secret']).toMatch(/^[\w-]{43}$/);
    expect(again.body['client_secret']).not.toBe(client_secret);
  });

  it.each([
    [{}, 'client_id must be the client_id of the registration (RFC 7592 2.2)'],
    [{ client_id: 'other' }, 'client_id must be the client_id of the registration (RFC 7592 2.2)'],
    [
      { client_secret: 'chosen' },
      'client_secret must be the current one, or be omitted (RFC 7592 2.2)',
    ],
    [
      { registration_access_token: 'x' },
      'registration_access_token must be omitted (RFC 7592 2.2)',
    ],
    [{ client_id_issued_at: 1 }, 'client_id_issued_at must be omitted (RFC 7592 2.2)'],
    [{ redirect_uris: [] }, 'redirect_uris is required with the grant authorization_code'],
  ])('RFC 7592 2.2: cannot replace it with %j', async (members, description) => {
    const { client_id, ask } = await registered();
    const before = recordOf(client_id);
    const own = Object.keys(members).length === 0 ? {} : { client_id };
    const { status, body } = await ask('PUT', { redirect_uris: [REDIRECT], ...own, ...members });
    expect(status).toBe(400);
    expect(String(body['error_description'])).toContain(description);
    expect(recordOf(client_id)).toBe(before);
  });

  it('RFC 7592 2.3: deletes it, which ends its tokens', async () => {
    const { client_id, client_secret, ask } = await registered({
      grant_types: ['client_credentials'],
    });
    const parameters = { grant_type: 'client_credentials', client_id, client_secret };
    expect((await postForm(http.url, parameters)).status).toBe(200);
    const answer = await ask('DELETE');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(recordOf(client_id)).toBeUndefined();
    expect((await postForm(http.url, parameters)).status).toBe(401);
    expect((await ask('GET')).status).toBe(401);
  });

  it.each(['GET', 'PUT', 'DELETE'])(
    'RFC 7592 2: %s with another token, with none, or of another client is 401',
    async (method) => {
      const { client_id, ask } = await registered();
      const { body: other } = await register();
      const metadata = method === 'PUT' ? { client_id, redirect_uris: [REDIRECT] } : undefined;
      for (const token of ['x', '', String(other['registration_access_token'])]) {
        const answer = await ask(method, metadata, token);
        expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_token']);
        const challenge = answer.headers.get('www-authenticate');
        expect(challenge).toBe(
          token === ''
            ? 'Bearer realm="grantbench"'
            : 'Bearer realm="grantbench", error="invalid_token", error_description="the registration access token is not valid"',
        );
      }
      expect(recordOf(client_id)?.client_name).toBe('First');
    },
  );

  it('RFC 7592 2: nobody manages a client of the workspace, and an unknown one gets the same response', async () => {
    const at = async (path: string, method = 'GET') => {
      const headers = { Authorization: 'Bearer x' };
      const response = await fetch(`${http.url}/register/${path}`, { method, headers });
      return [response.status, (await response.json()) as object];
    };
    const refused = [
      401,
      { error: 'invalid_token', error_description: 'the registration access token is not valid' },
    ];
    for (const id of ['demo-app', 'nobody', '%ff']) expect(await at(id)).toEqual(refused);
    expect(describeCause(evaluation().refusal as never).detail).toContain('is not registered');
    expect((await at('a/b'))[0]).toBe(404);
    expect((await at('demo-app', 'POST'))[0]).toBe(405);
    http.configure({ registration: { mode: 'off' } });
    expect((await at('demo-app'))[0]).toBe(404);
  });
});

describe('behaviour 7.15: with https_redirect_uris', () => {
  beforeEach(() => {
    http.configure({ registration: { mode: 'open', https_redirect_uris: true } });
  });

  it.each([
    'https://app.example/cb',
    'http://localhost:3000/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:3000/cb',
    'com.example.app:/cb',
  ])('RFC 8252 7.3: %s is accepted', async (uri) => {
    expect((await register({ redirect_uris: [uri] })).status).toBe(201);
  });

  it.each(['http://app.example/cb', 'HTTP://app.example/cb', 'http://localhost.example/cb'])(
    'RFC 9700 2.6: %s is invalid_redirect_uri',
    async (uri) => {
      const answer = await register({ redirect_uris: [REDIRECT, uri] });
      const rule = 'must use https, or http with a loopback address (RFC 9700 2.6)';
      expectRejected(answer, 'invalid_redirect_uri', `redirect_uris[1] ${rule}`);
    },
  );
});

describe('invalid metadata', () => {
  it.each([
    [{}, 'redirect_uris is required with the grant authorization_code (RFC 7591 2)'],
    [
      { redirect_uris: [] },
      'redirect_uris is required with the grant authorization_code (RFC 7591 2)',
    ],
    [
      { redirect_uris: [`${REDIRECT}#x`], client_name: 7 },
      'redirect_uris[0] must not have a fragment (RFC 6749 3.1.2)',
    ],
    [
      { redirect_uris: ['https://hunter2.example/', 'https://hunter2.example/'] },
      'redirect_uris[1] repeats the redirect URI',
    ],
  ])('RFC 7591 3.2.2: %j is invalid_redirect_uri: %s', async (metadata, error_description) => {
    const before = clients();
    expectRejected(await register(metadata), 'invalid_redirect_uri', error_description);
    expect(clients()).toBe(before);
    expect(describeCause(evaluation().refusal as never).detail).toBe(error_description);
  });

  it.each<[object, string]>([
    [
      { response_types: ['code', 'token'] },
      'response_types must be an array that contains only code, code id_token, id_token',
    ],
    [
      { response_types: 'code' },
      'response_types must be an array that contains only code, code id_token, id_token',
    ],
    [
      { response_types: ['id_token'] },
      'response_types may contain id_token only with the grant_types implicit (RFC 7591 2.1)',
    ],
    [
      { response_types: ['code id_token'], grant_types: ['implicit'] },
      'response_types may contain code id_token only with the grant_types authorization_code and implicit (RFC 7591 2.1)',
    ],
    [{ jwks: {} }, 'jwks.keys is required'],
    [{ jwks_uri: 'https://keys.example/jwks' }, LOOPBACK_KEYS],
    [{ jwks_uri: 'http://localhost:1/#x' }, LOOPBACK_KEYS],
    [{ jwks_uri: 'http://localhost.example:1/' }, LOOPBACK_KEYS],
    [
      { jwks_uri: 'http://localhost:1/', jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'x' }] } },
      'jwks_uri must not be combined with jwks (RFC 7591 2)',
    ],
  ])('RFC 7591 3.2.2: %j is invalid_client_metadata: %s', async (metadata, description) => {
    const before = clients();
    const answer = await register({ redirect_uris: [REDIRECT], ...metadata });
    expectRejected(answer, 'invalid_client_metadata', description);
    expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(clients()).toBe(before);
  });

  it('a registration beyond 10,000 clients is invalid_request', async () => {
    const { clients: registered } = http.service.registry;
    const before = registered.list();
    onTestFinished(() => {
      registered.replaceAll(before);
    });
    const [first] = before;
    if (first === undefined) throw new Error('no client');
    registered.replaceAll(
      Array.from({ length: 10_000 }, (_, index) => ({ ...first, client_id: `c${index}` })),
    );
    const rule = 'no more than 10000 clients can be registered';
    expectRejected(await register(), 'invalid_request', rule);
    expect(describeChecks(evaluation(), false).at(-1)).toMatchObject({
      id: 'capacity',
      verdict: 'failed',
    });
  });
});

describe('invalid bodies', () => {
  it.each([
    ['', 'the request body must not be empty'],
    ['{', 'the request body must be well-formed JSON (RFC 8259)'],
    ['[]', 'the request body must be a JSON object'],
    ['null', 'the request body must be a JSON object'],
    ['{"client_name":"a","client\\u005fname":"b"}', /must not be repeated/],
    ['{"jwks":{"keys":[],"keys":[]}}', /must not be repeated/],
    ['['.repeat(30_000), 'the request body must be well-formed JSON (RFC 8259)'],
    [`{"jwks":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`, /well-formed JSON/],
  ])('behaviour 3: %s is invalid_request', async (text, description) => {
    const { status, body } = await register(text);
    expect([status, body['error']]).toEqual([400, 'invalid_request']);
    if (typeof description === 'string') expect(body['error_description']).toBe(description);
    else expect(body['error_description']).toMatch(description);
  });

  it('behaviour 3: bytes that are not UTF-8 are invalid_request', async () => {
    const answer = await send({
      headers: { 'Content-Type': 'application/json' },
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
    });
    expectRejected(answer, 'invalid_request', 'the request body must be valid UTF-8');
  });

  it('RFC 7591 3.1: a form is invalid_request', async () => {
    const answer = await send({ body: new URLSearchParams({ redirect_uris: REDIRECT }) });
    const rule = 'the Content-Type header must be application/json (RFC 7591 3.1)';
    expectRejected(answer, 'invalid_request', rule);
  });

  it('behaviour 3: another method is 405 with Allow', async () => {
    const answer = await fetch(`${http.url}/register`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('access to registration', () => {
  const metadataOf = async () =>
    (await fetch(`${http.url}/.well-known/oauth-authorization-server`)).json() as Promise<
      Record<string, unknown>
    >;

  it('behaviour 7.15, RFC 7591 3: is off by default: the path is 404, and the metadata omits the endpoint', async () => {
    http.configure({ registration: {} });
    const before = clients();
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const response = await fetch(`${http.url}/register`, { method });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        error: 'not_found',
        error_description:
          'dynamic client registration is switched off by the setting registration.mode',
      });
    }
    expect(clients()).toBe(before);
    expect(await metadataOf()).not.toHaveProperty('registration_endpoint');
  });

  it('RFC 8414 2: is listed in the metadata and on the landing page when enabled', async () => {
    expect((await metadataOf())['registration_endpoint']).toBe(`${http.url}/register`);
    const page = await fetch(http.url, { headers: { Accept: 'text/html' } });
    expect(await page.text()).toContain(`POST ${http.url}/register`);
  });

  const guarded = { registration: { mode: 'token', token: 'let-me-in' } };

  it('behaviour 7.15, RFC 7591 3: is granted with the initial access token', async () => {
    http.configure(guarded);
    for (const authorization of ['Bearer let-me-in', 'bearer  let-me-in ']) {
      expect((await register(undefined, { authorization })).status).toBe(201);
    }
  });

  it.each([
    [{}, 'Bearer realm="grantbench"'],
    [{ authorization: 'Bearer' }, 'Bearer realm="grantbench"'],
    [{ authorization: 'Basic bGV0LW1lLWlu' }, 'Bearer realm="grantbench"'],
    [{ authorization: 'Bearer wrong' }, WRONG_TOKEN],
    [{ authorization: 'Bearer Let-me-in' }, WRONG_TOKEN],
  ])(
    'RFC 6750 3: with %j in place of the token is 401 invalid_token with a challenge',
    async (headers, challenge) => {
      http.configure(guarded);
      const before = clients();
      const answer = await register(undefined, headers);
      expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_token']);
      expect(answer.headers.get('www-authenticate')).toBe(challenge);
      expect(clients()).toBe(before);
    },
  );

  it('RFC 7591 3: ignores a token when open', async () => {
    expect((await register(undefined, { authorization: 'Bearer x' })).status).toBe(201);
  });
});
