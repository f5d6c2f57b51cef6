// docs/reference/control-api.md over REST: throttle, settings, workspace, clock, keys, server and reset.

import { readFile, writeFile } from 'node:fs/promises';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Counter } from '../../src/control/schemas.ts';
import { introspect, refresh, userinfo } from '../support/form-calls.ts';
import {
  call,
  expectError,
  ORDERS,
  REDIRECT_URI,
  START,
  startHarness,
  startSignedIn,
  workspaceFile,
  workspaceInput,
  type Page,
} from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';
import { takenPort } from '../support/taken-port.ts';

const time = (seconds = 0) => new Date(START + seconds * 1000).toISOString();

const shared = shareHarness();

describe('GET /throttle', () => {
  it('shows counters with their requests, last used first', async () => {
    const { harness, refresh_token } = await startSignedIn({
      workspace: { settings: { throttle: { limit: 2, window_seconds: 10 } } },
    });
    harness.machine.now += 1000;
    for (let count = 0; count < 3; count++) await refresh(harness, refresh_token);
    const items = await harness.list<Counter>('/throttle');
    expect(items).toHaveLength(2);
    expect(items[0]).toEqual({
      id: expect.stringMatching(/^[\w-]+$/) as string,
      kind: 'refresh_token',
      credential: expect.stringMatching(/^[\w-]+$/) as string,
      client_id: 'demo-app',
      ip: '127.0.0.1',
      used: 2,
      limit: 2,
      limit_from: 'workspace',
      window_seconds: 10,
      opened_at: time(1),
      resets_at: time(11),
      allowed: 2,
      blocked: 1,
      last_seen_at: time(1),
    });
    expect(JSON.stringify(items)).not.toContain(refresh_token);
    harness.machine.now += 10_000;
    const later = await harness.get<Page<Counter>>('/throttle');
    expect(later.items[0]).toMatchObject({ used: 0, blocked: 1 });
  });

  it('is paged, even when the last counter of a page was removed', async () => {
    const harness = await startHarness();
    for (let count = 0; count < 3; count++) {
      await refresh(harness, `unknown-${count}`);
      harness.machine.now += 1000;
    }
    const first = await harness.get<Page<Counter>>('/throttle?limit=2');
    expect(first.items).toHaveLength(2);
    await harness.api('DELETE', `/throttle/${first.items[1]?.id}`);
    const second = await harness.get<Page<Counter>>(`/throttle?limit=2&after=${first.next}`);
    expect(second.items).toHaveLength(1);
    expect(second.next).toBeNull();
  });

  it('behaviour 5.11: GET /throttle/{id} adds the newest throttled requests, by the numbers of their exchanges', async () => {
    const { harness, refresh_token } = await startSignedIn({
      workspace: { settings: { throttle: { limit: 1 } } },
    });
    await refresh(harness, refresh_token);
    for (const ms of [1000, 2000]) {
      harness.machine.now = START + ms;
      await refresh(harness, refresh_token);
    }
    const [counter] = await harness.list<Counter>('/throttle');
    expect(await harness.get(`/throttle/${counter?.id}`)).toEqual({
      ...counter,
      blocked_requests: [
        { at: time(2), exchange: 4 },
        { at: time(1), exchange: 3 },
      ],
    });
    expect(await harness.get('/exchanges/4')).toMatchObject({ throttled: true });
    expectError(await harness.api('GET', '/throttle/none'), 404, 'not_found');
  });

  it('behaviour 5: a client’s own limit is shown and applied from the change on', async () => {
    const harness = await startHarness({ workspace: { settings: { throttle: { limit: 1 } } } });
    const { get, patch, connect } = harness;
    const { refresh_token } = await harness.signIn();
    for (let count = 0; count < 2; count++) await refresh(harness, refresh_token);
    const newest = async () => (await get<Page<object>>('/throttle')).items[0];
    const blocked = async () => {
      const batches = await (await connect()).events();
      for await (const { totals } of batches) return totals.blocked_counters;
      return null;
    };
    expect(await blocked()).toBe(2);
    await patch('/clients/demo-app', { throttle: { limit: 3, window_seconds: 600 } });
    expect(await newest()).toMatchObject({
      used: 1,
      limit: 3,
      limit_from: 'client',
      window_seconds: 600,
      resets_at: time(600),
    });
    expect(await blocked()).toBe(0);
    const answer = await refresh(harness, refresh_token);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'ratelimit-policy': '"token-ip";q=3;w=600',
      ratelimit: '"token-ip";r=1;t=600',
      'x-ratelimit-limit': '3',
    });
    await patch('/clients/demo-app', { throttle: null });
    expect(await newest()).toMatchObject({ used: 2, limit: 1, limit_from: 'workspace' });
    expect(await blocked()).toBe(2);
    expect((await refresh(harness, refresh_token)).status).toBe(429);
  });

  it('DELETE /throttle/{id} releases a counter, DELETE /throttle all counters', async () => {
    const { harness, refresh_token } = await startSignedIn({
      workspace: { settings: { throttle: { limit: 1 } } },
    });
    expect((await refresh(harness, refresh_token)).status).toBe(200);
    expect((await refresh(harness, refresh_token)).status).toBe(429);
    const [counter] = await harness.list<Counter>('/throttle');
    expect((await harness.api('DELETE', `/throttle/${counter?.id}`)).status).toBe(204);
    expect((await refresh(harness, refresh_token)).status).toBe(200);
    expect((await refresh(harness, refresh_token)).status).toBe(429);
    expect((await harness.api('DELETE', '/throttle')).status).toBe(204);
    expect(await harness.list<Counter>('/throttle')).toEqual([]);
    expect((await refresh(harness, refresh_token)).status).toBe(200);
    expectError(await harness.api('DELETE', '/throttle/none'), 404, 'not_found');
  });
});

