// The provider shape over the control API: set, described, replaced, removed, and rejected as a whole when invalid.

import { describe, expect, it } from 'vitest';
import type { ServerState, ShapeState } from '../../src/control/schemas.ts';
import { call, expectError, startHarness, type Harness } from '../support/harness.ts';

const put = (harness: Harness, shape: unknown) => harness.api('PUT', '/shape', shape);

const issuerOf = async (harness: Harness, path: string) => {
  const answer = await call(harness.url(), 'GET', `${path}/.well-known/openid-configuration`);
  return answer.status === 200 ? (answer.body as { issuer: string }).issuer : answer.status;
};

describe('behaviour 12: the shape over the control API', () => {
  it('applies from the next request on, says what it changes, and can be removed', async () => {
    const harness = await startHarness();
    expect(await harness.get('/shape')).toEqual({ shape: null, name: null, changes: [] });
    expect(await issuerOf(harness, '/realms/sandbox')).toBe(404);

    const set = await put(harness, { provider: 'keycloak' });
    expect([set.status, set.body]).toMatchObject([200, { name: 'Keycloak' }]);
    const { changes } = await harness.get<ShapeState>('/shape');
    expect(changes).toContain('The issuer ends in /realms/sandbox.');
    expect(await issuerOf(harness, '/realms/sandbox')).toMatch(/\/realms\/sandbox$/);

    const { issuer, endpoints } = await harness.get<ServerState>('/server');
    expect(endpoints).toMatchObject({
      openid_configuration: `${issuer}/.well-known/openid-configuration`,
      oauth_authorization_server: `${new URL(issuer).origin}/.well-known/oauth-authorization-server/realms/sandbox`,
    });
    for (const url of [endpoints.openid_configuration, endpoints.oauth_authorization_server])
      expect(await (await fetch(url)).json(), url).toMatchObject({ issuer });

    expect((await harness.api('DELETE', '/shape')).status).toBe(204);
    expect(await harness.get('/shape')).toEqual({ shape: null, name: null, changes: [] });
    expect(await issuerOf(harness, '/realms/sandbox')).toBe(404);
  });

  it('behaviour 12.9: resets its settings when removed, except those that were changed', async () => {
    const harness = await startHarness();
    const lifetimes = async () =>
      (await harness.get<{ lifetimes: Record<string, number> }>('/settings')).lifetimes;
    const before = await lifetimes();
    await put(harness, { provider: 'entra' });
    expect(await lifetimes()).toMatchObject({ access_token: 3599, code: 600 });
    await harness.patch('/settings', { lifetimes: { code: 120 } });
    await harness.api('DELETE', '/shape');
    expect(await lifetimes()).toEqual({ ...before, code: 120 });
  });

  it('behaviour 12.9: restores what was set before the first shape', async () => {
    const harness = await startHarness();
    const own = { profile: 'interop', lifetimes: { access_token: 60 } };
    await harness.patch('/settings', own);
    for (const provider of ['okta', 'entra']) await put(harness, { provider });
    expect(await harness.get('/settings')).toMatchObject({ lifetimes: { access_token: 3599 } });
    await harness.api('DELETE', '/shape');
    expect(await harness.get('/settings')).toMatchObject(own);
  });

  it('is rejected with the member and the rule when invalid, and the former one stays', async () => {
    const harness = await startHarness();
    await put(harness, { provider: 'okta' });
    const refused = await put(harness, { paths: { token: ['/livez'] } });
    expectError(refused, 422, 'invalid', 'shape.paths.token[0]', /which the service itself uses/);
    expect((await harness.get<ShapeState>('/shape')).name).toBe('Okta');
  });

  it('lists the shipped shapes with what each one changes', async () => {
    const harness = await startHarness();
    const items = await harness.list<{ provider: string; changes: string[] }>('/shape-providers');
    expect(items.map(({ provider }) => provider)).toEqual(['auth0', 'okta', 'entra', 'keycloak']);
    for (const { changes } of items) expect(changes.length).toBeGreaterThan(3);
  });
});
