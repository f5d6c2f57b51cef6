// The device authorization grant at the token endpoint (RFC 8628 3.4 and 3.5).

import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import { PROFILES } from '../../src/core/records/schemas.ts';
import {
  AS_ADMIN,
  checkOf,
  expectRefusal,
  ISSUER,
  ORDERS,
  PUBLIC,
  refreshRequest,
  START,
} from '../support/core.ts';
import { AS_TV, tv, withDevices } from '../support/device.ts';
import { dpopHeader, proof, proofKey, type ProofKey } from '../support/dpop.ts';

describe('an approved device', () => {
  test.each(PROFILES)(
    'behaviour 9.5, RFC 8628 3.5 (%s): gets tokens as for a code',
    async (profile) => {
      const { approved, poll, answered } = withDevices({ settings: { profile } });
      const { device_code } = await approved({
        scope: 'openid profile',
        audience: ORDERS,
      });
      const answer = answered(await poll(device_code));
      expect(answer).toEqual({
        access_token: expect.any(String) as string,
        refresh_token: expect.stringMatching(/^[\w-]{43}$/) as string,
        token_type: 'Bearer',
        expires_in: 86_400,
        id_token: expect.any(String) as string,
      });
      expect(decodeJwt(answer.access_token)).toMatchObject({
        iss: ISSUER,
        sub: 'ada',
        client_id: 'tv',
        aud: ORDERS,
        scope: 'openid profile',
      });
      expect(decodeJwt(answer.id_token ?? '')).toMatchObject({
        aud: 'tv',
        sub: 'ada',
        auth_time: START / 1000,
        name: 'Ada',
      });
    },
  );

  test('RFC 6749 5.1: gets the scope in the response when the user narrowed it', async () => {
    const { opened, approve, poll, answered } = withDevices();
    const { device_code, user_code } = await opened({ scope: 'openid profile' });
    approve(user_code, { scope: 'profile' });
    const answer = answered(await poll(device_code));
    expect(answer.scope).toBe('profile');
    expect(answer).not.toHaveProperty('id_token');
  });

  test('behaviour 9.5: has a refresh token that works like any other', async () => {
    const { approved, poll, answered, refresh } = withDevices();
    const { device_code } = await approved();
    const { refresh_token = '' } = answered(await poll(device_code));
    const refreshed = await refresh(refresh_token, { client_id: 'tv', client_secret: 'tv-secret' });
    expect(decodeJwt(answered(refreshed).access_token)).toMatchObject({ sub: 'ada' });
  });

  test('RFC 8628 3.5: has a trace with every check in order', async () => {
    const { approved, poll } = withDevices();
    const { device_code } = await approved();
    const { evaluation } = await poll(device_code);
    const passed = describeChecks(evaluation, false).filter(({ verdict }) => verdict === 'passed');
    expect(passed.map(({ id, section }) => [id, section])).toEqual([
      ['grant_type', 'spec 4.1'],
      ['grant_content_type', 'RFC 8628 3.4'],
      ['query', 'RFC 6749 2.3.1'],
      ['authorization_header', 'spec 5.1'],
      ['client_id', 'spec 5.1'],
      ['client_secret', 'spec 5.1'],
      ['grant_allowed', 'RFC 6749 5.2'],
      ['parameters', 'RFC 8628 3.4'],
      ['throttle', 'spec 8.1'],
      ['credential_known', 'RFC 8628 3.4'],
      ['credential_client', 'RFC 8628 3.4'],
      ['credential_live', 'RFC 8628 3.5'],
      ['polling', 'RFC 8628 3.5'],
      ['consent', 'RFC 8628 3.5'],
      ['audience', 'RFC 8707 2.2'],
      ['scope', 'RFC 6749 3.3'],
      ['consume', 'RFC 8628 3.5'],
    ]);
  });

  test('behaviour 3.11: has a trace with the time left, who approved where, and the audience', async () => {
    const { approved, poll, advance } = withDevices();
    const { device_code } = await approved({ audience: ORDERS });
    advance(18.5);
    const outcome = await poll(device_code);
    expect(checkOf(outcome, 'credential_live')?.note).toBe('expires in 9 min 42 s');
    expect(checkOf(outcome, 'polling')?.note).toBe('the user has decided');
    expect(checkOf(outcome, 'consent')).toMatchObject({ got: 'ada', note: 'approved on: control' });
    expect(checkOf(outcome, 'audience')?.got).toBe(ORDERS);
  });

  test('RFC 8707 2.2: may send the audience again, which must be the same', async () => {
    const { approved, poll, answered } = withDevices();
    const { device_code } = await approved({ audience: ORDERS });
    expectRefusal(await poll(device_code, { resource: ISSUER }), 'audience_differs');
    // Nothing was consumed.
    expect(answered(await poll(device_code, { resource: ORDERS }))).toHaveProperty('access_token');
  });
});

