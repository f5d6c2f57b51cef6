// Behaviour 20: an MCP server over real HTTP: both eras of streamable HTTP, every reason to reject a message, the
// scopes of its tools, and what the authorization server does for its clients.

import { beforeEach, describe, expect, it } from 'vitest';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import { apiSchema, type ApiInput } from '../../src/core/records/schemas.ts';
import { ownHttpService, sharedHttpService } from '../support/http-service.ts';
import { ask, evaluationOf } from '../support/token-endpoints.ts';

const STATELESS = '2026-07-28';
const VERSIONS = [STATELESS, '2025-11-25', '2025-06-18', '2025-03-26'];

const server = await sharedHttpService({ profile: 'interop', registration: { mode: 'open' } });
let token: string;
beforeEach(async () => {
  server.service.registry.apis.replaceAll([]);
  token = await tokenFor({});
});

const put = (...apis: ApiInput[]) =>
  server.service.registry.apis.replaceAll(apis.map((api) => apiSchema.parse(api)));

async function tokenFor(order: { scope?: string; audience?: string }): Promise<string> {
  const audience = `${server.url}/mcp`;
  const minted = await server.service.mint({ client_id: 'demo-app', audience, ...order });
  return minted.access_token;
}

type Headers = Readonly<Record<string, string>>;

