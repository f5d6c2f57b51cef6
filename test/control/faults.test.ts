// Fault rules over the control API (behaviour 8): stored, counted, rejected with the invalid member, and shown on the
// exchanges they affected.

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { FaultPreset, FaultState } from '../../src/control/fault-schemas.ts';
import type { Exchange, ExchangeSummary } from '../../src/control/schemas.ts';
import { openConnection } from '../support/connection.ts';
import { refresh } from '../support/form-calls.ts';
import {
  call,
  expectError,
  type Harness,
  startHarness,
  workspaceFile,
  type Page,
} from '../support/harness.ts';
import { callSecurely, startSecureHarness } from '../support/https.ts';
import { shareHarness } from '../support/shared-harness.ts';

const DOWN = { when: 'instead', effect: { kind: 'answer', status: 503, body: 'down' } };

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const around = (harness: Harness) => ({
  ...harness,
  rules: async () => await harness.list<FaultState>('/faults'),
  add: (body: unknown) => harness.post<FaultState>('/faults', body),
  refresh: (refresh_token: string) => refresh(harness, refresh_token),
  status: async (path = '/oauth/token') => (await call(harness.url(), 'POST', path)).status,
  newest: async () => {
    const items = await harness.list<ExchangeSummary>('/exchanges?limit=1');
    return items[0]!;
  },
});

const start = async () => around(await startHarness());

const shared = shareHarness();

describe('a rule', () => {
  it('control: is created with an id and defaults, read, changed and deleted', async () => {
    const { api, add, get, patch } = await start();
    const made = await add({ name: 'down', ...DOWN, match: { path: '/oauth/*' }, times: 2 });
    expect(made).toEqual({
      id: expect.stringMatching(/^[\w-]{8}$/),
      name: 'down',
      enabled: true,
      when: 'instead',
      match: { path: '/oauth/*', method: null, grant_type: null, client_id: null },
      times: 2,
      probability: 1,
      seed: 1,
      delay_ms: 0,
      effect: { kind: 'answer', status: 503, headers: [], body: 'down' },
      hits: 0,
      remaining: 2,
    });
    const path = `/faults/${made.id}`;
    expect(await get(path)).toEqual(made);
    const changed = { ...made, times: null, remaining: null };
    expect(await patch(path, { times: null })).toEqual(changed);
    expect((await api('DELETE', path)).status).toBe(204);
    expectError(await api('GET', path), 404, 'not_found', undefined, /fault rule/);
    expectError(await api('PATCH', path, {}), 404, 'not_found');
    expectError(await api('DELETE', path), 404, 'not_found');
    expectError(await api('POST', `${path}/move`, { position: 0 }), 404, 'not_found');
  });

  it('control: keeps a given id, which is unique', async () => {
    const { api, add } = await start();
    expect(await add({ id: 'mine/1', ...DOWN })).toMatchObject({ id: 'mine/1' });
    expectError(await api('POST', '/faults', { id: 'mine/1', ...DOWN }), 409, 'conflict', 'id');
    expect((await api('DELETE', '/faults/mine%2F1')).status).toBe(204);
  });

  it('control: is merged by PATCH, but an effect of another kind replaces the former', async () => {
    const { add, patch } = await start();
    const { id } = await add(DOWN);
    expect(await patch(`/faults/${id}`, { effect: { status: 500 } })).toMatchObject({
      effect: { kind: 'answer', status: 500, body: 'down' },
    });
    const effect = { kind: 'drop', status: null, body: null };
    expect(await patch(`/faults/${id}`, { effect })).toMatchObject({
      effect: { kind: 'drop' },
    });
  });

  it.each([
    ['match.colour', { match: { colour: 'red' } }, /is not a known member/],
    ['when', { when: undefined }, /is required/],
    [
      'effect.headers[0][0]',
      { effect: { kind: 'answer', status: 200, headers: [['Transfer-Encoding', 'chunked']] } },
      /that the server writes itself/,
    ],
    ['hits', { hits: 3 }, /is not a known member/],
    ['preset', { preset: 'none' }, /must be one of throttled_twice, /],
    ['id', { id: '' }, /must not be empty/],
  ])('control: is rejected for %s: %j', async (field, members, message) => {
    const { api, rules } = around(shared());
    const answer = await api('POST', '/faults', { ...DOWN, ...members });
    expectError(answer, 422, 'invalid', field, message);
    expect(await rules()).toEqual([]);
  });

  it('control: is unchanged after an invalid change', async () => {
    const { api, add, get } = await start();
    const made = await add(DOWN);
    const answer = await api('PATCH', `/faults/${made.id}`, { effect: { kind: 'cut' } });
    const message = 'when must be after: cut changes the normal response';
    expectError(answer, 422, 'invalid', 'when', message);
    expect(await get(`/faults/${made.id}`)).toEqual(made);
  });

  it('control: can be added up to 200 times', async () => {
    const { api, patch, engine } = await start();
    const { faults } = engine.service;
    const made = await api('POST', '/faults', { id: 'first', ...DOWN });
    expect(made.status).toBe(201);
    const { fault } = faults.get('first')!;
    for (let count = 1; count < 200; count++) faults.put({ ...fault, id: String(count) });
    expectError(await api('POST', '/faults', DOWN), 409, 'conflict', undefined, /200/);
    expect(await patch('/faults/first', { enabled: false })).toMatchObject({ enabled: false });
  });
});