describe('GET and PATCH /settings', () => {
  it('merges a patch, and returns all settings', async () => {
    const { get, patch } = await startHarness();
    const before = await get('/settings');
    const changed = await patch('/settings', { throttle: { limit: 5 }, profile: 'strict' });
    expect(changed).toEqual({
      ...before,
      profile: 'strict',
      throttle: { ...(before['throttle'] as object), limit: 5 },
    });
    expect(await get('/settings')).toEqual(changed);
  });

  it('resets a member or a whole group to its default by null', async () => {
    const { patch } = await startHarness({
      workspace: { settings: { throttle: { limit: 5, window_seconds: 7 }, profile: 'strict' } },
    });
    expect(await patch('/settings', { profile: null, throttle: { limit: null } })).toMatchObject({
      profile: 'documented',
      throttle: { limit: 30, window_seconds: 7 },
    });
    expect(await patch('/settings', { throttle: null })).toMatchObject({
      throttle: { limit: 30, window_seconds: 60 },
    });
  });

  it.each([
    ['settings.throttle.limit', { throttle: { limit: 0 } }],
    ['settings.throttle.burst', { throttle: { burst: 1 } }],
    ['settings.throttle', { throttle: 'off' }],
    ['settings.colour', { colour: 'red' }],
    ['settings.capture.max_exchanges', { capture: { max_exchanges: '10' } }],
  ])('refuses with 422 and %s', async (field, change) => {
    const { api, get } = shared();
    const before = await get('/settings');
    expectError(await api('PATCH', '/settings', change), 422, 'invalid', field);
    expect(await get('/settings')).toEqual(before);
  });

  it('applies capture limits from the next request on, in number and bytes', async () => {
    const { patch, get, url } = await startHarness();
    const send = () => call(url(), 'GET', '/livez');
    const kept = async () => (await get<Page<object>>('/exchanges?limit=1000')).items.length;
    for (let sent = 0; sent < 5; sent++) await send();
    expect(await kept()).toBe(5);
    await patch('/settings', { capture: { max_exchanges: 2 } });
    await send();
    expect(await kept()).toBe(2);
    await patch('/settings', { capture: { max_exchanges: 1000, max_bytes: 65_536 } });
    const padding = 'x'.repeat(40_000);
    for (let sent = 0; sent < 3; sent++) await call(url(), 'GET', '/livez', { body: padding });
    expect(await kept()).toBe(1);
  });

  it('applies changes at once: the limit, the issuer, the signing algorithm', async () => {
    const { harness, refresh_token } = await startSignedIn();
    await harness.patch('/settings', { throttle: { limit: 1 } });
    expect((await refresh(harness, refresh_token)).status).toBe(200);
    expect((await refresh(harness, refresh_token)).status).toBe(429);

    const issuer = 'http://auth.test:4280/tenant';
    await harness.patch('/settings', { issuer, signing_alg: 'EdDSA', throttle: null });
    expect(await harness.get('/server')).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
    });
    const { access_token } = await harness.post<{ access_token: string }>('/tokens', {
      client_id: 'demo-app',
    });
    expect(decodeProtectedHeader(access_token)).toMatchObject({ alg: 'EdDSA' });
    expect(decodeJwt(access_token)).toMatchObject({ iss: issuer, aud: issuer });
  });

  it('publishes a new key before it signs a token', async () => {
    const harness = await startHarness();
    await harness.patch('/settings', { signing_alg: 'EdDSA' });
    const items = await harness.list<object>('/keys');
    expect(items).toEqual([
      expect.objectContaining({ alg: 'EdDSA', signing: true, published: true }) as object,
      expect.objectContaining({ alg: 'ES256', signing: false, published: true }) as object,
    ]);
  });

  it('keeps simultaneous changes', async () => {
    const { patch, get } = await startHarness();
    await Promise.all([
      patch('/settings', { signing_alg: 'RS256' }),
      patch('/settings', { throttle: { limit: 7 } }),
      patch('/settings', { profile: 'interop' }),
    ]);
    expect(await get('/settings')).toMatchObject({
      signing_alg: 'RS256',
      throttle: { limit: 7 },
      profile: 'interop',
    });
  });

  it('rejects a change of an issuer that is a client’s default audience', async () => {
    const issuer = 'http://auth.test';
    const { api, patch } = await startHarness({ workspace: { settings: { issuer } } });
    await patch('/clients/demo-app', { default_audience: issuer });
    const answer = await api('PATCH', '/settings', { issuer: null });
    expectError(answer, 409, 'conflict', 'settings.issuer', /"demo-app"/);
  });
});

