// The device authorization grant over real HTTP (RFC 8628): third-party clients, and a user at the verification page.

import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { describe, expect, it } from 'vitest';
import { MOST_GUESSES } from '../../src/core/device-authorization/verification.ts';
import { describeCause } from '../../src/core/checks/describe-cause.ts';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import { DEVICE_CODE_GRANT } from '../../src/core/records/schemas.ts';
import { authorizePath } from '../support/form-calls.ts';
import {
  AUDIENCE,
  type HttpService,
  ownHttpService,
  type SettingsDraft,
} from '../support/http-service.ts';
import { createPerson, formOf, type PageSeen, type Person } from '../support/person.ts';
import { ask, oauthClient, openidClient, present } from '../support/token-endpoints.ts';

const GRANTS = ['authorization_code', 'refresh_token', DEVICE_CODE_GRANT] as const;

/** The field with the token of a form. */
const FORM_FIELD = 'grantbench_form';

async function start(settings: SettingsDraft = {}) {
  const http = await ownHttpService(settings, { grant_types: [...GRANTS] });
  return { http, person: createPerson(http.url) };
}

interface Opened {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}

/** Sends the request of a device. */
async function open({ url }: HttpService, scope = 'openid orders:read'): Promise<Opened> {
  const order = { audience: AUDIENCE, scope };
  const { status, headers, body } = await present(url, '/oauth/device_authorization', order);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  return body as unknown as Opened;
}

/** A server with a request of a device, and a user. */
async function opened() {
  const started = await start();
  return { ...started, ...(await open(started.http)) };
}

const poll = ({ url }: HttpService, device_code: string) =>
  present(url, '/oauth/token', { grant_type: DEVICE_CODE_GRANT, device_code });

const enter = (person: Person, user_code: string) =>
  person.post('/device', [['user_code', user_code]]);

/** Enters the code and presses a button. */
const decide = async (person: Person, user_code: string, decision: 'approve' | 'deny') =>
  person.decide(await enter(person, user_code), decision);

/** The trace of the newest exchange. */
function newest(http: HttpService) {
  const evaluation = http.newest()?.evaluation ?? expect.fail();
  const { refusal } = evaluation;
  return {
    reason: refusal?.reason ?? null,
    detail: refusal === null ? null : describeCause(refusal).detail,
    checks: describeChecks(evaluation, false).map(({ id, verdict }) => [id, verdict]),
  };
}

function expectPage(page: PageSeen, status: number): void {
  expect(page.status).toBe(status);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.has('access-control-allow-origin')).toBe(false);
  expect(page.text).not.toMatch(/<script|\son\w+=|\sstyle="/i);
}

