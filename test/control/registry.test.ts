// docs/reference/control-api.md over REST: the registry of clients, users and audiences.

import { afterEach, describe, expect, it } from 'vitest';
import { clientKey, signingClient } from '../support/assertion.ts';
import { authorizePath } from '../support/form-calls.ts';
import { call, expectError, ORDERS, startHarness, type Page } from '../support/harness.ts';
import { createLoopbackServers } from '../support/loopback-servers.ts';
import { createPerson } from '../support/person.ts';
import { shareHarness } from '../support/shared-harness.ts';

const DEMO = {
  client_id: 'demo-app',
  client_secret: 'demo-secret',
  client_name: 'Demo application',
  application_type: 'web',
  redirect_uris: ['http://localhost:3000/callback'],
  post_logout_redirect_uris: [],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'client_secret_post',
  require_pushed_authorization_requests: false,
  dpop_bound_access_tokens: false,
  jwks: null,
  default_audience: null,
  profile: null,
  access_token_expires_in: null,
  refresh_token_expires_in: null,
  access_token_format: null,
  default_max_age: null,
  require_auth_time: false,
  throttle: null,
  claims: {},
  claims_in_id_token: false,
};

const shared = shareHarness();

describe('a list is {items, next}, newest first', () => {
  it('has one record after the start and no next page', async () => {
    const { get } = shared();
    expect(await get('/clients')).toEqual({ items: [DEMO], next: null });
  });

  it.each([
    ['/clients', 'client_id'],
    ['/users', 'sub'],
    ['/audiences', 'uri'],
  ] as const)('%s: has a record at the position at which it was added', async (path, key) => {
    const harness = await startHarness({ workspace: { clients: [], users: [], audiences: [] } });
    const named = (name: string) => (key === 'uri' ? `https://${name}.example` : name);
    const add = (name: string, more: object = {}) =>
      harness.post(path, { [key]: named(name), ...more });
    for (const name of ['a', 'b', 'c']) await add(name);
    const listed = async () =>
      (await harness.get<{ items: Record<string, string>[] }>(path)).items.map((one) => one[key]);
    await harness.api('DELETE', `${path}/${encodeURIComponent(named('a'))}`);
    await add('a', { position: 0 });
    expect(await listed()).toEqual(['c', 'b', 'a'].map(named));
    await add('d', { position: 2 });
    expect(await listed()).toEqual(['c', 'd', 'b', 'a'].map(named));
    await add('e', { position: 100 });
    expect((await listed())[0]).toBe(named('e'));
    const answer = await harness.api('POST', path, { [key]: named('f'), position: -1 });
    expectError(answer, 422, 'invalid', 'position');
  });

  it('is paged with ?limit= and the former response’s next as ?after=', async () => {
    const { get, post } = await startHarness();
    for (const sub of ['bea', 'cyd', 'dot']) await post('/users', { sub });
    const first = await get<Page<Record<string, unknown>>>('/users?limit=2');
    expect(first.items.map(({ sub }) => sub)).toEqual(['dot', 'cyd']);
    const second = await get<Page<Record<string, unknown>>>(`/users?limit=2&after=${first.next}`);
    expect(second.items.map(({ sub }) => sub)).toEqual(['bea', 'ada']);
    expect(second.next).toBeNull();
  });

  it('has 100 records in a page by default, and at most 1,000', async () => {
    const users = Array.from({ length: 101 }, (_, index) => ({ sub: `user-${index}` }));
    const { get, api } = await startHarness({ workspace: { users } });
    const { items, next } = await get<Page<Record<string, unknown>>>('/users');
    expect(items).toHaveLength(100);
    expect(next).not.toBeNull();
    expect((await get<Page<Record<string, unknown>>>('/users?limit=1000')).items).toHaveLength(101);
    expectError(await api('GET', '/users?limit=1001'), 422, 'invalid', 'limit', /at most 1000/);
    expectError(await api('GET', '/users?limit=0'), 422, 'invalid', 'limit', /at least 1/);
    expectError(await api('GET', '/users?limit=ten'), 422, 'invalid', 'limit');
  });

  it('rejects an unknown ?after=', async () => {
    const { api } = shared();
    expectError(await api('GET', '/clients?after=nowhere'), 422, 'invalid', 'after');
  });
});

