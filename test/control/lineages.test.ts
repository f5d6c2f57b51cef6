// docs/reference/control-api.md over REST: finding credentials among many, and all credentials of one authorization.

import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Credential, Lineage } from '../../src/control/schemas.ts';
import { DEVICE_CODE_GRANT } from '../../src/core/records/schemas.ts';
import * as calls from '../support/form-calls.ts';
import { form, introspect, userinfo } from '../support/form-calls.ts';
import { createPerson } from '../support/person.ts';
import { shareHarness } from '../support/shared-harness.ts';
import type { Harness, Page } from '../support/harness.ts';
import {
  CREDENTIALS,
  expectError,
  ORDERS,
  REDIRECT_URI,
  START,
  startHarness,
  startSignedIn,
} from '../support/harness.ts';

const timeAfter = (seconds: number) => new Date(START + seconds * 1000).toISOString();

const refresh = async (harness: Harness, refresh_token: string, status = 200) => {
  expect((await calls.refresh(harness, refresh_token)).status).toBe(status);
};

const rotating = (grace_seconds: number) =>
  startHarness({
    workspace: {
      settings: { refresh_rotation: { enabled: true, grace_seconds }, throttle: { mode: 'off' } },
    },
  });

const tree = ({ members }: Lineage) =>
  members.map(({ id, kind, parent_id }) => `${id} ${kind} of ${parent_id ?? 'nothing'}`);

describe('GET /tokens with a filter', () => {
  const ids = async ({ get }: Harness, query: string) =>
    (await get<Page<Credential>>(`/tokens?${query}`)).items.map(({ id }) => id);

  const shared = shareHarness();
  let tokens: Awaited<ReturnType<Harness['signIn']>>;
  beforeAll(async () => {
    const { post, signIn, code } = shared();
    await post('/clients', { client_id: 'other', redirect_uris: [REDIRECT_URI] });
    tokens = await signIn();
    await code();
    await code({ client_id: 'other', audience: ORDERS, scope: 'orders:read' });
  });

  it.each([
    ['kind=code', ['3.1', '2.1', '1.1']],
    ['kind=code&state=issued', ['3.1', '2.1']],
    ['state=redeemed', ['1.1']],
    ['client_id=other', ['3.1']],
    ['client_id=none', []],
    ['text=ORDERS:READ', ['3.1']],
    ['text=1.2', ['1.2']],
    ['text=%20other%20', ['3.1']],
    ['kind=access_token&text=orders.example', ['1.2']],
  ])('lists only matching credentials: %s', async (query, expected) => {
    expect(await ids(shared(), query)).toEqual(expected);
  });

  it('finds a credential by its text and an access token by its jti, without showing them', async () => {
    const { jti = '' } = decodeJwt(tokens.access_token);
    const find = (text: string) =>
      shared().get<Page<Credential>>(`/tokens?${new URLSearchParams({ text })}`);
    expect((await find(tokens.refresh_token)).items).toMatchObject([{ id: '1.3', value: null }]);
    expect((await find(tokens.access_token)).items).toMatchObject([{ id: '1.2', value: null }]);
    expect((await find(jti)).items).toMatchObject([{ id: '1.2' }]);
    expect((await find(tokens.refresh_token.slice(0, -1))).items).toEqual([]);
  });

  it('uses the states at the current time of the sandbox clock', async () => {
    const harness = await startHarness();
    await harness.code();
    await harness.patch('/clock', { advance_seconds: 600 });
    expect(await ids(harness, 'kind=code&state=issued')).toEqual([]);
    expect(await ids(harness, 'kind=code&state=expired')).toEqual(['1.1']);
  });

  it('is paged by matching credentials', async () => {
    const { get } = shared();
    const first = await get<Page<Credential>>('/tokens?kind=code&limit=2');
    expect(first.items.map(({ id }) => id)).toEqual(['3.1', '2.1']);
    const second = await get<Page<Credential>>(`/tokens?kind=code&limit=2&after=${first.next}`);
    expect(second).toMatchObject({ items: [{ id: '1.1' }], next: null });
  });

  it.each([
    ['kind', 'kind=id_token'],
    ['state', 'state=gone'],
  ])('rejects an invalid %s with 422', async (field, query) => {
    expectError(await shared().api('GET', `/tokens?${query}`), 422, 'invalid', field);
  });
});