describe('stock clients', () => {
  it('behaviour 9.4, RFC 8628 3.5: oauth4webapi handles authorization_pending and slow_down and gets its tokens', async () => {
    const { http } = await start({ profile: 'interop' });
    const { as, client, party, options } = await oauthClient(http.url, 'client_secret_basic');
    const parameters = { scope: 'orders:read', resource: AUDIENCE };
    const asked = await oauth.deviceAuthorizationRequest(...party, parameters, options);
    const device = await oauth.processDeviceAuthorizationResponse(as, client, asked);
    const once = async () =>
      oauth.processDeviceCodeResponse(
        as,
        client,
        await oauth.deviceCodeGrantRequest(...party, device.device_code, options),
      );
    await expect(once()).rejects.toMatchObject({ status: 400, error: 'authorization_pending' });
    await expect(once()).rejects.toMatchObject({ status: 400, error: 'slow_down' });
    http.service.ports.clock.advance(10_000);
    await expect(once()).rejects.toMatchObject({ status: 400, error: 'authorization_pending' });
    expect((await decide(createPerson(http.url), device.user_code, 'approve')).status).toBe(200);
    expect(await once()).toMatchObject({ token_type: 'bearer', expires_in: 86_400 });
    await expect(once()).rejects.toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it('behaviour 9.4, RFC 8628 3.5: openid-client polls automatically, and gets the error when the user denies or is too late', async () => {
    const { http } = await start({ device_authorization: { interval: 1 } });
    const config = await openidClient(http.url, 'client_secret_post');
    const asked = { scope: 'orders:read', audience: AUDIENCE };
    const [approved, denied, late] = await Promise.all(
      [asked, asked, asked].map((one) => openid.initiateDeviceAuthorization(config, one)),
    );
    if (approved === undefined || denied === undefined || late === undefined) expect.fail();
    const person = createPerson(http.url);
    await decide(person, approved.user_code, 'approve');
    await decide(person, denied.user_code, 'deny');
    const polled = openid.pollDeviceAuthorizationGrant(config, approved);
    const refused = openid.pollDeviceAuthorizationGrant(config, denied);
    await expect(refused).rejects.toMatchObject({ status: 400, error: 'access_denied' });
    expect(await polled).toMatchObject({ token_type: 'bearer', expires_in: 86_400 });
    http.service.ports.clock.advance(600_000);
    await expect(openid.pollDeviceAuthorizationGrant(config, late)).rejects.toMatchObject({
      status: 400,
      error: 'expired_token',
    });
  });
});

describe('metadata', () => {
  it('behaviour 9.1, RFC 8628 4: contains device_authorization_endpoint and the grant in every profile', async () => {
    for (const profile of ['documented', 'strict', 'interop']) {
      const { http } = await start({ profile });
      for (const name of ['oauth-authorization-server', 'openid-configuration']) {
        const { body } = await ask(http.url, `/.well-known/${name}`);
        expect(body).toMatchObject({
          device_authorization_endpoint: `${http.url}/oauth/device_authorization`,
          grant_types_supported: expect.arrayContaining([DEVICE_CODE_GRANT]) as unknown,
        });
      }
    }
  });
});

describe('the verification page', () => {
  it('behaviour 9.3: a user enters the code, signs in and approves, and the device gets its tokens', async () => {
    const { http, person, device_code, user_code } = await opened();
    expectPage(await person.visit('/device'), 200);
    const question = await enter(person, user_code.toLowerCase().replace('-', ' '));
    expectPage(question, 200);
    expect(question.text).toContain(user_code);
    expect(question.text).toContain('Demo application');
    const done = await person.decide(question, 'approve');
    expectPage(done, 200);
    expect(done.text).toContain('Device approved');
    const { status, body } = await poll(http, device_code);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', id_token: expect.any(String) as string });
  });

  it('behaviour 9.3: has a trace with its checks and the approved request', async () => {
    const { http, person, user_code } = await opened();
    await decide(person, user_code, 'approve');
    expect(newest(http)).toMatchObject({
      reason: null,
      checks: [
        ['method', 'passed'],
        ['content_type', 'passed'],
        ['body', 'passed'],
        ['parameters', 'passed'],
        ['throttle', 'passed'],
        ['credential_known', 'passed'],
        ['credential_live', 'passed'],
        ['form', 'passed'],
        ['user', 'passed'],
        ['consent', 'passed'],
      ],
    });
  });

  it('behaviour 9.3: a denial returns access_denied to the device', async () => {
    const { http, person, device_code, user_code } = await opened();
    const done = await decide(person, user_code, 'deny');
    expectPage(done, 200);
    expect(done.text).toContain('Device denied');
    const { status, body } = await poll(http, device_code);
    expect([status, body['error']]).toEqual([400, 'access_denied']);
  });

  it('behaviour 9.3: grants only the selected scopes', async () => {
    const { http, person, device_code, user_code } = await opened();
    const question = await enter(person, user_code);
    await person.decide(question, 'approve', [['scope', 'openid']]);
    expect((await poll(http, device_code)).body['scope']).toBe('openid');
  });

  it('behaviour 9.3, RFC 8628 3.3.1: verification_uri_complete only fills in the code', async () => {
    const { http, person, device_code, user_code, verification_uri_complete } = await opened();
    const page = await person.visit(verification_uri_complete);
    expectPage(page, 200);
    expect(page.text).toContain(`value="${user_code}"`);
    expect(page.text).toContain('Continue only if your device shows this code');
    expect(page.text).not.toContain('Demo application');
    expect((await poll(http, device_code)).body['error']).toBe('authorization_pending');
  });

  it('behaviour 9.3: fills in a mistyped code again, but not a secret in the wrong field', async () => {
    const { person } = await start();
    const mistyped = await enter(person, 'BCDF-GHJK');
    expect(mistyped.text).toContain('value="BCDF-GHJK"');
    const secret = 'oKYcD8vXVVKa6XdO';
    expect((await enter(person, secret)).text).not.toContain(secret);
  });

  it('behaviour 9.3: suggests the signed-in user, and shares its session with /authorize', async () => {
    const { http, person, user_code } = await opened();
    http.changeUser('ada', { sub: 'bob' });
    const page = await enter(person, user_code);
    await person.decide(page, 'approve', [['sub', 'bob']]);
    const next = await enter(person, (await open(http)).user_code);
    expect(formOf(next).fields).toContainEqual(['sub', 'bob']);
    const { location } = await person.visit(authorizePath({ prompt: 'none' }));
    expect(location?.searchParams.get('error')).toBe('consent_required');
  });

  it.each([
    ['from another browser', true],
    ['with a token that was made up', false],
  ])(
    'behaviour 9.3, RFC 6749 10.12: rejects a form %s without a decision',
    async (_how, elsewhere) => {
      const { http, person, device_code, user_code } = await opened();
      const { fields } = formOf(await enter(person, user_code));
      const made = fields.map(
        ([name, value]) => [name, name === FORM_FIELD ? 'x' : value] as const,
      );
      const sender = elsewhere ? createPerson(http.url) : person;
      const sent = elsewhere ? fields : made;
      expectPage(await sender.post('/device', [...sent, ['decision', 'approve']]), 400);
      expect(newest(http).reason).toBe('device_form_of_other_browser');
      expect((await poll(http, device_code)).body['error']).toBe('authorization_pending');
    },
  );

  it('behaviour 9.3: rejects a decision without a user or without a choice', async () => {
    const { http, person, user_code } = await opened();
    const { fields } = formOf(await enter(person, user_code));
    const unknown = fields.map(([name, value]) => [name, name === 'sub' ? 'bob' : value] as const);
    expectPage(await person.post('/device', fields), 400);
    expect(newest(http).reason).toBe('form_incomplete');
    expectPage(await person.post('/device', [...unknown, ['decision', 'approve']]), 400);
    expect(newest(http).reason).toBe('form_user_unknown');
  });

  it('behaviour 7.4: with authorize deny, approval is impossible', async () => {
    const { http, person, user_code } = await opened();
    const question = await enter(person, user_code);
    http.configure({ authorize: 'deny' });
    expectPage(await person.decide(question, 'approve'), 403);
    expect(newest(http).reason).toBe('authorization_denied_by_setting');
  });
});

describe('unusable codes', () => {
  it.each([
    ['empty', '  ', 'user_code_missing', 400],
    ['too long', 'B'.repeat(65), 'user_code_too_long', 400],
    ['mistyped', 'BCDF-GHJ', 'user_code_unknown', 400],
  ])(
    'behaviour 9.3, RFC 8628 6.1: a code that is %s is reported on the page and in the trace',
    async (_how, typed, reason, status) => {
      const { http, person } = await start();
      await open(http);
      const page = await enter(person, typed);
      expectPage(page, status);
      expect(page.text).toContain('role="alert"');
      expect(newest(http).reason).toBe(reason);
    },
  );

  it('the entered text is escaped and truncated on the page', async () => {
    const { http, person } = await start();
    const page = await person.visit(
      `/device?${new URLSearchParams({ user_code: `"><script>${'x'.repeat(100)}` }).toString()}`,
    );
    expectPage(page, 200);
    expect(http.newest()?.status).toBe(200);
    expect(page.text).not.toContain('x'.repeat(65));
  });

  it('behaviour 9.3, RFC 8628 3.3: an expired code is reported with its time of expiry', async () => {
    const { http, person, user_code } = await opened();
    http.service.ports.clock.advance(605_000);
    expectPage(await enter(person, user_code), 400);
    expect(newest(http)).toMatchObject({ reason: 'user_code_expired', detail: 'expired 5 s ago' });
  });

  it('behaviour 9.3, RFC 8628 3.3: a decided code is reported with its decision and time', async () => {
    const { http, person, user_code } = await opened();
    await decide(person, user_code, 'deny');
    const { number } = http.newest() ?? { number: 0 };
    const page = await enter(person, user_code);
    expectPage(page, 400);
    expect(page.text).toContain('already approved or denied');
    expect(newest(http)).toMatchObject({
      reason: 'user_code_decided',
      detail: `denied at 2026-03-01T10:00:00Z by exchange ${number}`,
    });
  });

  it('behaviour 9.2, RFC 8628 5.1: after ten wrong codes from an address, a correct one must wait, too', async () => {
    const { http, person, user_code } = await opened();
    for (let guess = 0; guess < MOST_GUESSES; guess += 1) {
      expectPage(await enter(person, `BBBB-BBB${guess}`), 400);
    }
    const page = await enter(person, user_code);
    expectPage(page, 429);
    expect(page.headers.get('retry-after')).toBe('300');
    expect(newest(http)).toMatchObject({
      reason: 'user_code_guessed',
      detail: 'codes are accepted again in 5 min',
    });
    // A new browser has the same address.
    expectPage(await enter(createPerson(http.url), user_code), 429);
    http.service.ports.clock.advance(300_000);
    expectPage(await enter(person, user_code), 200);
  });
});
