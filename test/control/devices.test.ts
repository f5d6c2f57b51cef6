// docs/reference/control-api.md over REST: device authorizations.

import { describe, expect, it } from 'vitest';
import type { Device } from '../../src/control/schemas.ts';
import { DEVICE_CODE_GRANT } from '../../src/core/records/schemas.ts';
import { expectError, type Harness, START, startHarness } from '../support/harness.ts';

const CLIENT = { client_id: 'tv', client_secret: 'tv-secret' } as const;

const start = () =>
  startHarness({
    workspace: {
      clients: [
        { ...CLIENT, redirect_uris: [], grant_types: [DEVICE_CODE_GRANT, 'refresh_token'] },
        { client_id: 'other', client_secret: 'other-secret', grant_types: [DEVICE_CODE_GRANT] },
      ],
      users: [{ sub: 'ada' }, { sub: 'bob' }],
    },
  });

const open = ({ post }: Harness, order: object = {}) =>
  post<Device>('/devices', { client_id: 'tv', ...order });

const poll = async ({ token }: Harness, { device_code }: Device) => {
  const fields = { ...CLIENT, grant_type: DEVICE_CODE_GRANT, device_code: device_code ?? '' };
  return token(fields);
};

const timeAfter = (seconds: number) => new Date(START + seconds * 1000).toISOString();

describe('POST /devices', () => {
  it('opens a device authorization and returns both codes', async () => {
    const harness = await start();
    const device = await open(harness, { scope: 'openid' });
    const { issuer } = harness.engine.server();
    expect(device).toEqual({
      id: device.user_code,
      state: 'pending',
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) as string,
      device_code: expect.stringMatching(/^[\w-]{43}$/) as string,
      verification_uri: `${issuer}/device`,
      verification_uri_complete: `${issuer}/device?user_code=${device.user_code}`,
      client_id: 'tv',
      audience: issuer,
      scope: 'openid',
      sub: null,
      granted_scope: null,
      interval: 5,
      polls: 0,
      polled_at: null,
      issued_at: timeAfter(0),
      expires_at: timeAfter(600),
      issued_by: null,
      decided_at: null,
      decided_on: null,
      decided_by: null,
      redeemed_at: null,
      redeemed_by: null,
    });
  });

  it.each([
    [{ client_id: 'nobody' }, 'client_id', 'client_id is not a registered client'],
    [{ audience: 'https://x.example' }, 'audience', 'audience is not a registered audience'],
  ])('%j is rejected: %s', async (order, field, message) => {
    const harness = await start();
    const answer = await harness.api('POST', '/devices', { client_id: 'tv', ...order });
    expectError(answer, 422, 'invalid', field, message);
  });
});

describe('a client without the grant', () => {
  it('is 409, naming the grant', async () => {
    const { api } = await startHarness();
    const answer = await api('POST', '/devices', { client_id: 'demo-app' });
    expectError(answer, 409, 'conflict', 'client_id', /may not use urn:ietf:params:oauth:\S+code$/);
  });
});

describe('deciding', () => {
  it('behaviour 9.6: approves as a user, and the device gets its tokens', async () => {
    const harness = await start();
    const device = await open(harness, { scope: 'openid' });
    expect((await poll(harness, device)).body).toMatchObject({ error: 'authorization_pending' });
    const typed = device.user_code.toLowerCase().replace('-', '');
    const approved = await harness.post<Device>(`/devices/${typed}/approve`, { sub: 'bob' });
    expect(approved).toMatchObject({
      state: 'approved',
      sub: 'bob',
      granted_scope: 'openid',
      device_code: null,
      polls: 1,
      decided_on: 'control',
      decided_at: timeAfter(0),
    });
    expect((await poll(harness, device)).status).toBe(200);
    expect(await harness.get(`/devices/${device.id}`)).toMatchObject({
      state: 'redeemed',
      redeemed_at: timeAfter(0),
      redeemed_by: 2,
    });
  });

  it('behaviour 9.6: denies, and the device receives the error', async () => {
    const harness = await start();
    const device = await open(harness);
    expect(await harness.post(`/devices/${device.id}/deny`)).toMatchObject({ state: 'denied' });
    expect((await poll(harness, device)).body).toMatchObject({ error: 'access_denied' });
  });

  it('expires a device that is pending or approved, and its next poll fails', async () => {
    const harness = await start();
    for (const approved of [false, true]) {
      const device = await open(harness);
      if (approved) await harness.post(`/devices/${device.id}/approve`);
      const expired = await harness.post<Device>(`/devices/${device.id}/expire`);
      expect(expired).toMatchObject({ state: 'expired', expires_at: timeAfter(0) });
      expect((await poll(harness, device)).body).toMatchObject({ error: 'expired_token' });
    }
  });

  it('returns 409 for a device that was decided, was redeemed or has expired', async () => {
    const harness = await start();
    const denied = await open(harness);
    await harness.post(`/devices/${denied.id}/deny`);
    const redeemed = await open(harness);
    await harness.post(`/devices/${redeemed.id}/approve`);
    await poll(harness, redeemed);
    const late = await open(harness);
    await harness.patch('/clock', { advance_seconds: 600 });
    for (const [{ id }, state] of [
      [denied, 'denied'],
      [redeemed, 'redeemed'],
      [late, 'expired'],
    ] as const) {
      for (const how of ['approve', 'deny', 'expire']) {
        const answer = await harness.api('POST', `/devices/${id}/${how}`, {});
        const message = `the device authorization "${id}" is ${state}, no longer pending`;
        expectError(answer, 409, 'conflict', undefined, message);
      }
    }
  });

  it('returns 404 for an unknown user code', async () => {
    const { api } = await start();
    expectError(await api('GET', '/devices/BBBB-BBBB'), 404, 'not_found');
    for (const how of ['approve', 'deny', 'expire']) {
      expectError(await api('POST', `/devices/BBBB-BBBB/${how}`, {}), 404, 'not_found');
    }
  });

  it('returns 422 for an unregistered user, and decides nothing', async () => {
    const harness = await start();
    const { id } = await open(harness);
    const answer = await harness.api('POST', `/devices/${id}/approve`, { sub: 'nobody' });
    expectError(answer, 422, 'invalid', 'sub', 'sub is not a registered user');
    expect(await harness.get(`/devices/${id}`)).toMatchObject({ state: 'pending' });
  });
});

describe('GET /devices', () => {
  it('lists devices newest first, by state and client, in pages, without device codes', async () => {
    const harness = await start();
    const [first, second, third] = [
      await open(harness),
      await open(harness, { client_id: 'other' }),
      await open(harness),
    ];
    await harness.post(`/devices/${first.id}/deny`);
    interface Page {
      readonly items: Device[];
      readonly next: string | null;
    }
    const ids = async (query: string) =>
      (await harness.get<Page>(`/devices${query}`)).items.map(({ id }) => id);
    expect(await ids('')).toEqual([third.id, second.id, first.id]);
    expect(await ids('?state=pending')).toEqual([third.id, second.id]);
    expect(await ids('?client_id=other')).toEqual([second.id]);
    const page = await harness.get<Page>('/devices?limit=2');
    expect(await ids(`?limit=2&after=${page.next ?? ''}`)).toEqual([first.id]);
    expect(page.items[0]?.device_code).toBeNull();
    const shown = await harness.get<Page>('/devices?secrets=true');
    expect(shown.items[0]?.device_code).toBe(third.device_code);
  });
});