describe('a poll before the user has decided', () => {
  test('behaviour 9.4, RFC 8628 3.5: is authorization_pending each time the device has waited', async () => {
    const settings = { device_authorization: { interval: 2 } };
    const { opened, poll, advance } = withDevices({ settings });
    const { device_code } = await opened();
    for (let time = 1; time <= 3; time += 1) {
      const rejected = await poll(device_code);
      expectRefusal(rejected, 'device_pending', 'poll again in 2 s');
      expect(checkOf(rejected, 'polling')?.note).toBe(`poll ${time}, interval 2 s`);
      advance(2);
    }
  });

  test('behaviour 9.4, RFC 8628 3.5: is slow_down when it comes too soon, which adds 5 s to the interval', async () => {
    const { opened, poll, advance, record } = withDevices();
    const { device_code, user_code } = await opened();
    await poll(device_code);
    advance(3);
    const detail = '2 s too soon for an interval of 5 s; it is now 10 s';
    expectRefusal(await poll(device_code), 'device_polled_too_soon', detail);
    expect(record(user_code).interval).toBe(10);
    advance(9);
    expectRefusal(await poll(device_code), 'device_polled_too_soon');
    advance(15);
    expectRefusal(await poll(device_code), 'device_pending');
  });

  test('behaviour 9.4, RFC 8628 3.5: gets tokens even too soon, when the user has approved meanwhile', async () => {
    const { opened, poll, approve, answered } = withDevices();
    const { device_code, user_code } = await opened();
    await poll(device_code);
    approve(user_code);
    expect(answered(await poll(device_code))).toHaveProperty('access_token');
  });

  test('behaviour 6.1: is not too soon because the clock was set back', async () => {
    const { opened, poll, clock } = withDevices();
    const { device_code } = await opened();
    await poll(device_code);
    clock.set(START - 60_000);
    expectRefusal(await poll(device_code), 'device_pending');
  });
});

describe('the end of a device code', () => {
  test('behaviour 9.4, RFC 8628 3.5: a denied request is access_denied with its cause, even after its lifetime', async () => {
    const { opened, poll, deny, advance } = withDevices();
    const { device_code, user_code } = await opened();
    deny(user_code);
    const detail = 'denied at 2026-11-21T10:00:00Z over the control API';
    for (const left of ['expires in 10 min', null, null]) {
      const rejected = await poll(device_code);
      expectRefusal(rejected, 'device_denied', detail);
      expect(checkOf(rejected, 'credential_live')?.note).toBe(left);
      advance(600);
    }
  });

  test('behaviour 9.6: the cause of a denial names the exchange that denied', async () => {
    const { opened, poll } = withDevices({ settings: { authorize: 'deny' } });
    const detail = 'denied at 2026-11-21T10:00:00Z by exchange 1001';
    expectRefusal(await poll((await opened()).device_code), 'device_denied', detail);
  });

  test.each(['pending', 'approved'])(
    'behaviour 9.4, RFC 8628 3.5: a request is expired_token after its lifetime, %s or not',
    async (state) => {
      const { opened, poll, approve, advance } = withDevices();
      const { device_code, user_code } = await opened();
      if (state === 'approved') approve(user_code);
      advance(600);
      expectRefusal(await poll(device_code), 'device_code_expired', 'expired 0 s ago');
      advance(20);
      expectRefusal(await poll(device_code), 'device_code_expired', 'expired 20 s ago');
    },
  );

  test('behaviour 4.4: an expired request stays expired, even if the clock is set back', async () => {
    const { opened, poll, advance, service, clock } = withDevices();
    const { device_code } = await opened();
    advance(600);
    service.devices.expireAll(clock.now());
    clock.set(START);
    const detail = 'expired before the clock was set back';
    expectRefusal(await poll(device_code), 'device_code_expired', detail);
  });

  test('behaviour 9.5, RFC 8628 3.5: a code is redeemed once; the rejection of a second attempt names the first exchange', async () => {
    const { approved, poll } = withDevices();
    const { device_code } = await approved();
    const first = await poll(device_code);
    const used = `used at 2026-11-21T10:00:00Z by exchange ${first.evaluation.exchange}`;
    expectRefusal(await poll(device_code), 'device_code_redeemed', used);
  });

  test('behaviour 9.5: of two simultaneous polls one gets tokens, the other invalid_grant', async () => {
    const { approved, poll } = withDevices();
    const { device_code } = await approved();
    const both = await Promise.all([poll(device_code), poll(device_code)]);
    expect(both.map(({ refusal }) => refusal?.reason ?? null).sort()).toEqual([
      'device_code_redeemed',
      null,
    ]);
  });
});

