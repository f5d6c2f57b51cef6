// docs/reference/control-api.md over REST: a workspace can be previewed before it replaces another one, and the
// replaced one is kept.

import { describe, expect, it } from 'vitest';
import { type Workspace, workspaceSchema } from '../../src/core/records/schemas.ts';
import { MOST_FORMER } from '../../src/core/records/bounds.ts';
import { createFormerWorkspaces } from '../../src/engine/workspace/former.ts';
import { createSaved } from '../../src/engine/workspace/saved-by-name.ts';
import { createTestService } from '../support/core.ts';
import type { FormerWorkspace, WorkspacePreview } from '../../src/control/schemas.ts';
import { CREDENTIALS, expectError, startHarness, workspaceInput } from '../support/harness.ts';
import type { Harness } from '../support/harness.ts';

const formerOf = async ({ get }: Harness) =>
  (await get<{ items: FormerWorkspace[] }>('/workspace/former')).items;

const preview = ({ post }: Harness, order: object) =>
  post<WorkspacePreview>('/workspace/preview', order);

const shop = (members: object = {}) => ({
  ...workspaceInput({ clients: [{ client_id: 'shop', client_secret: 'shop-secret' }] }),
  name: 'Shop',
  ...members,
});

const FLOW = {
  saved_at: '2026-03-01T10:00:00.000Z',
  scenario: {
    format: 'grantbench-scenario',
    version: 1,
    name: 'Sign in',
    steps: [{ issue_code: {} }],
  },
};

