// Behaviour 19.1 over the control API and the command line: protected APIs are records of the workspace.

import { describe, expect, it } from 'vitest';
import { parseWorkspace } from '../../src/engine/workspace/document.ts';
import { DEMO_WORKSPACE } from '../../src/engine/workspace/demo.ts';
import { call, expectError, ORDERS, startHarness } from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';

const RULE = {
  path: '/*',
  methods: ['GET', 'POST'],
  scopes: [],
  max_age: null,
  acr_values: [],
  token_type: 'any',
};

const shared = shareHarness();

describe('behaviour 19.1: APIs are listed, added, changed and removed', () => {
  it('an API has defaults for all but its name, and serves at once', async () => {
    const { post, patch, get, api, url } = await startHarness();
    const stock = { name: 'stock', kind: 'http', path: null, audience: null, rules: [RULE] };
    expect((await call(url(), 'GET', '/api/stock')).status).toBe(404);
    expect(await post('/apis', { name: 'stock' })).toEqual(stock);
    expect((await call(url(), 'GET', '/api/stock')).status).toBe(401);
    const rules = [{ methods: ['GET'], scopes: ['stock:read'] }];
    expect(await patch('/apis/stock', { rules })).toEqual({
      ...stock,
      rules: [{ ...RULE, ...rules[0] }],
    });
    expect(await get('/apis')).toMatchObject({ items: [{ name: 'stock' }], next: null });
    expect((await api('DELETE', '/apis/stock')).status).toBe(204);
    expectError(await api('GET', '/apis/stock'), 404, 'not_found', undefined, /API "stock"/);
    expect((await call(url(), 'GET', '/api/stock')).status).toBe(404);
  });

  it('a name, and a path, belong to one API', async () => {
    const { post, api } = await startHarness();
    await post('/apis', { name: 'stock' });
    expectError(await api('POST', '/apis', { name: 'stock' }), 409, 'conflict', 'name');
    const other = { name: 'other', path: '/api/stock' };
    const rule = /^the path \/api\/stock is that of the API "stock"$/;
    expectError(await api('POST', '/apis', other), 409, 'conflict', 'path', rule);
  });

  it.each([
    [{ name: 'a', path: '/oauth/token' }, 'path'],
    [{ name: 'a/b' }, 'name'],
    [{ name: 'a', audience: '/relative' }, 'audience'],
    [{ name: 'a', rules: [] }, 'rules'],
    [{ name: 'a', rules: [{ methods: ['PUT'] }] }, 'rules[0].methods[0]'],
    [{ name: 'a', rules: [{ path: 'x' }] }, 'rules[0].path'],
    [{ name: 'a', rules: [{ scopes: ['a b'] }] }, 'rules[0].scopes[0]'],
    [{ name: 'a', rules: [{ scopes: ['offline_access'] }] }, 'rules[0].scopes[0]'],
    [{ name: 'a', rules: [{ max_age: -1 }] }, 'rules[0].max_age'],
    [{ name: 'a', rules: [{ acr_values: ['a b'] }] }, 'rules[0].acr_values[0]'],
    [{ name: 'a', rules: [{ token_type: 'bearer' }] }, 'rules[0].token_type'],
    [{ name: 'a', extra: 1 }, 'extra'],
  ])('%j is rejected with the name of the member', async (draft, field) => {
    expectError(await shared().api('POST', '/apis', draft), 422, 'invalid', field);
  });

  it('an API stays while its audience is the default audience of a client', async () => {
    const { post, patch, api } = await startHarness();
    const audience = 'https://stock.example/api';
    await post('/apis', { name: 'stock', audience });
    await patch('/clients/demo-app', { default_audience: audience });
    const rule = /is the default audience of the client "demo-app"$/;
    const refused = await api('DELETE', '/apis/stock');
    expectError(refused, 409, 'conflict', undefined, rule);
    const moved = await api('PATCH', '/apis/stock', { audience: null });
    expectError(moved, 409, 'conflict', undefined, rule);
    await patch('/clients/demo-app', { default_audience: null });
    expect((await api('DELETE', '/apis/stock')).status).toBe(204);
  });
});

describe('behaviour 19.1: APIs in the workspace', () => {
  it('are a member only if there are any, and return from an import', async () => {
    const { get, post, api } = await startHarness();
    expect(await get('/workspace')).not.toHaveProperty('apis');
    await post('/apis', { name: 'stock' });
    const workspace = await get<object>('/workspace');
    expect(workspace).toMatchObject({ apis: [{ name: 'stock' }] });
    await api('DELETE', '/apis/stock');
    await api('PUT', '/workspace', workspace);
    expect(await get('/apis/stock')).toMatchObject({ name: 'stock' });
  });

  it.each([
    [[{ name: 'a' }, { name: 'a' }], 'apis[1].name'],
    [[{ name: 'a' }, { name: 'b', path: '/api/a' }], 'apis[1].path'],
  ])('%j in a file are a problem with its path', async (apis, path) => {
    const checked = await parseWorkspace(JSON.stringify({ version: 1, apis }));
    expect('problems' in checked && checked.problems.map((problem) => problem.path)).toContain(
      path,
    );
  });

  it('the demo workspace has one for the audience of its tokens', async () => {
    const { engine, url, post } = await startHarness({
      engine: { workspace: undefined, base: DEMO_WORKSPACE },
    });
    expect(engine.service.registry.apis.size).toBe(1);
    const minted = await post<{ access_token: string }>('/tokens', {
      client_id: 'demo-app',
      audience: ORDERS,
      scope: 'orders:read',
    });
    const headers = { Authorization: `Bearer ${minted.access_token}` };
    expect((await call(url(), 'GET', '/api/orders/1', { headers })).status).toBe(200);
    expect((await call(url(), 'POST', '/api/orders', { headers })).status).toBe(403);
  });
});