describe('GET and PUT /workspace', () => {
  it('returns the whole workspace, which can be put again', async () => {
    const { get, api } = await startHarness();
    const workspace = await get('/workspace');
    expect(workspace).toMatchObject({
      version: 1,
      name: 'Test',
      clients: [{ client_id: 'demo-app', client_secret: 'demo-secret' }],
      users: [{ sub: 'ada' }],
      audiences: [{ uri: ORDERS }],
      faults: [],
      settings: { signing_alg: 'ES256', profile: 'documented' },
    });
    const answer = await api('PUT', '/workspace', workspace);
    expect(answer.body).toEqual(workspace);
  });

  it('replaces everything, with defaults for omitted members', async () => {
    const { api, get } = await startHarness();
    const answer = await api('PUT', '/workspace', { version: 1, name: 'Empty' });
    expect(answer.body).toMatchObject({
      name: 'Empty',
      clients: [],
      users: [],
      audiences: [],
      settings: { signing_alg: 'RS256' },
    });
    expect((await get<Page<Counter>>('/clients')).items).toEqual([]);
    expect(await get('/server')).toMatchObject({ workspace: { name: 'Empty', state: 'memory' } });
  });

  it('rejects an invalid workspace with every problem, and changes nothing', async () => {
    const { api, get } = shared();
    const before = await get('/workspace');
    const answer = await api('PUT', '/workspace', {
      version: 1,
      clients: [{ client_id: 'a', client_secret: 's', redirect_uris: ['x'] }, { client_id: 'a' }],
      users: 'none',
    });
    expectError(
      answer,
      422,
      'invalid',
      'clients[0].redirect_uris[0]',
      /clients\[0\]\.redirect_uris\[0\] .*clients\[1\]\.client_secret .*users .*clients\[1\]\.client_id /,
    );
    expectError(await api('PUT', '/workspace', { version: 2 }), 422, 'invalid', 'version', /newer/);
    expectError(await api('PUT', '/workspace', {}), 422, 'invalid', 'version');
    expect(await get('/workspace')).toEqual(before);
  });

  it('keeps its keys when a workspace without keys is put', async () => {
    const { get, patch, api, engine } = await startHarness();
    await patch('/clients/demo-app', { client_name: 'x' });
    const [key] = engine.service.keyring.list();
    const keys = [key?.private_jwk];
    await api('PUT', '/workspace', { ...workspaceInput(), keys });
    expect(await get('/workspace')).toMatchObject({ keys: [{ kid: key?.kid }] });
    await api('PUT', '/workspace', workspaceInput());
    expect(await get('/workspace')).toMatchObject({ keys: [{ kid: key?.kid }] });
    expect(engine.service.keyring.list().map(({ kid }) => kid)).toEqual([key?.kid]);
  });
});

