// docs/reference/workspace.md: flows and requests saved by name, listed, put and deleted over REST; bounds; no secrets.

import { describe, expect, it } from 'vitest';
import { SAVED_BOUNDS } from '../../src/core/records/bounds.ts';
import { expectError, type Harness, startHarness } from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';

const SAVED_AT = '2026-02-01T10:00:00.000Z';

const scenario = (name = 'Checkout', steps: readonly object[] = [{ issue_code: {} }]) => ({
  format: 'grantbench-scenario',
  version: 1,
  name,
  steps,
});

const REQUEST = {
  method: 'POST',
  path: '/oauth/token?trace=1',
  client_id: 'demo-app',
  headers: [['Content-Type', 'application/x-www-form-urlencoded']],
  body: 'grant_type=refresh_token&refresh_token=',
};

interface Page {
  readonly items: readonly { readonly name?: string; readonly scenario?: { name: string } }[];
}

const around = (harness: Harness) => {
  const flow = (name: string, body: object = { scenario: scenario() }) =>
    harness.api('PUT', `/saved-flows/${encodeURIComponent(name)}`, body);
  const request = (name: string, body: object = REQUEST) =>
    harness.api('PUT', `/saved-requests/${encodeURIComponent(name)}`, body);
  const names = async (path: string) =>
    (await harness.get<Page>(path)).items.map((one) => one.name ?? one.scenario?.name);
  return { ...harness, flow, request, names };
};

const start = async () => around(await startHarness());

const shared = shareHarness();

describe('an item saved by name', () => {
  it('behaviour 16.1: is listed newest first, read, replaced and deleted by its name', async () => {
    const { flow, request, names, get, api } = await start();
    await flow('Old', { scenario: scenario(), saved_at: SAVED_AT });
    await flow('Shop / été');
    expect(await names('/saved-flows')).toEqual(['Shop / été', 'Old']);
    expect(await get('/saved-flows/Old')).toEqual({
      saved_at: SAVED_AT,
      scenario: scenario('Old'),
    });
    await flow('Old', { scenario: scenario('Old', [{ issue_tokens: {} }]) });
    expect(await get('/saved-flows/Old')).toMatchObject({
      scenario: { steps: [{ issue_tokens: {} }] },
    });
    await api('DELETE', '/saved-flows/Old');
    expect(await names('/saved-flows')).toEqual(['Shop / été']);

    await request('Refresh', { ...REQUEST, saved_at: SAVED_AT });
    expect(await get('/saved-requests/Refresh')).toEqual({
      name: 'Refresh',
      saved_at: SAVED_AT,
      template: null,
      format: 'form',
      ...REQUEST,
    });
    await api('DELETE', '/saved-requests/Refresh');
    expect(await names('/saved-requests')).toEqual([]);
  });

  it('behaviour 16.1: is replaced only when the request allows it', async () => {
    const { flow, get } = await start();
    await flow('Checkout');
    const other = { scenario: scenario('Checkout', [{ issue_tokens: {} }]), replace: false };
    const message = 'the saved flow "Checkout" already exists';
    expectError(await flow('Checkout', other), 409, 'conflict', 'name', message);
    expect(await get('/saved-flows/Checkout')).toMatchObject({ scenario: scenario() });
  });

  it('is not found under another name', async () => {
    for (const method of ['GET', 'DELETE']) {
      const missing = await shared().api(method, '/saved-requests/None');
      expectError(missing, 404, 'not_found', undefined, 'there is no saved request "None"');
    }
  });
});

describe('behaviour 16.3: an item is rejected', () => {
  it.each([
    ['an unknown member', { scenario: scenario(), steps: [] }, 'steps'],
    ['a missing scenario', {}, 'scenario'],
    ['another document', { scenario: { ...scenario(), format: 'x' } }, 'scenario.format'],
    ['no steps', { scenario: scenario('x', []) }, 'scenario.steps'],
    ['an invalid time', { scenario: scenario(), saved_at: 'now' }, 'saved_at'],
  ])('%s', async (_what, body, field) => {
    const { flow } = around(shared());
    expect((await flow('Checkout', body)).body).toMatchObject({ code: 'invalid', field });
  });

  it.each([['a '], ['a\nb'], ['x'.repeat(81)]])('the name %j', async (name) => {
    const { request } = around(shared());
    expect((await request(name)).body).toMatchObject({ code: 'invalid', field: 'name' });
  });

  it('a record of more than 256 KiB', async () => {
    const { flow } = around(shared());
    const large = scenario('Large', [{ name: 'x'.repeat(300_000) }]);
    const answer = await flow('Large', { scenario: large });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('must not take more than 256 KiB in memory');
  });

  it('beyond the limit, while an item of the same name can be replaced', async () => {
    const { request } = await start();
    for (let n = 0; n < SAVED_BOUNDS.requests.entries; n += 1) await request(`r${n}`);
    const message =
      'another saved request cannot be added: a workspace can have at most 100, with 0.5 MiB in total';
    expectError(await request('more'), 409, 'conflict', undefined, message);
    expect((await request('r0')).status).toBe(200);
  });

  it('when flows are too large together', async () => {
    const { flow } = await start();
    const steps = [{ name: 'x'.repeat(200_000) }];
    const statuses: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      statuses.push((await flow(`f${n}`, { scenario: scenario('f', steps) })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 409, 409]);
  });
});