describe('a rejected poll', () => {
  test('RFC 8628 3.4: a user code sent as device_code is identified in the cause', async () => {
    const { opened, poll } = withDevices();
    expectRefusal(await poll((await opened()).user_code), 'device_code_is_user_code');
  });

  test('behaviour 9.5, RFC 8628 3.4: the device code of another client is invalid_grant and changes nothing', async () => {
    const { approved, poll, answered } = withDevices();
    const { device_code } = await approved();
    const detail = 'issued to client Television, presented by client Admin';
    expectRefusal(await poll(device_code, AS_ADMIN), 'device_code_of_other_client', detail);
    expect(answered(await poll(device_code))).toHaveProperty('access_token');
  });

  test('RFC 8628 3.4: an empty device_code is invalid_request', async () => {
    expectRefusal(await withDevices().poll(''), 'parameter_empty');
  });

  test('spec 8.1, behaviour 5.1: is counted by device code and address, even if the code is a guess', async () => {
    const { opened, poll, service } = withDevices();
    await poll((await opened()).device_code);
    expectRefusal(await poll('a guess'), 'device_code_unknown');
    expect(service.throttle.list().map(({ kind, ip }) => [kind, ip])).toEqual([
      ['device_code', '127.0.0.1'],
      ['unknown', '127.0.0.1'],
    ]);
  });

  test('behaviour 1.3 (strict): JSON is rejected, since a form is documented', async () => {
    const { opened, poll } = withDevices({ settings: { profile: 'strict' } });
    const { device_code } = await opened();
    const rejected = await poll(device_code, {}, { content_type: 'json' });
    expectRefusal(rejected, 'content_type_not_documented');
  });
});

describe('with a proof of possession', () => {
  const proofBy = async (key: ProofKey) => ({ dpop: dpopHeader(await proof(key)) });

  test('RFC 9449 5: the access token of a device is bound to the key of its poll', async () => {
    const key = await proofKey();
    const { opened, approve, poll, answered } = withDevices({ settings: { profile: 'interop' } });
    const { device_code, user_code } = await opened({ scope: 'openid' });
    expectRefusal(await poll(device_code, {}, await proofBy(key)), 'device_pending');
    approve(user_code);
    const answer = answered(await poll(device_code, {}, await proofBy(key)));
    expect(answer.token_type).toBe('DPoP');
    expect(decodeJwt(answer.access_token)).toMatchObject({ cnf: { jkt: key.jkt }, sub: 'ada' });
  });

  test('RFC 9449 5: the refresh token of a public device needs the same key', async () => {
    const [key, other] = [await proofKey(), await proofKey()];
    const { approved, poll, answered, evaluate } = withDevices({
      settings: { profile: 'interop' },
      clients: [tv(PUBLIC)],
    });
    const secretless = { client_secret: undefined };
    const { device_code } = await approved(secretless);
    const answer = answered(await poll(device_code, secretless, await proofBy(key)));
    const { refresh_token } = answer;
    const refresh = async (by: ProofKey) =>
      evaluate(refreshRequest({ ...AS_TV, ...secretless, refresh_token }, await proofBy(by)));
    expectRefusal(await refresh(other), 'refresh_token_of_other_key');
    expect(answered(await refresh(key)).token_type).toBe('DPoP');
  });

  test('RFC 9449 5.2: a client with dpop_bound_access_tokens polls with a proof', async () => {
    const { approved, poll } = withDevices({
      settings: { profile: 'interop' },
      clients: [tv({ dpop_bound_access_tokens: true })],
    });
    const { device_code } = await approved();
    expect((await poll(device_code)).refusal?.code).toBe('invalid_dpop_proof');
  });
});