describe('GET and PATCH /clock', () => {
  it('returns {now, frozen, offset_seconds}', async () => {
    const { get } = shared();
    expect(await get('/clock')).toEqual({ now: time(), frozen: false, offset_seconds: 0 });
  });

  it('advances, freezes, resumes, sets and resets the clock', async () => {
    const { patch, machine } = await startHarness();
    expect(await patch('/clock', { advance_seconds: 90.5 })).toEqual({
      now: time(90.5),
      frozen: false,
      offset_seconds: 91,
    });
    expect(await patch('/clock', { frozen: true })).toMatchObject({ frozen: true });
    machine.now += 10_000;
    expect(await patch('/clock', { frozen: false })).toEqual({
      now: time(90.5),
      frozen: false,
      offset_seconds: 81,
    });
    expect(await patch('/clock', { now: '2030-01-01T00:00:00+01:00' })).toMatchObject({
      now: '2029-12-31T23:00:00.000Z',
    });
    expect(await patch('/clock', { reset: true })).toEqual({
      now: time(10),
      frozen: false,
      offset_seconds: 0,
    });
  });

  it('returns whole seconds, whatever the machine’s milliseconds are', async () => {
    const { get, patch, machine } = await startHarness();
    await patch('/clock', { frozen: true });
    machine.now += 1400;
    expect(await get('/clock')).toEqual({ now: time(), frozen: true, offset_seconds: -1 });
    machine.now -= 1300;
    expect(await get('/clock')).toMatchObject({ offset_seconds: 0 });
  });

  it.each([
    ['advance_seconds', { advance_seconds: -1 }],
    ['advance_seconds', { advance_seconds: '5' }],
    ['advance_seconds', { advance_seconds: 1e300 }],
    ['now', { now: 'tomorrow' }],
    ['now', { now: 1_700_000_000 }],
    ['now', { now: '1969-12-31T23:59:59Z' }],
    ['now', { now: '9999-01-01T00:00:00Z' }],
    ['frozen', { frozen: 'yes' }],
    ['reset', { reset: false }],
    ['speed', { speed: 2 }],
    [undefined, {}],
    [undefined, { frozen: true, advance_seconds: 1 }],
  ])('rejects %s: %j', async (field, change) => {
    const { api, get } = shared();
    expectError(await api('PATCH', '/clock', change), 422, 'invalid', field);
    expect(await get('/clock')).toMatchObject({ now: time(), frozen: false });
  });

  it('cannot advance the clock beyond the latest valid date', async () => {
    const { api, patch } = await startHarness();
    await patch('/clock', { now: '9899-12-31T00:00:00Z' });
    const answer = await api('PATCH', '/clock', { advance_seconds: 3_153_600_000 });
    expectError(answer, 422, 'invalid', 'advance_seconds', /9900/);
  });
});

describe('GET /keys', () => {
  it('lists public keys only', async () => {
    const items = await shared().list<object>('/keys');
    expect(items).toEqual([
      {
        kid: expect.stringMatching(/^[\w-]{43}$/) as string,
        alg: 'ES256',
        signing: true,
        published: true,
        created_at: time(),
        public_jwk: expect.not.objectContaining({ d: expect.anything() as string }) as object,
      },
    ]);
  });
});

describe('the server', () => {
  it('GET /server returns its state', async () => {
    const { get, engine } = shared();
    const { port } = engine.server();
    expect(await get('/server')).toEqual({
      state: 'running',
      issuer: `http://localhost:${port}`,
      token_endpoint: `http://localhost:${port}/oauth/token`,
      endpoints: expect.objectContaining({
        authorization: `http://localhost:${port}/authorize`,
        end_session: `http://localhost:${port}/logout`,
      }) as object,
      port,
      problem: null,
      ipv6: expect.any(Boolean) as boolean,
      host: null,
      https: false,
      certificate: null,
      version: '0.0.0-test',
      workspace: { name: 'Test', file: 'workspace.json', state: 'memory', message: null },
      keep_problem: null,
    });
  });

  it('stops, and starts again on the same port', async () => {
    const { get, post, engine, url } = await startHarness();
    const { port } = engine.server();
    const address = url();
    expect(await post('/server/stop')).toMatchObject({ state: 'stopped', port });
    expect(await post('/server/stop')).toMatchObject({ state: 'stopped' });
    await expect(call(address, 'GET', '/livez')).rejects.toThrow(/ECONNREFUSED/);
    expect(await post('/server/start')).toMatchObject({ state: 'running', port });
    expect(await post('/server/start')).toMatchObject({ state: 'running', port });
    expect((await call(address, 'GET', '/livez')).status).toBe(200);
    expect(await get('/server')).toMatchObject({ state: 'running' });
  });

  it('reports a port in use as a conflict, with a free port in the state, and can recover', async () => {
    const port = await takenPort();
    const { api, get, post } = await startHarness({ start: false });
    const answer = await api('POST', '/server/start', { port });
    const { problem, ...state } = await get<{ problem: { free_port: number } }>('/server');
    const message = `Port ${port} is already in use; ${problem.free_port} is free.`;
    expectError(answer, 409, 'conflict', 'port', message);
    expect(state).toMatchObject({ state: 'failed', port });
    expect(problem).toMatchObject({ code: 'port_in_use', message });
    const started = await post('/server/start', { port: problem.free_port });
    expect(started).toMatchObject({ state: 'running', problem: null });
  });

  it.each([
    ['port', { port: 70_000 }],
    ['port', { port: '80' }],
    ['host', { host: 'http://0.0.0.0' }],
    ['host', { host: 'a'.repeat(254) }],
    ['https', { https: 'yes' }],
  ])('rejects a start with %s: %j', async (field, input) => {
    expectError(await shared().api('POST', '/server/start', input), 422, 'invalid', field);
  });
});