describe('the list', () => {
  it('control: has the order in which rules are tried, in pages', async () => {
    const { add, get, post, rules, api } = await start();
    for (const id of ['a', 'b', 'c']) await add({ id, ...DOWN });
    const first = await get<Page<FaultState>>('/faults?limit=2');
    expect(first.items.map(({ id }) => id)).toEqual(['a', 'b']);
    const second = await get<Page<FaultState>>(`/faults?after=${first.next}`);
    expect(second.items.map(({ id }) => id)).toEqual(['c']);
    await post('/faults/c/move', { position: 0 });
    expect((await rules()).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expectError(await api('POST', '/faults/c/move', { position: -1 }), 422, 'invalid', 'position');
    expectError(await api('POST', '/faults/c/move', {}), 422, 'invalid', 'position');
    expect((await api('DELETE', '/faults')).status).toBe(204);
    expect(await rules()).toEqual([]);
  });
});

describe('presets', () => {
  it('control: are listed with a description, each as a complete rule', async () => {
    const items = await shared().list<FaultPreset>('/fault-presets');
    expect(items.length).toBeGreaterThan(15);
    expect(items[0]).toMatchObject({
      id: 'throttled_twice',
      text: expect.stringMatching(/\.$/),
      fault: { name: '429 twice, then normal responses', when: 'instead', times: 2, enabled: true },
    });
  });

  it('control: create a rule from only their name', async () => {
    const { get, add, rules } = await start();
    const { items } = await get<Page<FaultPreset>>('/fault-presets');
    for (const { id, fault } of items) expect(await add({ preset: id })).toMatchObject(fault);
    expect(await rules()).toHaveLength(items.length);
  });

  it('control: can be overridden by other members', async () => {
    const { add } = await start();
    const match = { client_id: 'demo-app' };
    const made = await add({ preset: 'throttled_twice', times: 1, name: 'mine', match });
    expect(made).toMatchObject({
      name: 'mine',
      times: 1,
      match: { path: '/oauth/token', method: 'POST', client_id: 'demo-app' },
      effect: { status: 429 },
    });
    expect(await add({ preset: 'cut', effect: { kind: 'drop' } })).toMatchObject({
      when: 'after',
      effect: { kind: 'drop' },
    });
  });
});

describe('exchanges', () => {
  it('behaviour 8.6: have a mark for a fault, with its name and what it did', async () => {
    const { add, status, newest, get } = await start();
    expect(await status()).toBe(400);
    expect((await newest()).fault).toBeNull();
    const { id } = await add({ preset: 'unavailable_three_times' });
    await status();
    const summary = await newest();
    expect(summary).toMatchObject({
      status: 503,
      error: 'temporarily_unavailable',
      fault: {
        id,
        name: '503 three times',
        what: 'Sent 503 without evaluating the request.',
      },
    });
    const view = await get<Exchange>(`/exchanges/${summary.number}`);
    expect(view.fault).toEqual(summary.fault);
    expect(view.trace).toEqual([]);
  });

  it('behaviour 8.3: can be found by the client_id in an unevaluated request', async () => {
    const { add, refresh, newest, get } = await start();
    await add({ preset: 'invalid_grant' });
    await refresh('any');
    const summary = await newest();
    expect(summary).toMatchObject({
      client_id: 'demo-app',
      grant_type: 'refresh_token',
      cause: null,
    });
    const found = await get<Page<ExchangeSummary>>('/exchanges?client_id=demo-app');
    expect(found.items).toEqual([summary]);
    expect((await get<Page<ExchangeSummary>>('/exchanges?client_id=other')).items).toEqual([]);
  });

  it('behaviour 8: keep the mark when the rule is changed or deleted', async () => {
    const { add, api, status, newest } = await start();
    await add({ id: 'down', name: 'before', ...DOWN });
    await status();
    await api('DELETE', '/faults/down');
    expect((await newest()).fault).toMatchObject({ id: 'down', name: 'before' });
  });

  it('behaviour 8: show a dropped response as no response, above a trace in which everything passed', async () => {
    const { add, signIn, refresh, newest, get } = await start();
    const { refresh_token } = await signIn();
    await add({ preset: 'lost' });
    await expect(refresh(refresh_token)).rejects.toMatchObject({ code: 'ECONNRESET' });
    const summary = await newest();
    expect(summary).toMatchObject({ status: 0, error: null, fault: { id: expect.any(String) } });
    const view = await get<Exchange>(`/exchanges/${summary.number}`);
    expect(view.response).toMatchObject({ body: '', headers: [], body_bytes: 0 });
    expect(view.trace).not.toEqual([]);
  });

  it.each([
    ['dropped', 0],
    ['cut', 400],
  ])('control: are returned for a sent request that is %s', async (preset, status) => {
    const { add, post } = await start();
    await add({ preset });
    const exchange = await post<Exchange>('/requests', { path: '/oauth/token', body: '{' });
    expect(exchange).toMatchObject({ status, fault: { what: expect.any(String) } });
  });
});

describe('a client that disconnects', () => {
  const FIVE_MINUTES = 300_000;

  it.each<[string, object, number, string]>([
    [
      'before the silence ends',
      { preset: 'silent', delay_ms: FIVE_MINUTES },
      0,
      'Did not evaluate the request. The connection was closed during the delay of 300 s, so no response was sent.',
    ],
    [
      'before a slow response',
      { preset: 'slow', delay_ms: FIVE_MINUTES },
      0,
      'Evaluated the request. The connection was closed during the delay of 300 s, so no response was sent.',
    ],
    [
      'during a slow response',
      { preset: 'dribbled', effect: { duration_ms: FIVE_MINUTES } },
      400,
      'Sent the body slowly. The connection was closed before its end.',
    ],
  ])('behaviour 8: %s leaves an exchange with what was sent', async (_when, rule, status, what) => {
    const { add, connect, get, url } = await start();
    await add(rule);
    const feed = await (await connect()).events();
    await feed.next();
    const connection = openConnection(Number(new URL(url()).port));
    const sent = connection.send('POST', '/oauth/token', '{', FORM);
    if (status === 0) await feed.next();
    else await sent.answered;
    sent.hangUp();
    expect(await sent.outcome).toMatchObject({ status, broken: 'ECONNRESET' });
    const { items } = await get<Page<ExchangeSummary>>('/exchanges?wait_seconds=20');
    expect(items).toMatchObject([{ status, fault: { what } }]);
    connection.close();
    await feed.return();
  });
});

describe('over https', () => {
  it.each(['dropped', 'cut'])(
    'behaviour 8: a connection that is %s ends, and the next one works',
    async (preset) => {
      const { tls, port, post } = await startSecureHarness();
      await post('/faults', { preset });
      const order = { method: 'POST', body: '{' };
      const endpoint = `https://localhost:${port()}/oauth/token`;
      const error = { code: 'ECONNRESET' };
      await expect(callSecurely(endpoint, tls.cert, order)).rejects.toMatchObject(error);
      expect((await callSecurely(endpoint, tls.cert, order)).status).toBe(400);
    },
  );
});

describe('the workspace', () => {
  it('control: a reset with workspace restores the rules of the file', async () => {
    const fault = { id: 'filed', ...DOWN, times: 1 } as const;
    const harness = await startHarness({ workspace: { faults: [fault as never] } });
    await harness.post('/faults', DOWN);
    await harness.patch('/faults/filed', { enabled: false });
    await harness.post('/reset', { workspace: true });
    const items = await harness.list<FaultState>('/faults');
    expect(items).toMatchObject([{ id: 'filed', enabled: true, hits: 0, remaining: 1 }]);
  });

  it('control: is saved with its rules as written, and not after a hit', async () => {
    const file = await workspaceFile();
    const { engine, post, patch, url } = await startHarness({
      engine: { workspace: { file, save: true } },
    });
    await post('/faults', { id: 'down', ...DOWN, times: 3 });
    await post('/faults', { id: 'late', preset: 'slow' });
    await patch('/faults/late', { enabled: false });
    await call(url(), 'POST', '/oauth/token');
    await engine.close();
    const saved = JSON.parse(await readFile(file, 'utf8')) as { faults: FaultState[] };
    expect(saved.faults).toMatchObject([
      { id: 'down', times: 3, effect: { status: 503 } },
      { id: 'late', enabled: false, delay_ms: 5000 },
    ]);
    expect(Object.keys(saved.faults[0]!)).not.toContain('hits');

    const again = await startHarness({ engine: { workspace: { file, save: false } } });
    const items = await again.list<FaultState>('/faults');
    expect(items).toMatchObject([
      { id: 'down', hits: 0, remaining: 3 },
      { id: 'late', hits: 0, remaining: null },
    ]);
  });

  it('control: is replaced with its rules by PUT, which reports the path of an invalid rule', async () => {
    const { api, get, rules } = await start();
    const workspace = await get('/workspace');
    const put = (faults: unknown[]) => api('PUT', '/workspace', { ...workspace, faults });
    expect((await put([{ id: 'a', ...DOWN }])).status).toBe(200);
    expect(await rules()).toMatchObject([{ id: 'a' }]);
    const bad = await put([{ id: 'a', ...DOWN, match: { path: 'x' } }]);
    expectError(bad, 422, 'invalid', 'faults[0].match.path', /must begin with/);
    expect(await rules()).toHaveLength(1);
  });
});