describe('a code among the credentials', () => {
  it('lists what its exchange must repeat, which tokens lack', async () => {
    const harness = await startHarness();
    await harness.signIn();
    const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    await harness.code({ code_challenge, code_challenge_method: 'S256' });
    expect(await harness.get('/tokens/2.1')).toMatchObject({
      redirect_uri: REDIRECT_URI,
      code_challenge_method: 'S256',
    });
    expect(await harness.get('/tokens/1.1')).toMatchObject({ code_challenge_method: null });
    expect(await harness.get('/tokens/1.3')).toMatchObject({
      redirect_uri: null,
      code_challenge_method: null,
    });
  });
});

describe('GET /lineages/{id}', () => {
  it('returns client, user and all members, oldest first, without their values', async () => {
    const { harness, refresh_token } = await startSignedIn();
    await refresh(harness, refresh_token);
    const lineage = await harness.get<Lineage>('/lineages/1');
    expect(lineage).toMatchObject({
      lineage_id: '1',
      client_id: 'demo-app',
      sub: 'ada',
      audience: ORDERS,
      scope: '',
      created_at: timeAfter(0),
      revoked_at: null,
      count: 4,
      exchanges: [1, 2],
    });
    expect(tree(lineage)).toEqual([
      '1.1 code of nothing',
      '1.2 access_token of 1.1',
      '1.3 refresh_token of 1.1',
      '1.4 access_token of 1.3',
    ]);
    expect(lineage.members.map(({ value }) => value)).toEqual([null, null, null, null]);
  });

  it('shows which token was presented within a grace window', async () => {
    const harness = await rotating(30);
    const { refresh_token } = await harness.signIn();
    await refresh(harness, refresh_token);
    await refresh(harness, refresh_token);
    expect(tree(await harness.get<Lineage>('/lineages/1')).slice(3)).toEqual([
      '1.4 access_token of 1.3',
      '1.5 refresh_token of 1.3',
      '1.6 access_token of 1.3',
      '1.7 refresh_token of 1.3',
    ]);
  });

  it('uses the consumed credential when the exchange is no longer kept', async () => {
    const { harness, refresh_token } = await startSignedIn({
      workspace: { settings: { capture: { max_exchanges: 1 } } },
    });
    await refresh(harness, refresh_token);
    await refresh(harness, refresh_token);
    expect(tree(await harness.get<Lineage>('/lineages/1'))).toEqual([
      '1.1 code of nothing',
      '1.2 access_token of 1.1',
      '1.3 refresh_token of 1.1',
      '1.4 access_token of 1.3',
      '1.5 access_token of 1.3',
    ]);
  });

  it('has no parent when several are possible', async () => {
    const { harness, refresh_token } = await startSignedIn({
      workspace: {
        settings: {
          capture: { max_exchanges: 1 },
          refresh_rotation: { enabled: true, grace_seconds: 30 },
        },
      },
    });
    await refresh(harness, refresh_token);
    await refresh(harness, refresh_token);
    await harness.token({ grant_type: 'none' });
    expect(tree(await harness.get<Lineage>('/lineages/1')).slice(3)).toEqual([
      '1.4 access_token of 1.3',
      '1.5 refresh_token of 1.3',
      '1.6 access_token of nothing',
      '1.7 refresh_token of nothing',
    ]);
  });

  it('has no parent for tokens that were issued directly', async () => {
    const harness = await startHarness();
    await harness.post('/tokens', { client_id: 'demo-app' });
    expect(tree(await harness.get<Lineage>('/lineages/1'))).toEqual([
      '1.1 access_token of nothing',
      '1.2 refresh_token of nothing',
    ]);
  });

  it('behaviour 4.9: shows the newest 50 of many members, with their parents', async () => {
    const { harness, refresh_token } = await startSignedIn({
      workspace: { settings: { throttle: { mode: 'off' } } },
    });
    for (let count = 0; count < 60; count++) await refresh(harness, refresh_token);
    const { count, members, exchanges } = await harness.get<Lineage>('/lineages/1');
    expect(count).toBe(63);
    expect(exchanges).toHaveLength(50);
    expect(members).toHaveLength(52);
    expect(members.map(({ id }) => id).slice(0, 3)).toEqual(['1.1', '1.3', '1.14']);
    expect(members.at(-1)?.id).toBe('1.63');
  });

  it('behaviour 4.9: contains every exchange in which one of its credentials was presented', async () => {
    const { harness, access_token, refresh_token } = await startSignedIn();
    await harness.signIn();
    await userinfo(harness, access_token);
    await introspect(harness, refresh_token);
    await introspect(harness, 'unknown');
    await form(harness, '/oauth/revoke', { token: refresh_token });
    await refresh(harness, refresh_token, 400);
    const { exchanges } = await harness.get<Lineage>('/lineages/1');
    expect(exchanges).toEqual([1, 3, 4, 6, 7]);
    expect((await harness.get<Lineage>('/lineages/2')).exchanges).toEqual([2]);
  });

  it('behaviour 4.9: contains neither throttled requests nor those of another client', async () => {
    const throttle = { limit: 2 };
    const harness = await startHarness({ workspace: { settings: { throttle } } });
    const other = { client_id: 'other', client_secret: 'other-secret' };
    await harness.post('/clients', other);
    const { refresh_token } = await harness.signIn();
    await refresh(harness, refresh_token);
    const stolen = await harness.token({ ...other, grant_type: 'refresh_token', refresh_token });
    expect(stolen.status).toBe(400);
    await refresh(harness, refresh_token, 429);
    expect((await harness.get<Lineage>('/lineages/1')).exchanges).toEqual([1, 2]);
  });

  it('behaviour 4.9: contains the exchanges that issued and ended its members even when no longer captured', async () => {
    const { harness, refresh_token } = await startSignedIn({
      workspace: { settings: { capture: { max_exchanges: 1 } } },
    });
    await refresh(harness, refresh_token);
    await introspect(harness, refresh_token);
    await form(harness, '/oauth/revoke', { token: refresh_token });
    await introspect(harness, 'unknown');
    expect((await harness.get<Lineage>('/lineages/1')).exchanges).toEqual([1, 2, 4]);
  });

  it('behaviour 4.9: contains the device request and the decision', async () => {
    const harness = await startHarness();
    await harness.patch('/clients/demo-app', { grant_types: [DEVICE_CODE_GRANT] });
    await introspect(harness, 'unknown');
    const asked = await form(harness, '/oauth/device_authorization', {});
    const { device_code, user_code } = asked.body as { device_code: string; user_code: string };
    const person = createPerson(harness.url());
    await person.decide(await person.post('/device', [['user_code', user_code]]), 'approve');
    await harness.token({ ...CREDENTIALS, grant_type: DEVICE_CODE_GRANT, device_code });
    expect((await harness.get<Lineage>('/lineages/1')).exchanges).toEqual([2, 4, 5]);
  });

  it('says when it was revoked, with all its members', async () => {
    const harness = await startHarness();
    await harness.signIn();
    harness.machine.now += 5000;
    await harness.post('/lineages/1/revoke');
    const lineage = await harness.get<Lineage>('/lineages/1');
    expect(lineage.revoked_at).toBe(timeAfter(5));
    expect(lineage.members.map(({ state }) => state)).toEqual(['redeemed', 'revoked', 'revoked']);
  });

  it.each(['/lineages/zz', '/lineages/1.1'])('GET %s is 404', async (path) => {
    const harness = await startHarness();
    await harness.code();
    expectError(await harness.api('GET', path), 404, 'not_found');
  });
});