describe('POST /reset', () => {
  it('removes credentials, exchanges and counters, and resets the clock', async () => {
    const { harness, access_token, refresh_token } = await startSignedIn();
    await harness.patch('/clock', { advance_seconds: 100 });
    expect(await harness.post('/reset')).toEqual({ reset_at: time() });
    for (const path of ['/tokens', '/exchanges', '/throttle']) {
      expect(await harness.get(path)).toEqual({ items: [], next: null });
    }
    expect(await harness.get('/clock')).toMatchObject({ now: time(), offset_seconds: 0 });
    const answer = await refresh(harness, refresh_token);
    expect(answer.body).toMatchObject({ error: 'invalid_grant' });
    expect(await harness.list<object>('/exchanges')).toEqual([
      expect.objectContaining({ number: 2 }) as object,
    ]);
    for (const token of [access_token, refresh_token]) {
      expect((await introspect(harness, token)).text).toBe('{"active":false}');
    }
    expect((await userinfo(harness, access_token)).status).toBe(401);
  });

  it('keeps clients, users and settings unless the workspace is included', async () => {
    const harness = await startHarness();
    await harness.post('/clients', { client_id: 'new' });
    await harness.patch('/settings', { profile: 'strict' });
    await harness.post('/reset', { workspace: false });
    expect(await harness.get('/clients/new')).toMatchObject({ client_id: 'new' });
    expect(await harness.get('/settings')).toMatchObject({ profile: 'strict' });
    await harness.post('/reset', { workspace: true });
    expectError(await harness.api('GET', '/clients/new'), 404, 'not_found');
    expect(await harness.get('/settings')).toMatchObject({ profile: 'documented' });
  });

  it('loads the current workspace file', async () => {
    const file = await workspaceFile();
    const harness = await startHarness({ engine: { workspace: { file, save: false } } });
    await writeFile(file, (await readFile(file, 'utf8')).replace('"demo-app"', '"other-app"'));
    await harness.post('/reset', { workspace: true });
    expect(await harness.get('/clients/other-app')).toMatchObject({
      client_name: 'Demo application',
    });
  });

  it('restores the demo workspace without a file', async () => {
    const harness = await startHarness({ engine: { workspace: undefined } });
    await harness.api('DELETE', '/clients/demo-app');
    await harness.post('/reset', { workspace: true });
    expect(await harness.get('/clients/demo-app')).toMatchObject({
      client_secret: 'demo-secret',
      redirect_uris: [REDIRECT_URI],
    });
  });

  it('resets nothing when the file cannot be read, and says why', async () => {
    const file = await workspaceFile();
    const harness = await startHarness({ engine: { workspace: { file, save: false } } });
    await harness.code();
    await writeFile(file, '{"version": 1, "clients": 3}');
    const answer = await harness.api('POST', '/reset', { workspace: true });
    const why = /workspace\.json: clients must be an array; nothing/;
    expectError(answer, 409, 'conflict', undefined, why);
    expect(await harness.list<object>('/tokens')).toHaveLength(1);
  });

  it('rejects unknown members', async () => {
    expectError(await shared().api('POST', '/reset', { all: true }), 422, 'invalid', 'all');
  });
});