const post = (body: unknown, headers: Headers = {}, path = '/mcp') =>
  ask(server.url, path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${token}`,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const rpc = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 7, method, params });

/** A message of the era without sessions, with the headers that repeat it. */
function stateless(method: string, params: object = {}, meta: object = {}): [object, Headers] {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': STATELESS,
    'io.modelcontextprotocol/clientCapabilities': {},
    ...meta,
  };
  const name = 'name' in params ? { 'Mcp-Name': String(params.name) } : {};
  const headers = { 'MCP-Protocol-Version': STATELESS, 'Mcp-Method': method, ...name };
  return [rpc(method, { ...params, _meta }), headers];
}

describe('behaviour 20.1: the MCP server', () => {
  it('is at /mcp in the interop profile only, without a record', async () => {
    expect((await ask(server.url, '/mcp', { method: 'POST' })).status).toBe(401);
    const documented = await ownHttpService();
    const answer = await ask(documented.url, '/mcp', { method: 'POST' });
    expect(answer.status).toBe(404);
    const { refusal } = evaluationOf(documented, answer);
    expect(refusal && describeCause(refusal).accepted_by).toBe('interop');
  });

  it('behaviour 3.12: the advice for a path below it says where messages belong', async () => {
    const { refusal } = evaluationOf(server, await post(rpc('ping'), {}, '/mcp/'));
    expect(refusal?.reason).toBe('api_path_without_rule');
    expect(refusal && describeCause(refusal).advice).toContain('to exactly /mcp:');
  });

  it('a record at /mcp replaces it; a record elsewhere does not', async () => {
    const listed = async () => {
      const { body } = await post(rpc('tools/list'));
      const { tools } = body['result'] as { tools: { name: string }[] };
      return tools.map(({ name }) => name);
    };
    expect(await listed()).toEqual(['whoami', 'step_up']);
    put({ name: 'notes', kind: 'mcp', rules: [{ path: '/add' }] });
    expect(await listed()).toEqual(['whoami', 'step_up']);
    put({ name: 'own', kind: 'mcp', path: '/mcp', rules: [{ path: '/add', scopes: ['add'] }] });
    expect(await listed()).toEqual(['whoami', 'add']);
  });

  it('adds no scope to the metadata of the authorization server', async () => {
    const { body } = await ask(server.url, '/.well-known/oauth-authorization-server');
    expect(body['scopes_supported']).not.toContain('mcp:step_up');
  });

  it('has metadata with the scopes that every message needs', async () => {
    const place = '/.well-known/oauth-protected-resource';
    const { body } = await ask(server.url, `${place}/mcp`);
    expect(body).toEqual({
      resource: `${server.url}/mcp`,
      authorization_servers: [server.url],
      bearer_methods_supported: ['header'],
      resource_name: 'mcp',
      dpop_signing_alg_values_supported: expect.any(Array),
    });
    const rules = [{ path: '/add', scopes: ['add'] }, { scopes: ['use'] }];
    put({ name: 'notes', kind: 'mcp', rules });
    const notes = await ask(server.url, `${place}/api/notes`);
    expect(notes.body).toMatchObject({
      resource: `${server.url}/api/notes`,
      scopes_supported: ['use'],
    });
  });

  it('a token for another audience is rejected, one in the query as well', async () => {
    const other = await tokenFor({ audience: server.url });
    const answer = await post(rpc('ping'), { Authorization: `Bearer ${other}` });
    expect(answer.status).toBe(401);
    expect(evaluationOf(server, answer).refusal?.reason).toBe('access_token_of_other_audience');
    expect((await post(rpc('ping'), {}, `/mcp?access_token=${token}`)).status).toBe(400);
  });
});

describe('behaviour 20.2: messages', () => {
  it('until 2025-11-25: initialize, initialized, ping, tools; GET and DELETE are 405', async () => {
    const start = await post(rpc('initialize', { protocolVersion: '2025-06-18' }));
    expect(start.body).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        protocolVersion: '2025-06-18',
        serverInfo: { name: 'grantbench', title: 'Grantbench', version: '1.0.0' },
        capabilities: { tools: {} },
        instructions: expect.any(String),
      },
    });
    const unknown = await post(rpc('initialize', { protocolVersion: '1999-01-01' }));
    expect(unknown.body['result']).toMatchObject({ protocolVersion: '2025-11-25' });
    const noted = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    });
    expect([noted.status, await noted.text()]).toEqual([202, '']);
    expect((await post(rpc('ping'))).body['result']).toEqual({});
    for (const method of ['GET', 'DELETE']) {
      const answer = await ask(server.url, '/mcp', { method });
      expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS']);
    }
  });

  it('from 2026-07-28: server/discover and tools, with resultType and hints for caches', async () => {
    const found = await post(...stateless('server/discover'));
    const _meta = { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({}) };
    const complete = { resultType: 'complete', _meta };
    const uncached = { ttlMs: 0, cacheScope: 'private' };
    expect(found.body['result']).toEqual({
      ...complete,
      ...uncached,
      supportedVersions: VERSIONS,
      capabilities: { tools: {} },
      instructions: expect.any(String),
    });
    const list = await post(...stateless('tools/list'));
    expect(list.body['result']).toMatchObject({ ...complete, ...uncached });
    const called = await post(...stateless('tools/call', { name: 'whoami' }));
    expect(called.body['result']).toMatchObject({
      ...complete,
      structuredContent: {
        api: 'mcp',
        tool: 'whoami',
        claims: { iss: server.url, aud: `${server.url}/mcp` },
      },
    });
    const notification = { jsonrpc: '2.0', method: 'notifications/any', params: { _meta: {} } };
    expect(
      (
        await fetch(`${server.url}/mcp`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}` },
          body: JSON.stringify(notification),
        })
      ).status,
    ).toBe(202);
  });

  it('a name in Base64 is compared after decoding', async () => {
    const [body, headers] = stateless('tools/call', { name: 'whoami' });
    const encoded = `=?base64?${Buffer.from('whoami').toString('base64')}?=`;
    expect((await post(body, { ...headers, 'Mcp-Name': encoded })).status).toBe(200);
  });

  const [call, named] = stateless('tools/call', { name: 'whoami' });
  const without = (name: string) =>
    Object.fromEntries(Object.entries(named).filter(([key]) => key !== name));
  const version = (value: unknown) => ({ 'io.modelcontextprotocol/protocolVersion': value });
  const old = { 'MCP-Protocol-Version': '1' };
  const future = { 'MCP-Protocol-Version': '2030-01-01' };
  const noCapabilities = { 'io.modelcontextprotocol/clientCapabilities': null };
  it.each<[string, unknown, Headers, code: number, reason: string, status?: number]>([
    ['no JSON', '{', {}, -32700, 'message_malformed'],
    ['an array', [rpc('ping')], {}, -32600, 'message_malformed'],
    ['no jsonrpc', { id: 1, method: 'ping' }, {}, -32600, 'message_malformed'],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, {}, -32600, 'message_malformed'],
    ['id null', { ...rpc('ping'), id: null }, {}, -32600, 'message_malformed'],
    ['id 1.5', { ...rpc('ping'), id: 1.5 }, {}, -32600, 'message_malformed'],
    ['params []', { ...rpc('ping'), params: [] }, {}, -32600, 'message_malformed'],
    ['an unknown version', rpc('ping'), old, -32022, 'version_unsupported'],
    [
      'no version in _meta',
      rpc('tools/list'),
      { 'MCP-Protocol-Version': STATELESS },
      -32602,
      'message_malformed',
    ],
    [
      'no capabilities',
      ...stateless('tools/list', {}, noCapabilities),
      -32602,
      'message_malformed',
    ],
    [
      'an unknown version in _meta',
      rpc('ping', { _meta: version('2030-01-01') }),
      future,
      -32022,
      'version_unsupported',
    ],
    ['no version header', call, without('MCP-Protocol-Version'), -32020, 'header_differs'],
    ['no Mcp-Method', call, without('Mcp-Method'), -32020, 'header_differs'],
    ['no Mcp-Name', call, without('Mcp-Name'), -32020, 'header_differs'],
    ['another Mcp-Name', call, { ...named, 'Mcp-Name': 'step_up' }, -32020, 'header_differs'],
    ['another Mcp-Method', call, { ...named, 'Mcp-Method': 'ping' }, -32020, 'header_differs'],
    ['an unknown method', ...stateless('initialize'), -32601, 'method_unknown', 404],
    ['an unknown method before 2026', rpc('resources/list'), {}, -32601, 'method_unknown', 200],
    ['an unknown tool', ...stateless('tools/call', { name: 'none' }), -32602, 'tool_unknown', 200],
    ['a tool without a name', rpc('tools/call'), {}, -32602, 'tool_unknown', 200],
  ])('rejects %s', async (_title, body, headers, code, reason, status = 400) => {
    const answer = await post(body, headers);
    expect([answer.status, answer.body['error']]).toEqual([
      status,
      expect.objectContaining({ code, message: expect.any(String) }),
    ]);
    expect(evaluationOf(server, answer).refusal?.reason).toBe(`mcp_${reason}`);
    expect(answer.headers.get('WWW-Authenticate')).toBeNull();
  });

  it.each([
    ['arrays in arrays', '['.repeat(60_000)],
    ['objects in objects', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
    ['a long id', JSON.stringify({ ...rpc('ping'), id: 'x'.repeat(60_000) })],
    ['__proto__ as a method', rpc('__proto__')],
    ['__proto__ as a tool', rpc('tools/call', { name: '__proto__' })],
    ['__proto__ as params', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":1}}'],
    ['a number as a version', rpc('ping', { _meta: version(1) })],
    ['bytes that are not UTF-8', 'é\ud800'],
  ])('responds to %s as to any other message', async (_title, body) => {
    expect((await post(body)).status).toBeLessThan(500);
    expect(server.faults).toEqual([]);
  });

  it('an unsupported version is answered with the supported ones', async () => {
    const answer = await post(rpc('ping'), { 'MCP-Protocol-Version': '1' });
    expect(answer.body).toMatchObject({
      id: 7,
      error: { data: { supported: VERSIONS, requested: '1' } },
    });
  });

  it('a page of another site is rejected, whatever its token', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example']) {
      const answer = await post(rpc('ping'), { Origin: origin });
      expect([answer.status, answer.body['error']]).toEqual([403, 'access_denied']);
      expect(evaluationOf(server, answer).refusal?.reason).toBe('mcp_origin_foreign');
    }
    for (const origin of [server.url, 'http://localhost:6274', 'https://127.0.0.1']) {
      expect((await post(rpc('ping'), { Origin: origin })).status).toBe(200);
    }
  });

  it('a message without a token is not read', async () => {
    const answer = await post('{', { Authorization: '' });
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_token']);
    expect(answer.headers.get('WWW-Authenticate')).toContain(
      `resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`,
    );
  });

  it('Traffic explains each check', async () => {
    const answer = await post(...stateless('tools/call', { name: 'whoami' }));
    const checks = describeChecks(evaluationOf(server, answer), false);
    expect(checks.map(({ id, verdict }) => [id, verdict])).toEqual(
      [
        'path',
        'method',
        'authorization_header',
        'credential_known',
        'typ',
        'audience',
        'credential_live',
        'scope',
        'message',
      ].map((id) => [id, 'passed']),
    );
  });
});

