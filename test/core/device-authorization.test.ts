// The device authorization request (RFC 8628 3.1 and 3.2), user codes, and stored requests.

import { describe, expect, test } from 'vitest';
import {
  createDeviceAuthorizations,
  DEVICE_BOUNDS,
  type DeviceAuthorization,
} from '../../src/core/device-authorization/device-authorizations.ts';
import { createUserCode, plainUserCode } from '../../src/core/device-authorization/user-code.ts';
import {
  createGuessLimit,
  GUESS_BOUNDS,
  GUESS_WINDOW_SECONDS,
  MOST_GUESSES,
} from '../../src/core/device-authorization/verification.ts';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import { PROFILES } from '../../src/core/records/schemas.ts';
import { tv, withDevices } from '../support/device.ts';
import {
  deviations,
  expectNotes,
  expectRefusal,
  ISSUER,
  ORDERS,
  PUBLIC,
  type RequestParameters,
  seededRandom,
  START,
  user,
} from '../support/core.ts';
import { words } from '../support/words.ts';
import type { RefusalReason } from '../../src/core/checks/refusals/index.ts';

describe('the response', () => {
  test.each(PROFILES)(
    'behaviour 9.1, RFC 8628 3.2 (%s): contains both codes, the page, the lifetime and the interval',
    async (profile) => {
      const { answer } = await withDevices({ settings: { profile } }).ask();
      expect(answer).toEqual({
        device_code: expect.stringMatching(/^[\w-]{43}$/) as string,
        user_code: expect.stringMatching(
          /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/,
        ) as string,
        verification_uri: `${ISSUER}/device`,
        verification_uri_complete: `${ISSUER}/device?user_code=${answer?.user_code ?? ''}`,
        expires_in: 600,
        interval: 5,
      });
    },
  );

  test('behaviour 9.1: follows the settings for lifetime, interval and the form of user codes', async () => {
    const { opened } = withDevices({
      settings: {
        lifetimes: { device_code: 90 },
        device_authorization: { interval: 2, user_code: 'digits' },
      },
    });
    const { expires_in, interval, user_code } = await opened();
    expect([expires_in, interval]).toEqual([90, 2]);
    expect(user_code).toMatch(/^\d{3}-\d{3}-\d{3}$/);
  });

  test('RFC 8628 3.1: has a trace with every check in order, each with its section', async () => {
    const { evaluation } = await withDevices().ask({ scope: 'openid' });
    const checks = describeChecks(evaluation, false).filter(({ verdict }) => verdict === 'passed');
    expect(checks.map(({ id }) => id)).toEqual(
      words(
        'grant_content_type query authorization_header client_id client_secret grant_allowed',
        'parameters audience scope',
      ),
    );
  });
});

describe('a rejected request', () => {
  test.each<[string, RequestParameters, RefusalReason]>([
    ['a wrong secret', { client_secret: 'wrong' }, 'client_secret_wrong'],
    ['an unregistered audience', { audience: 'https://nobody.example' }, 'audience_unknown'],
    ['an unknown scope', { scope: 'openid never:heard' }, 'scope_unknown'],
  ])(
    'behaviour 9.1, RFC 8628 3.1, RFC 8707 2, RFC 6749 3.3: one with %s is rejected as at the token endpoint, and nothing is stored',
    async (_, parameters, reason) => {
      const { ask, service } = withDevices();
      expectRefusal(await ask(parameters), reason);
      expect(service.devices.fill.size).toBe(0);
    },
  );

  test('behaviour 9.1, RFC 6749 5.2: a client that is not registered for the grant is unauthorized_client', async () => {
    const { ask } = withDevices({ clients: [tv({ grant_types: ['refresh_token'] })] });
    expectRefusal(await ask(), 'grant_not_allowed');
  });

  test.each(['strict', 'documented'] as const)(
    'behaviour 1.7 (%s): a client without a secret is rejected',
    async (profile) => {
      const { ask } = withDevices({ settings: { profile }, clients: [tv(PUBLIC)] });
      expectRefusal(await ask({ client_secret: undefined }), 'client_secret_required');
    },
  );

  test('RFC 8628 3.1 (interop): a client without a secret is served, and noted', async () => {
    const { ask } = withDevices({ settings: { profile: 'interop' }, clients: [tv(PUBLIC)] });
    expectNotes(await ask({ client_secret: undefined }), 'public_client');
  });

  test('behaviour 9.1 (interop): an unknown scope is dropped and noted', async () => {
    const { ask } = withDevices({ settings: { profile: 'interop' } });
    expectNotes(await ask({ scope: 'openid never:heard' }), 'unknown_scope_dropped: never:heard');
  });
});