describe('behaviour 16.5: a replaced workspace', () => {
  it('is kept with its secrets, and can be restored unchanged', async () => {
    const harness = await startHarness();
    const { api, get, machine, post } = harness;
    await post('/users', { sub: 'bea', password: 'correct horse' });
    const before = await get('/workspace');
    machine.now += 60_000;
    await api('PUT', '/workspace', shop());

    const [former, ...others] = await formerOf(harness);
    expect(others).toEqual([]);
    expect(former).toEqual({
      id: 1,
      name: 'Test',
      clients: 1,
      users: 2,
      audiences: 1,
      faults: 0,
      replaced_at: new Date(machine.now).toISOString(),
    });
    machine.now += 3_600_000;
    const restored = await post('/workspace/former/1/restore');
    expect(restored).toEqual(before);
    expect(await get('/workspace')).toEqual(before);
  });

  it('is restored with its saved items, even if the new workspace has none', async () => {
    const harness = await startHarness();
    const { api, get, post } = harness;
    await api('PUT', '/saved-flows/Sign%20in', FLOW);
    const before = await get('/workspace');
    expect(before).toHaveProperty('saved_flows');
    await api('PUT', '/workspace', shop({ saved_flows: [] }));
    expect(await get('/workspace')).not.toHaveProperty('saved_flows');
    await post('/workspace/former/1/restore');
    expect(await get('/workspace')).toEqual(before);
  });

  it('signs with its own keys again, not with those of the workspace in between', async () => {
    const harness = await startHarness();
    const { api, engine, post } = harness;
    const { keyring } = engine.service;
    const own = keyring.list().map(({ kid }) => kid);
    const other = await startHarness();
    const keys = other.engine.service.keyring.list().map(({ private_jwk }) => private_jwk);
    await api('PUT', '/workspace', shop({ keys }));
    expect(keyring.list().map(({ kid }) => kid)).not.toEqual(own);
    await post('/workspace/former/1/restore');
    expect((await keyring.signing('ES256')).kid).toBe(own[0]);
    expect(engine.server().workspace.name).toBe('Test');
    const { body } = await api('GET', '/workspace');
    expect(body).not.toHaveProperty('keys');
  });

  it('is kept when a restoration replaces it, and can be restored too', async () => {
    const harness = await startHarness();
    const { api, get, post } = harness;
    await api('PUT', '/workspace', shop());
    await post('/workspace/former/1/restore');
    expect((await formerOf(harness)).map(({ name }) => name)).toEqual(['Shop']);
    await post('/workspace/former/2/restore');
    expect(await get('/workspace')).toMatchObject({ clients: [{ client_secret: 'shop-secret' }] });
  });

  it('is kept after a reset to the workspace file too', async () => {
    const harness = await startHarness();
    const { get, post } = harness;
    await post('/clients', { client_id: 'mine' });
    const before = await get('/workspace');
    await post('/reset', { workspace: true });
    expect(await get('/workspace')).not.toEqual(before);
    const [former] = await formerOf(harness);
    await post(`/workspace/former/${former?.id ?? 0}/restore`);
    expect(await get('/workspace')).toEqual(before);
  });

  it('is kept among the newest ten, once, and not while it is in use', async () => {
    const harness = await startHarness();
    const { api } = harness;
    for (let round = 0; round < 3; round += 1) {
      await api('PUT', '/workspace', shop());
      await api('PUT', '/workspace', workspaceInput());
    }
    expect((await formerOf(harness)).map(({ name }) => name)).toEqual(['Shop']);
    for (let n = 1; n <= MOST_FORMER + 2; n += 1) {
      await api('PUT', '/workspace', shop({ name: `Shop ${n}` }));
    }
    const names = (await formerOf(harness)).map(({ name }) => name);
    expect(names).toHaveLength(MOST_FORMER);
    expect(names[0]).toBe(`Shop ${MOST_FORMER + 1}`);
  });

  it('is removed if the current workspace needs the room, and the preview says when there is no room for it', () => {
    const { registry } = createTestService().service;
    const former = createFormerWorkspaces(
      { registry },
      createSaved(() => undefined),
      () => 0,
    );
    const [record] = registry.clients.list();
    if (record === undefined) throw new Error('there is no client');
    const claims = { filler: 'x'.repeat(200_000) };
    const clients = Array.from({ length: 100 }, (_, n) => ({
      ...record,
      client_id: `c${n}`,
      claims,
    }));
    const small = workspaceSchema.parse(workspaceInput());
    const large = { ...small, clients };
    const replace = (workspace: Workspace, next: Workspace) => {
      registry.clients.replaceAll(next.clients);
      former.keep({ workspace, kids: [] }, next);
      return former.list().map(({ workspace: { name } }) => name);
    };

    expect(replace(small, large)).toEqual(['Test']);
    const other = { ...large, name: 'Other' };
    expect(former.hasRoomFor(large, other)).toBe(false);
    expect(replace(large, other)).toEqual(['Test']);
    const shop = { ...small, name: 'Shop' };
    expect(former.hasRoomFor(other, shop)).toBe(true);
    expect(replace(other, shop)).toEqual(['Other', 'Test']);
    registry.clients.replaceAll(clients);
    former.trim();
    expect(former.list()).toEqual([]);
  });

  it('is not found under another number', async () => {
    const { api } = await startHarness();
    expectError(await api('POST', '/workspace/former/9/restore'), 404, 'not_found');
    expectError(await api('POST', '/workspace/preview', { former: 9 }), 404, 'not_found');
  });
});