describe('behaviour 20.3: the scopes of tools', () => {
  it('a tool that needs a scope gets 403 with all scopes, in both eras', async () => {
    for (const [body, headers] of [
      stateless('tools/call', { name: 'step_up' }),
      [rpc('tools/call', { name: 'step_up' }), {}] as const,
    ]) {
      const answer = await post(body, headers);
      expect(answer.status).toBe(403);
      const challenge = answer.headers.get('WWW-Authenticate');
      expect(challenge).toContain('error="insufficient_scope"');
      expect(challenge).toContain('scope="mcp:step_up"');
      const stepped = await tokenFor({ scope: 'mcp:step_up' });
      const again = await post(body, { ...headers, Authorization: `Bearer ${stepped}` });
      expect(again.body['result']).toMatchObject({ structuredContent: { tool: 'step_up' } });
    }
  });

  it('the rule for / is for every other message', async () => {
    put({ name: 'own', kind: 'mcp', path: '/mcp', rules: [{ path: '/', scopes: ['use'] }] });
    expect((await post(rpc('tools/list'))).status).toBe(403);
    expect((await post(rpc('tools/call', { name: 'whoami' }))).status).toBe(200);
  });
});

describe('behaviour 20.4: what the authorization server does for MCP clients', () => {
  it('rotates refresh tokens of public clients for an MCP server', async () => {
    const rotates = async (resource: string, method: string) => {
      const registered = await ask(server.url, '/register', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          client_name: 'An MCP client',
          application_type: 'native',
          redirect_uris: ['http://localhost:33418/callback'],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: method,
        }),
      });
      expect(registered.status).toBe(201);
      const { client_id, client_secret = '' } = registered.body as Record<string, string>;
      const minted = await server.service.mint({ client_id: client_id ?? '', audience: resource });
      const form = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: minted.refresh_token ?? '',
        client_id: client_id ?? '',
        resource,
        ...(method === 'none' ? {} : { client_secret }),
      });
      const answer = await ask(server.url, '/oauth/token', { method: 'POST', body: form });
      expect(answer.status).toBe(200);
      return answer.body['refresh_token'] !== undefined;
    };
    expect(await rotates(`${server.url}/mcp`, 'none')).toBe(true);
    expect(await rotates(server.url, 'none')).toBe(false);
    expect(await rotates(`${server.url}/mcp`, 'client_secret_post')).toBe(false);
  });

  it('announces S256 and iss, in both metadata documents', async () => {
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const { body } = await ask(server.url, `/.well-known/${name}`);
      expect(body['code_challenge_methods_supported']).toContain('S256');
      expect(body['authorization_response_iss_parameter_supported']).toBe(true);
    }
  });

  it('an issuer with a path has its metadata where MCP clients look for it', async () => {
    server.configure({ issuer: `${server.url}/tenant` });
    for (const place of [
      '/.well-known/oauth-authorization-server/tenant',
      '/.well-known/openid-configuration/tenant',
      '/tenant/.well-known/openid-configuration',
    ]) {
      const { body } = await ask(server.url, place);
      expect(body['issuer']).toBe(`${server.url}/tenant`);
    }
    const metadata = await ask(server.url, '/.well-known/oauth-protected-resource/tenant/mcp');
    expect(metadata.body['resource']).toBe(`${server.url}/tenant/mcp`);
  });
});
