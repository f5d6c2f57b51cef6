// docs/reference/control-api.md over REST: codes, tokens, lineages and their states.

import { describe, expect, it } from 'vitest';
import type { Credential } from '../../src/control/schemas.ts';
import { redeem, refresh } from '../support/form-calls.ts';
import type { Harness, Page } from '../support/harness.ts';
import {
  expectError,
  ORDERS,
  REDIRECT_URI,
  START,
  startHarness,
  startSignedIn,
} from '../support/harness.ts';
import { shareHarness } from '../support/shared-harness.ts';

const ORDER = { client_id: 'demo-app', redirect_uri: REDIRECT_URI };

const timeAfter = (seconds: number) => new Date(START + seconds * 1000).toISOString();

const shared = shareHarness();

async function kinds({ get }: Harness): Promise<Record<string, Credential>> {
  const { items } = await get<Page<Credential>>('/tokens');
  return Object.fromEntries(items.map((credential) => [credential.kind, credential]));
}

describe('POST /codes', () => {
  it('returns 201 {code, expires_at, redirect_to, scope, lineage_id}', async () => {
    const { post, engine } = await startHarness();
    const issued = await post<{ code: string }>('/codes', {
      ...ORDER,
      scope: 'openid',
      state: 'a b&c',
    });
    const { issuer } = engine.server();
    expect(issued).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/) as string,
      expires_at: timeAfter(600),
      redirect_to: `${REDIRECT_URI}?${new URLSearchParams({
        code: issued.code,
        state: 'a b&c',
        iss: issuer,
      }).toString()}`,
      scope: 'openid',
      lineage_id: '1',
    });
  });

  it.each([
    ['http://a.test/cb?keep=1', 'http://a.test/cb?keep=1&code='],
    ['http://a.test/cb?', 'http://a.test/cb?code='],
    ['myapp:/cb', 'myapp:/cb?code='],
    ['http://a.test', 'http://a.test?code='],
  ])('keeps the redirect URI %s unchanged', async (uri, start) => {
    const { post, patch } = await startHarness();
    await patch('/clients/demo-app', { redirect_uris: [uri] });
    const issued = await post('/codes', { ...ORDER, redirect_uri: uri });
    expect(String(issued['redirect_to']).startsWith(start)).toBe(true);
    expect(issued['redirect_to']).not.toContain('state=');
  });

  it('accepts its own lifetimes', async () => {
    const harness = await startHarness();
    const issued = await harness.post<{ code: string; expires_at: string }>('/codes', {
      ...ORDER,
      code_expires_in: 5,
      access_token_expires_in: 7,
    });
    expect(issued.expires_at).toBe(timeAfter(5));
    expect((await redeem(harness, issued.code)).body).toMatchObject({ expires_in: 7 });
  });

  it.each([
    ['redirect_uri', { redirect_uri: `${REDIRECT_URI}/` }],
    ['code_challenge', { code_challenge: 'short', code_challenge_method: 'S256' }],
    ['code_challenge', { code_challenge_method: 'S256' }],
    ['code_challenge_method', { code_challenge: 'x'.repeat(43), code_challenge_method: 'S512' }],
    ['code_expires_in', { code_expires_in: 0 }],
    ['code_expires_in', { code_expires_in: 1.5 }],
    ['access_token_expires_in', { access_token_expires_in: 'long' }],
    ['colour', { colour: 'red' }],
  ])('rejects with 422 and %s: %j', async (field, members) => {
    const { api, get } = shared();
    expectError(await api('POST', '/codes', { ...ORDER, ...members }), 422, 'invalid', field);
    expect((await get<Page<Credential>>('/tokens')).items).toEqual([]);
  });

  it.each(['client_id', 'redirect_uri'])('requires %s', async (field) => {
    const { [field as keyof typeof ORDER]: _, ...rest } = ORDER;
    const answer = await shared().api('POST', '/codes', rest);
    expectError(answer, 422, 'invalid', field, /is required/);
  });

  it('works while the token service is stopped', async () => {
    const { post } = await startHarness({ start: false });
    expect(await post('/codes', ORDER)).toHaveProperty('code');
  });
});

describe('POST /tokens', () => {
  it('issues a pair without a code that works at the token endpoint', async () => {
    const harness = await startHarness();
    const order = { client_id: 'demo-app', audience: ORDERS, scope: 'orders:read' };
    const minted = await harness.post<{ refresh_token: string }>('/tokens', order);
    expect(minted).toEqual({
      access_token: expect.stringMatching(/^eyJ/) as string,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/) as string,
      token_type: 'Bearer',
      expires_in: 86_400,
      scope: 'orders:read',
      lineage_id: '1',
    });
    expect((await refresh(harness, minted.refresh_token)).status).toBe(200);
  });

  it('issues no refresh token to a client without that grant, and no scope when none was requested', async () => {
    const { post, patch } = await startHarness();
    await patch('/clients/demo-app', { grant_types: ['authorization_code'] });
    const minted = await post('/tokens', { client_id: 'demo-app', access_token_expires_in: 9 });
    expect(minted).toMatchObject({ refresh_token: null, scope: null, expires_in: 9 });
  });

  it.each([
    ['client_id', { client_id: 'none' }],
    ['sub', { sub: 'none' }],
    ['audience', { audience: 'https://none.example' }],
    ['scope', { scope: 'unknown:scope' }],
    ['redirect_uri', { redirect_uri: REDIRECT_URI }],
  ])('rejects with 422 and %s', async (field, members) => {
    const order = { client_id: 'demo-app', ...members };
    expectError(await shared().api('POST', '/tokens', order), 422, 'invalid', field);
  });
});