describe('POST /workspace/preview', () => {
  it('lists every problem of a text with its path and position, and a syntax error with its line', async () => {
    const harness = await startHarness();
    const before = await harness.get('/workspace');
    const text = [
      '{',
      '  "version": 1,',
      '  "colour": "red",',
      '  "clients": [',
      '    { "client_id": "a", "client_secret": "s", "redirect_uris": ["/x"] }',
      '  ]',
      '}',
    ];
    const { problems, contents, undo } = await preview(harness, { text: text.join('\n') });
    expect(problems.map(({ path, line, column }) => [path, line, column])).toEqual([
      ['colour', 3, 3],
      ['clients[0].redirect_uris[0]', 5, 65],
    ]);
    expect({ contents, undo }).toEqual({ contents: null, undo: false });

    const cut = await preview(harness, { text: text.slice(0, 3).join('\n').replace('"red",', '') });
    expect(cut.problems).toMatchObject([{ path: '', line: 3 }]);
    expect(cut.problems[0]?.message).toMatch(/^is not JSON: /);
    expect(await harness.get('/workspace')).toEqual(before);
  });

  it('says that the current workspace would not change, and so would not be kept', async () => {
    const harness = await startHarness();
    const { api, get, post } = harness;
    const { keyring } = harness.engine.service;
    const keys = keyring.list().map(({ private_jwk }) => private_jwk);
    await api('PUT', '/workspace', workspaceInput({ keys }));
    await post('/users', { sub: 'bea', claims: { groups: ['a', { b: null }] } });
    await api('PUT', '/saved-flows/Sign%20in', FLOW);
    const current = await get<Workspace>('/workspace');
    const { keys: _keys, saved_flows: _flows, ...others } = current;
    for (const same of [current, others, { ...others, apis: [], saved_requests: [] }]) {
      const before = await formerOf(harness);
      const seen = await preview(harness, { text: JSON.stringify(same) });
      expect(seen).toMatchObject({ problems: [], unchanged: true, undo: false });
      await api('PUT', '/workspace', same);
      expect(await formerOf(harness)).toEqual(before);
      expect(await get('/workspace')).toEqual(current);
    }
    const other = JSON.stringify({ ...current, saved_flows: [] });
    expect(await preview(harness, { text: other })).toMatchObject({ unchanged: false, undo: true });

    const reset = await preview(harness, { reset: true });
    expect(reset).toMatchObject({ unchanged: false, undo: true });
    await post('/reset', { workspace: true });
    expect(await preview(harness, { reset: true })).toMatchObject({ unchanged: true, undo: false });
  });

  it('reports a secret in a saved item, as the import does', async () => {
    const harness = await startHarness();
    const request = {
      name: 'Mine',
      saved_at: '2026-03-01T10:00:00.000Z',
      method: 'POST',
      path: '/oauth/token',
      headers: [],
      body: `client_secret=${CREDENTIALS.client_secret}`,
      template: null,
      client_id: 'demo-app',
    };
    const document = shop({ saved_requests: [request] });
    const { problems } = await preview(harness, { text: JSON.stringify(document, null, 2) });
    expect(problems.map(({ path }) => path)).toEqual(['saved_requests[0].body']);
    const put = await harness.api('PUT', '/workspace', document);
    expectError(put, 422, 'invalid', 'saved_requests[0].body');
  });

  it('counts the live credentials of clients that would be removed, which behaviour 4.10 ends', async () => {
    const harness = await startHarness();
    const { api, post } = harness;
    await harness.signIn();
    await harness.code();
    await post('/clients', { client_id: 'shop', client_secret: 'shop-secret' });
    await post('/tokens', { client_id: 'shop' });
    const ends = { codes: 1, refresh_tokens: 1, access_tokens: 1 };
    const seen = await preview(harness, { text: JSON.stringify(shop()) });
    expect(seen).toEqual({
      problems: [],
      contents: { name: 'Shop', clients: 1, users: 1, audiences: 1, faults: 0 },
      ends,
      unchanged: false,
      undo: true,
    });
    const live = async () =>
      (await harness.get<{ live: object[] }>('/tokens?live_counts=true&limit=1')).live;
    const ofShop = { client_id: 'shop', codes: 0, refresh_tokens: 1, access_tokens: 1 };
    expect(await live()).toEqual(
      expect.arrayContaining([{ client_id: 'demo-app', ...ends }, ofShop]),
    );
    await api('PUT', '/workspace', shop());
    expect(await live()).toEqual([ofShop]);
    expect(await preview(harness, { former: 1 })).toMatchObject({
      contents: { name: 'Test', clients: 2 },
      ends: { codes: 0, refresh_tokens: 0, access_tokens: 0 },
    });
  });
});