describe('user codes', () => {
  test('behaviour 9.2, RFC 8628 6.1: are compared without grouping and case', async () => {
    const { opened, record } = withDevices();
    const { user_code } = await opened();
    const [first = '', second = ''] = user_code.toLowerCase().split('-');
    for (const typed of [first + second, ` ${first} ${second} `, `${first}.${second}`, user_code]) {
      expect(record(typed).user_code).toBe(user_code);
    }
  });

  test('behaviour 9.2, RFC 8628 6.1: use every character of the alphabet with equal probability', () => {
    const random = seededRandom(7);
    const counts = new Map<string, number>();
    for (let made = 0; made < 4000; made += 1) {
      for (const one of plainUserCode(createUserCode('letters', random))) {
        counts.set(one, (counts.get(one) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(20);
    for (const count of counts.values()) expect(Math.abs(count - 1600)).toBeLessThan(200);
  });

  test('differ between two waiting devices', async () => {
    const { opened } = withDevices();
    const shown = new Set<string>();
    for (let made = 0; made < 50; made += 1) shown.add((await opened()).user_code);
    expect(shown.size).toBe(50);
  });
});

describe('stored requests', () => {
  const device = (n: number, scope = ''): DeviceAuthorization => ({
    device_code: `device-${n}`,
    user_code: `USER-${n}`,
    client_id: 'tv',
    audience: ISSUER,
    requested_scope: scope,
    scope,
    issued_at: START,
    expires_at: START + 1000,
    issued_by: null,
    state: 'pending',
    interval: 5,
    polls: 0,
    polled_at: null,
    decision: null,
    approval: null,
    redeemed: null,
  });

  test('behaviour 9.5: are redeemed only once, and not before they are approved', () => {
    const devices = createDeviceAuthorizations(() => undefined);
    const one = device(1);
    const redeem = () => devices.redeem(one, START, 1);
    expect(redeem()).toBe(false);
    const decision = { at: START, on: 'control', exchange: null } as const;
    devices.decide(one, decision, { sub: 'ada', scope: '', auth_time: START });
    expect([redeem(), redeem()]).toEqual([true, false]);
  });

  test('are removed oldest first, with both codes', () => {
    const devices = createDeviceAuthorizations(() => undefined, { entries: 2, bytes: Infinity });
    for (const n of [1, 2, 3]) devices.add(device(n));
    expect(devices.fill.size).toBe(2);
    expect(devices.findByDeviceCode('device-1')).toBeUndefined();
    expect(devices.findByUserCode('user1')).toBeUndefined();
    expect(devices.findByUserCode('user3')?.device_code).toBe('device-3');
    expect(devices.list().map(({ user_code }) => user_code)).toEqual(['USER-3', 'USER-2']);
  });

  test('are bounded in bytes and in entries, with a constant size per request', () => {
    const devices = createDeviceAuthorizations(() => undefined, { entries: 100, bytes: 30_000 });
    for (let n = 0; n < 20; n += 1) devices.add(device(n, 'x'.repeat(2000)));
    expect(devices.fill.bytes).toBeLessThanOrEqual(30_000);
    const { bytes } = devices.fill;
    const [one] = devices.list();
    if (one === undefined) throw new Error('none kept');
    const decision = { at: START, on: 'control', exchange: null } as const;
    devices.decide(one, decision, { sub: 'ada', scope: one.scope, auth_time: START });
    expect(devices.fill.bytes).toBe(bytes);
    devices.clear();
    expect([devices.fill.size, devices.fill.bytes]).toEqual([0, 0]);
    expect(DEVICE_BOUNDS.entries).toBe(1000);
  });

  test('behaviour 4.10: end with their client, and a new client inherits none', async () => {
    const { opened, service, poll } = withDevices();
    const { device_code, user_code } = await opened();
    service.registry.clients.remove('tv');
    expect(service.devices.findByUserCode(user_code)).toBeUndefined();
    service.registry.clients.put(tv());
    expectRefusal(await poll(device_code), 'device_code_unknown');
  });

  test('are removed by a reset', async () => {
    const { opened, service } = withDevices();
    await opened();
    service.reset();
    expect(service.devices.fill.size).toBe(0);
  });
});

describe('a request opened over the control API', () => {
  test('behaviour 9.6: uses the same defaults as a request of the device', async () => {
    const { service, poll, approve, answered } = withDevices();
    const { device_code, user_code, audience, issued_by } = service.openDevice({ client_id: 'tv' });
    expect([audience, issued_by]).toEqual([ISSUER, null]);
    approve(user_code);
    expect(answered(await poll(device_code))).toHaveProperty('access_token');
  });

  test.each([
    [{ client_id: 'nobody' }, 'client_id'],
    [{ client_id: 'tv', audience: 'https://nobody.example' }, 'audience'],
    [{ client_id: 'tv', scope: 'never:heard' }, 'scope'],
  ] as const)('%j cannot be opened: %s is named', (order, field) => {
    const { service } = withDevices();
    expect(() => service.openDevice(order)).toThrow(expect.objectContaining({ field }) as Error);
  });

  test.each([
    [{ sub: 'nobody' }, 'sub'],
    [{ scope: 'orders:write' }, 'scope'],
    [{ scope: 'a"b' }, 'scope'],
  ] as const)('%j cannot be approved: %s is named', async (order, field) => {
    const { opened, approve, record } = withDevices();
    const { user_code } = await opened({ audience: ORDERS, scope: 'orders:read' });
    expect(() => approve(user_code, order)).toThrow(expect.objectContaining({ field }) as Error);
    expect(record(user_code).state).toBe('pending');
  });

  test('is decided only once', async () => {
    const { opened, approve, deny, record } = withDevices();
    const { user_code } = await opened();
    expect(deny(user_code)).toBe(true);
    expect(approve(user_code)).toBe(false);
    expect(deny(user_code)).toBe(false);
    expect(record(user_code).state).toBe('denied');
  });
});

describe('the setting authorize', () => {
  test('behaviour 9.6: auto approves at once, as the first user', async () => {
    const { opened, poll, answered } = withDevices({ settings: { authorize: 'auto' } });
    const { device_code } = await opened({ scope: 'openid' });
    expect(answered(await poll(device_code))).toHaveProperty('id_token');
  });

  test('behaviour 9.6: auto approves as the user whom login_hint names, by sub or email', async () => {
    const users = [user(), user({ sub: 'bob', email: 'bob@example.test' })];
    const { opened, record, ask } = withDevices({ settings: { authorize: 'auto' }, users });
    for (const login_hint of ['bob', 'BOB@example.test']) {
      const { user_code } = await opened({ login_hint });
      expect(record(user_code).approval?.sub).toBe('bob');
    }
    const unknown = await opened({ login_hint: 'nobody' });
    expect(record(unknown.user_code).state).toBe('pending');
    expect(deviations(await ask({ login_hint: 'bob' }))).toEqual([]);
  });

  test('behaviour 9.6: auto without users waits for a decision, like consent', async () => {
    const { opened, poll } = withDevices({ settings: { authorize: 'auto' }, users: [] });
    const { device_code } = await opened();
    expectRefusal(await poll(device_code), 'device_pending');
  });

  test('behaviour 7.5, 9.6: auto denies the device of a locked user', async () => {
    const users = [user({ locked: true })];
    const { opened, poll } = withDevices({ settings: { authorize: 'auto' }, users });
    const { device_code } = await opened();
    expectRefusal(await poll(device_code), 'device_denied');
  });

  test('behaviour 9.6: deny denies at once', async () => {
    const { opened, poll } = withDevices({ settings: { authorize: 'deny' } });
    const { device_code } = await opened();
    expectRefusal(await poll(device_code), 'device_denied');
  });
});

describe('the limit of guesses', () => {
  test('behaviour 9.2, RFC 8628 5.1: a limited number of wrong codes per window is allowed for each address', () => {
    const limit = createGuessLimit();
    for (let guess = 0; guess < MOST_GUESSES; guess += 1) {
      expect(limit.secondsLeft('10.0.0.1', START)).toBe(0);
      limit.count('10.0.0.1', START);
    }
    expect(limit.secondsLeft('10.0.0.1', START)).toBe(GUESS_WINDOW_SECONDS);
    expect(limit.secondsLeft('10.0.0.2', START)).toBe(0);
    expect(limit.secondsLeft('10.0.0.1', START + GUESS_WINDOW_SECONDS * 1000)).toBe(0);
    // A clock that was set back opens a new window.
    expect(limit.secondsLeft('10.0.0.1', START - 1)).toBe(0);
  });

  test('the number of stored addresses is bounded', () => {
    const limit = createGuessLimit({ entries: 10, bytes: Infinity });
    for (let n = 0; n < 100; n += 1) limit.count(`10.0.0.${n}`, START);
    expect(limit.fill.size).toBe(10);
    expect(GUESS_BOUNDS.entries).toBe(1000);
  });
});