describe('GET /tokens', () => {
  it('lists credentials newest first, without their values unless secrets are requested', async () => {
    const { signIn, get } = await startHarness();
    const { access_token, refresh_token } = await signIn();
    const { items } = await get<Page<Credential>>('/tokens');
    expect(items.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'refresh_token active',
      'access_token active',
      'code redeemed',
    ]);
    expect(items.map(({ value }) => value)).toEqual([null, null, null]);
    const shown = await get<Page<Credential>>('/tokens?secrets=1');
    expect(shown.items.map(({ value }) => value).slice(0, 2)).toEqual([
      refresh_token,
      access_token,
    ]);
  });

  it('is paged', async () => {
    const { post, get, api } = await startHarness();
    for (let count = 0; count < 3; count++) await post('/codes', ORDER);
    const first = await get<Page<Credential>>('/tokens?limit=2');
    expect(first.items.map(({ id }) => id)).toEqual(['3.1', '2.1']);
    const second = await get<Page<Credential>>(`/tokens?limit=2&after=${first.next}`);
    expect(second.items.map(({ id }) => id)).toEqual(['1.1']);
    expect(second.next).toBeNull();
    expectError(await api('GET', '/tokens?after=none'), 422, 'invalid', 'after');
  });

  it('GET /tokens/{id} returns a credential, or 404 for an unknown id', async () => {
    const { signIn, get, api } = await startHarness();
    const { refresh_token } = await signIn();
    const credential = await get('/tokens/1.3');
    expect(credential).toMatchObject({
      kind: 'refresh_token',
      client_id: 'demo-app',
      sub: 'ada',
      audience: ORDERS,
      issued_at: timeAfter(0),
      expires_at: timeAfter(2_592_000),
      ended_at: null,
      issued_by: 1,
      ended_by: null,
      value: null,
    });
    expect(await get('/tokens/1.3?secrets=true')).toMatchObject({ value: refresh_token });
    for (const id of ['9.9', 'x', '1.3.1']) {
      expectError(await api('GET', `/tokens/${id}`), 404, 'not_found');
    }
  });
});

describe('ending credentials', () => {
  it('POST /tokens/{id}/revoke revokes a refresh token with its lineage', async () => {
    const { harness, refresh_token } = await startSignedIn();
    const { refresh_token: credential } = await kinds(harness);
    const revoked = await harness.post(`/tokens/${credential?.id}/revoke`);
    expect(revoked).toMatchObject({ state: 'revoked', ended_at: timeAfter(0) });
    expect((await kinds(harness))['access_token']).toMatchObject({ state: 'revoked' });
    const answer = await refresh(harness, refresh_token);
    expect(answer.body).toMatchObject({ error: 'invalid_grant' });
  });

  it('POST /tokens/{id}/revoke revokes only an access token itself', async () => {
    const harness = await startHarness();
    await harness.signIn();
    const { access_token } = await kinds(harness);
    expect(await harness.post(`/tokens/${access_token?.id}/revoke`)).toMatchObject({
      state: 'revoked',
    });
    expect((await kinds(harness))['refresh_token']).toMatchObject({ state: 'active' });
  });

  it('POST /tokens/{id}/expire expires a credential now', async () => {
    const harness = await startHarness();
    const code = await harness.code();
    expect(await harness.post('/tokens/1.1/expire')).toMatchObject({ state: 'expired' });
    expect((await redeem(harness, code)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('POST /lineages/{id}/revoke ends all credentials of one authorization', async () => {
    const harness = await startHarness();
    await harness.signIn();
    await harness.code();
    const revoked = await harness.post('/lineages/1/revoke');
    expect(revoked).toEqual({ lineage_id: '1', revoked_at: timeAfter(0) });
    const items = await harness.list<Credential>('/tokens');
    expect(items.map(({ lineage_id, kind, state }) => `${lineage_id} ${kind} ${state}`)).toEqual([
      '2 code issued',
      '1 refresh_token revoked',
      '1 access_token revoked',
      '1 code redeemed',
    ]);
  });

  it('terminal states are final: ending again changes nothing', async () => {
    const harness = await startHarness();
    await harness.code();
    const expired = await harness.post('/tokens/1.1/expire');
    harness.machine.now += 5000;
    expect(await harness.post('/tokens/1.1/revoke')).toEqual(expired);
    await harness.post('/lineages/1/revoke');
    const again = await harness.post('/lineages/1/revoke');
    expect(again['revoked_at']).toBe(timeAfter(5));
  });

  it.each(['/tokens/9.9/revoke', '/tokens/9.9/expire', '/lineages/zz/revoke'])(
    'POST %s is 404',
    async (path) => {
      expectError(await shared().api('POST', path), 404, 'not_found');
    },
  );
});