describe('behaviour 16.3: a secret of the sandbox is not saved, and its member is named', () => {
  const MESSAGE = 'contains a secret of this sandbox, which is not saved';

  it('a client_secret, verbatim, percent-encoded or in HTTP Basic', async () => {
    const { flow, request } = around(shared());
    const steps = [{ token: { grant: 'x', fields: { note: 'has demo-secret in it' } } }];
    const refused = await flow('Checkout', { scenario: scenario('Checkout', steps) });
    const field = 'scenario.steps[0].token.fields.note';
    expectError(refused, 422, 'invalid', field, `${field} ${MESSAGE}`);
    const basic = Buffer.from('demo-app:demo-secret').toString('base64');
    const headers = [
      ['Accept', '*/*'],
      ['Authorization', `Basic ${basic}`],
    ];
    expect((await request('Basic', { ...REQUEST, headers })).body).toMatchObject({
      field: 'headers[1][1]',
    });
    const path = '/oauth/token?secret=demo%2Dsecret';
    expect((await request('Query', { ...REQUEST, path })).body).toMatchObject({ field: 'path' });
  });

  it('a live code, and an access token', async () => {
    const { request, post, code: issue } = await start();
    const code = await issue();
    const { access_token } = await post<{ access_token: string }>('/tokens', {
      client_id: 'demo-app',
    });
    for (const secret of [code, access_token]) {
      const answer = await request('Live', { ...REQUEST, body: `a=b&c=${secret}` });
      expect(answer.body).toMatchObject({ code: 'invalid', field: 'body' });
    }
  });

  it('a secret in a workspace that is put', async () => {
    const { get, api } = shared();
    const workspace = await get<object>('/workspace');
    const saved_requests = [
      { name: 'a', saved_at: SAVED_AT, method: 'GET', path: '/' },
      { name: 'b', saved_at: SAVED_AT, method: 'GET', path: '/?demo-secret' },
    ];
    const refused = await api('PUT', '/workspace', { ...workspace, saved_requests });
    const field = 'saved_requests[1].path';
    expectError(refused, 422, 'invalid', field, `${field} ${MESSAGE}`);
    expect(await get('/workspace')).toEqual(workspace);
  });

  it('but a challenge, a reference or a name is saved', async () => {
    const { flow } = await start();
    const fields = {
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      client_secret: '{{client.client_secret}}',
      password: '[redacted]',
    };
    const steps = [{ token: { grant: 'authorization_code', fields } }];
    expect((await flow('Checkout', { scenario: scenario('x', steps) })).status).toBe(200);
  });
});

describe('behaviour 16.2: in the workspace', () => {
  it('an empty list is not written', async () => {
    expect(Object.keys(await shared().get<object>('/workspace'))).not.toEqual(
      expect.arrayContaining(['saved_flows', 'saved_requests']),
    );
  });

  it('saved items survive a reset, and a workspace without them', async () => {
    const { flow, request, names, post, get, api } = await start();
    await flow('Checkout');
    await request('Refresh');
    await post('/reset', {});
    const { saved_flows, saved_requests, ...others } = await get('/workspace');
    expect([saved_flows, saved_requests]).toMatchObject([[{}], [{ name: 'Refresh' }]]);
    await api('PUT', '/workspace', others);
    expect(await names('/saved-flows')).toEqual(['Checkout']);
    await api('PUT', '/workspace', { ...others, saved_flows: [] });
    expect(await names('/saved-flows')).toEqual([]);
    expect(await names('/saved-requests')).toEqual(['Refresh']);
  });

  it('a name is unique', async () => {
    const { get, api } = shared();
    const workspace = await get<object>('/workspace');
    const saved_flows = [1, 2].map(() => ({ saved_at: SAVED_AT, scenario: scenario() }));
    expect((await api('PUT', '/workspace', { ...workspace, saved_flows })).body).toMatchObject({
      message: 'saved_flows[1].scenario.name repeats "Checkout"',
    });
  });
});