describe('a new client', () => {
  it('defaults to both grants, client_secret_post, a generated secret, default_audience null', async () => {
    const { post, get } = await startHarness();
    const client = await post('/clients', {});
    expect(client).toEqual({
      ...DEMO,
      client_id: expect.stringMatching(/^[\w-]{20}$/) as string,
      client_secret: expect.stringMatching(/^[\w-]{43}$/) as string,
      client_name: '',
      redirect_uris: [],
    });
    expect(await get(`/clients/${String(client['client_id'])}`)).toEqual(client);
  });

  it('keeps given values', async () => {
    const { post } = await startHarness();
    const given = {
      client_id: 'app',
      client_secret: 'a secret',
      client_name: 'App',
      application_type: 'native',
      redirect_uris: ['myapp:/cb', 'http://127.0.0.1/'],
      post_logout_redirect_uris: ['myapp:/bye'],
      grant_types: ['authorization_code', 'client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      jwks: { keys: [(await clientKey()).jwk] },
      default_audience: ORDERS,
      default_max_age: 600,
      require_auth_time: true,
      profile: 'strict',
      access_token_expires_in: 60,
      refresh_token_expires_in: 3600,
      access_token_format: 'opaque',
      throttle: { limit: 5, window_seconds: 10 },
      claims: { tier: { name: 'gold' } },
      claims_in_id_token: true,
    };
    expect(await post('/clients', given)).toEqual(given);
  });

  it('gets no secret when it signs assertions, or authenticates with none', async () => {
    const { post } = await startHarness();
    const { token_endpoint_auth_method, jwks } = signingClient(await clientKey());
    const client = await post('/clients', { token_endpoint_auth_method, jwks });
    expect(client).toMatchObject({ client_secret: null, jwks });
    const open = await post('/clients', { token_endpoint_auth_method: 'none' });
    expect(open['client_secret']).toBeNull();
  });

  it('is equal to others when it registered itself (RFC 7591)', async () => {
    const { url, get, patch } = await startHarness({
      workspace: { settings: { registration: { mode: 'token', token: 'let-me-in' } } },
    });
    const answer = await call(url(), 'POST', '/register', {
      body: { redirect_uris: ['https://app.example/cb'], client_name: 'Self-made' },
      headers: { authorization: 'Bearer let-me-in' },
    });
    const { client_id } = answer.body as { client_id: string };
    const { items } = await get<Page<Record<string, unknown>>>('/clients?limit=1');
    expect(items).toMatchObject([{ client_id, client_name: 'Self-made' }]);
    const changed = await patch(`/clients/${client_id}`, { profile: 'interop' });
    expect(changed).toMatchObject({ client_id, profile: 'interop' });
    const exchange = await get<{ response: { body: string } }>('/exchanges/1');
    expect(exchange).toMatchObject({ client_id, status: 201, path: '/register' });
    expect(JSON.parse(exchange.response.body)).toMatchObject({ client_secret: '[redacted]' });
    expect(JSON.stringify(exchange)).not.toContain('let-me-in');
  });

  it.each([
    ['redirect_uris[1]', { redirect_uris: ['http://a.test/', 'nowhere'] }],
    ['claims.sub', { claims: { sub: 'other' } }],
    ['default_audience', { default_audience: 'https://unknown.example' }],
    ['client_secret', { client_secret: null }],
    ['client_id', { client_id: '' }],
    ['nickname', { nickname: 'x' }],
  ])('is rejected with 422 and the path %s', async (field, draft) => {
    const { api, get } = shared();
    expectError(await api('POST', '/clients', draft), 422, 'invalid', field);
    expect((await get<Page<Record<string, unknown>>>('/clients')).items).toHaveLength(1);
  });

  it('is a conflict when its key is in use', async () => {
    const { api, get } = shared();
    const answer = await api('POST', '/clients', { client_id: 'demo-app', client_name: 'Other' });
    expectError(answer, 409, 'conflict', 'client_id', /"demo-app"/);
    expect(await get('/clients/demo-app')).toEqual(DEMO);
  });

  it('has no member named __proto__ at any depth', async () => {
    const { api } = shared();
    for (const raw of ['{"__proto__": {"client_id": "x"}}', '{"claims": {"__proto__": 1}}']) {
      const answer = await api('POST', '/clients', undefined, { raw });
      expectError(answer, 400, 'bad_request', undefined, /__proto__/);
    }
  });
});

describe('PATCH merges as RFC 7396', () => {
  it('changes only what it names; the body may have the same key', async () => {
    const { patch, get } = await startHarness();
    const changed = await patch('/clients/demo-app', { client_id: 'demo-app', client_name: 'New' });
    expect(changed).toEqual({ ...DEMO, client_name: 'New' });
    expect(await get('/clients/demo-app')).toEqual(changed);
  });

  it('merges objects and replaces arrays', async () => {
    const { patch } = await startHarness();
    await patch('/clients/demo-app', { claims: { a: 1, b: { c: 1, d: 1 } } });
    const changed = await patch('/clients/demo-app', {
      claims: { b: { c: null, e: 2 } },
      redirect_uris: ['http://b.test/'],
    });
    expect(changed['claims']).toEqual({ a: 1, b: { d: 1, e: 2 } });
    expect(changed['redirect_uris']).toEqual(['http://b.test/']);
  });

  it('resets a member to its default by null', async () => {
    const { patch } = await startHarness();
    await patch('/clients/demo-app', { grant_types: ['refresh_token'], profile: 'strict' });
    const changed = await patch('/clients/demo-app', { grant_types: null, profile: null });
    expect(changed).toEqual(DEMO);
  });

  it.each([
    ['PATCH', '/clients/demo-app', { nickname: null }, 'nickname'],
    ['PATCH', '/users/ada', { nickname: null }, 'nickname'],
    ['PATCH', '/audiences/https%3A%2F%2Forders.example%2Fapi', { nickname: null }, 'nickname'],
    ['PATCH', '/settings', { throttle: { burst: null } }, 'settings.throttle.burst'],
    ['PATCH', '/faults/slow', { effect: { body: null } }, 'effect.body'],
    ['POST', '/faults', { preset: 'slow', nickname: null }, 'nickname'],
    ['POST', '/clients', { nickname: null }, 'nickname'],
  ])('rejects null for an unknown member: %s %s %j', async (method, path, body, field) => {
    const { api, post } = await startHarness();
    await post('/faults', { preset: 'slow', id: 'slow' });
    const answer = await api(method, path, body);
    expectError(answer, 422, 'invalid', field, /is not a known member/);
  });

  it('accepts application/merge-patch+json too', async () => {
    const { api } = await startHarness();
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const answer = await api('PATCH', '/users/ada', { name: 'A' }, { headers });
    expect(answer.body).toMatchObject({ name: 'A' });
  });

  it('rejects a changed key with a message', async () => {
    const { api, get } = shared();
    const answer = await api('PATCH', '/clients/demo-app', { client_id: 'other' });
    expectError(answer, 422, 'invalid', 'client_id', /cannot be changed/);
    expectError(await api('PATCH', '/users/ada', { sub: 'b' }), 422, 'invalid', 'sub');
    expect(await get('/clients/demo-app')).toEqual(DEMO);
  });

  it.each([[[]], ['text'], [7], [null]])(
    'rejects a body that is not an object: %j',
    async (body) => {
      const { api } = shared();
      expectError(await api('PATCH', '/clients/demo-app', body), 422, 'invalid');
    },
  );

  it('validates the whole resulting record, and changes nothing when it is rejected', async () => {
    const { api, get } = shared();
    const answer = await api('PATCH', '/clients/demo-app', {
      client_secret: null,
      client_name: 'X',
    });
    expectError(answer, 422, 'invalid', 'client_secret');
    const unknown = await api('PATCH', '/clients/demo-app', { default_audience: 'https://b.test' });
    expectError(unknown, 422, 'invalid', 'default_audience', /registered/);
    expect(await get('/clients/demo-app')).toEqual(DEMO);
  });

  it('names every problem in the message and the first in field', async () => {
    const { api } = shared();
    const answer = await api('PATCH', '/clients/demo-app', { client_name: 1, nickname: 'x' });
    expectError(answer, 422, 'invalid', 'client_name', /client_name .*; nickname /);
  });
});

describe('users and audiences', () => {
  it('are created with defaults, read, changed and deleted', async () => {
    const { post, patch, get, api } = await startHarness();
    expect(await post('/users', { sub: 'bea' })).toEqual({
      sub: 'bea',
      name: '',
      email: '',
      has_password: false,
      claims: {},
    });
    expect(await patch('/users/bea', { claims: { role: 'admin' } })).toMatchObject({
      claims: { role: 'admin' },
    });
    expect((await api('DELETE', '/users/bea')).status).toBe(204);
    expectError(await api('GET', '/users/bea'), 404, 'not_found', undefined, /user "bea"/);

    const uri = 'https://billing.example/api';
    expect(await post('/audiences', { uri })).toEqual({ uri, name: '', scopes: [] });
    const path = `/audiences/${encodeURIComponent(uri)}`;
    expect(await patch(path, { scopes: ['billing:read'] })).toMatchObject({
      scopes: ['billing:read'],
    });
    expect(await get(path)).toMatchObject({ uri });
    expect((await api('DELETE', path)).status).toBe(204);
    expectError(await api('GET', path), 404, 'not_found');
  });

  it('behaviour 7.21: a password is never returned, only whether there is one', async () => {
    const { post, patch, get } = await startHarness();
    const password = 'correct horse battery staple';
    const bea = await post('/users', { sub: 'bea', password });
    expect(bea).toEqual({ sub: 'bea', name: '', email: '', has_password: true, claims: {} });
    expect(await get('/users/bea')).toEqual(bea);
    expect((await get<Page<Record<string, unknown>>>('/users')).items[0]).toEqual(bea);
    const renamed = await patch('/users/bea', { ...bea, sub: undefined, name: 'Bea' });
    expect(renamed).toEqual({ ...bea, name: 'Bea' });
    const workspace = await get<{ users: unknown[] }>('/workspace');
    expect(workspace.users[1]).toMatchObject({ sub: 'bea', password });
    expect(await patch('/users/bea', { password: null })).toMatchObject({ has_password: false });
  });

  it('require their key', async () => {
    const { api } = shared();
    expectError(await api('POST', '/users', {}), 422, 'invalid', 'sub', /is required/);
    expectError(await api('POST', '/audiences', {}), 422, 'invalid', 'uri', /is required/);
    expectError(await api('POST', '/users', { sub: 'ada' }), 409, 'conflict', 'sub');
    expectError(await api('POST', '/audiences', { uri: ORDERS }), 409, 'conflict', 'uri');
    expectError(await api('POST', '/audiences', { uri: '/orders' }), 422, 'invalid', 'uri');
  });

  it('cannot be deleted while the audience is a client’s default', async () => {
    const { api, patch } = await startHarness();
    await patch('/clients/demo-app', { default_audience: ORDERS });
    const path = `/audiences/${encodeURIComponent(ORDERS)}`;
    expectError(await api('DELETE', path), 409, 'conflict', undefined, /"demo-app"/);
    await patch('/clients/demo-app', { default_audience: null });
    expect((await api('DELETE', path)).status).toBe(204);
  });
});

describe('errors of records', () => {
  it.each([
    ['GET', '/clients/none', undefined],
    ['PATCH', '/clients/none', {}],
    ['DELETE', '/clients/none', undefined],
    ['GET', '/users/none', undefined],
    ['PATCH', '/users/none', {}],
    ['DELETE', '/users/none', undefined],
    ['GET', '/audiences/https%3A%2F%2Fnone.example', undefined],
    ['PATCH', '/audiences/https%3A%2F%2Fnone.example', {}],
    ['DELETE', '/audiences/https%3A%2F%2Fnone.example', undefined],
  ])('%s %s is 404 not_found', async (method, path, body) => {
    const { api } = shared();
    expectError(await api(method, path, body), 404, 'not_found', undefined, /none/);
  });
});

describe('keys in paths are percent-encoded', () => {
  it.each(['a/b', 'a b', '100%', 'a?b#c', 'x{y}', ':id', '*', '%41'])(
    'the key %s is found by its encoded form',
    async (key) => {
      const { post, get, api } = shared();
      await post('/clients', { client_id: key, client_secret: 'a-secret' });
      const path = `/clients/${encodeURIComponent(key)}`;
      expect(await get(path)).toMatchObject({ client_id: key });
      expect((await api('DELETE', path)).status).toBe(204);
    },
  );

  it('an invalid escape is 400', async () => {
    const { api } = shared();
    for (const path of ['/clients/%zz', '/clients/%', '/clients/%ff%fe', '/clients/a%2']) {
      expectError(await api('GET', path), 400, 'bad_request', undefined, /percent-escape/);
    }
  });
});

const { serve, closeAll } = createLoopbackServers();

afterEach(closeAll);

describe('behaviour 20.5: a client that is created from its document', () => {
  const url = 'https://client.example/client.json';
  const document = {
    client_id: url,
    client_name: 'A client with a document',
    client_uri: 'https://client.example',
    redirect_uris: ['http://127.0.0.1/callback'],
    response_types: ['code'],
  };

  it('is public and native, and saved, while documents are supported', async () => {
    const { post, patch, get, api } = await startHarness();
    expectError(await api('POST', '/clients', document), 422, 'invalid', 'client_uri');
    await patch('/settings', { registration: { document_origins: [] } });
    expect(await post('/clients', document)).toMatchObject({
      client_id: url,
      client_secret: null,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    });
    const { clients } = await get<{ clients: { client_id: string }[] }>('/workspace');
    expect(clients.map(({ client_id }) => client_id)).toContain(url);
  });

  it('is refused with the member that breaks a rule', async () => {
    const { patch, api } = await startHarness();
    await patch('/settings', { registration: { document_origins: [] } });
    const secret = { ...document, token_endpoint_auth_method: 'client_secret_post' };
    const answer = await api('POST', '/clients', secret);
    expectError(answer, 422, 'invalid', 'token_endpoint_auth_method');
    const nameless = { ...document, client_name: '' };
    expectError(await api('POST', '/clients', nameless), 422, 'invalid', 'client_name');
  });

  it('a client whose document was fetched is not saved, until it is changed here', async () => {
    const origin = await serve((request, response) => {
      response.end(JSON.stringify({ ...document, client_id: `${origin}${request.url ?? ''}` }));
    });
    const { patch, get, url: issuer } = await startHarness();
    await patch('/settings', { registration: { document_origins: [origin] } });
    const client_id = `${origin}/client.json`;
    const query = new URLSearchParams({ client_id }).toString();
    const page = await call(issuer(), 'GET', `/authorize?${query}`);
    expect(page.status).toBe(302);
    const saved = async () => {
      const { clients } = await get<{ clients: { client_id: string }[] }>('/workspace');
      return clients.map((client) => client.client_id);
    };
    expect(await get(`/clients/${encodeURIComponent(client_id)}`)).toMatchObject({ client_id });
    expect(await saved()).not.toContain(client_id);
    await patch(`/clients/${encodeURIComponent(client_id)}`, { client_name: 'Mine' });
    expect(await saved()).toContain(client_id);
  });

  it('behaviour 7.5: a user who was added on the sign-in page for this time only is not saved, until it is changed', async () => {
    const { patch, get, post, url } = await startHarness();
    const person = createPerson(url());
    const link = authorizePath({ prompt: 'login' });
    const add = async (new_name: string, ...more: readonly (readonly [string, string])[]) =>
      person.decide(await person.visit(link), 'approve', [
        ['sub', ''] as const,
        ['new_name', new_name] as const,
        ...more,
      ]);
    const saved = async () =>
      (await get<{ users: { sub: string }[] }>('/workspace')).users.map(({ sub }) => sub);
    await add('grace');
    const { location } = await add('heidi', ['new_temporary', 'yes']);
    await add('ivan', ['new_temporary', 'yes']);
    expect(location?.searchParams.has('code')).toBe(true);
    expect(await get('/users/heidi')).toMatchObject({ name: 'heidi' });
    expect(await saved()).toEqual(['ada', 'grace']);
    await patch('/users/heidi', { name: 'Heidi' });
    expect(await saved()).toEqual(['ada', 'grace', 'heidi']);
    await post('/reset');
    expect(
      (await get<Page<Record<string, unknown>>>('/users')).items.map(({ sub }) => sub),
    ).not.toContain('ivan');
  });
});
