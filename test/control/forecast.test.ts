// The forecast for a request over the control API: it equals the outcome of sending the same bytes, contains no secret
// and changes nothing.

import { beforeEach, describe, expect, test } from 'vitest';
import type { EvaluateRequest, Exchange, Forecast } from '../../src/control/schemas.ts';
import { DEVICE_CODE_GRANT } from '../../src/core/records/schemas.ts';
import { redemption } from '../support/form-calls.ts';
import type { Harness } from '../support/harness.ts';
import {
  CREDENTIALS,
  expectError,
  ORDERS,
  REDIRECT_URI,
  startHarness,
} from '../support/harness.ts';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const form = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();
const AS_DEMO = form(CREDENTIALS);

let at: Harness;
beforeEach(async () => {
  at = await startHarness({
    workspace: {
      clients: [
        {
          ...CREDENTIALS,
          redirect_uris: [REDIRECT_URI],
          grant_types: [
            'authorization_code',
            'refresh_token',
            'client_credentials',
            DEVICE_CODE_GRANT,
          ],
        },
      ],
    },
  });
});

const evaluate = (request: EvaluateRequest) => at.post<Forecast>('/requests/evaluate', request);
const send = (request: EvaluateRequest) => at.post<Exchange>('/requests', request);

/** Values that differ each time: those of codes and tokens are redacted in both. */
const masked = (body: string) =>
  body.replace(
    /"(user_code|device_code|request_uri|verification_uri_complete)":"[^"]*"/g,
    '"$1":""',
  );

const common = (reported: Forecast | Exchange) => ({
  status: reported.status,
  error: reported.error,
  fault: reported.fault,
  grant_type: reported.grant_type,
  client_id: reported.client_id,
  profile: reported.profile,
  credential_id: reported.credential_id,
  trace: reported.trace,
  why: reported.why,
  deviation_notes: reported.deviation_notes,
  advisory_notes: reported.advisory_notes,
  issued: reported.issued.map(({ kind }) => kind),
  body: masked('response' in reported ? reported.response.body : reported.body),
});

/** The forecast, which must equal the outcome when the request is sent. */
async function expectForetold(request: EvaluateRequest): Promise<Forecast> {
  const foretold = await evaluate(request);
  expect(common(foretold)).toEqual(common(await send(request)));
  return foretold;
}

/** Everything that a request could change, as the control API shows it. */
async function everything() {
  const paths = [
    '/tokens?secrets=1',
    '/throttle',
    '/devices',
    '/faults',
    '/exchanges',
    '/advisories',
  ];
  const lists = await Promise.all([...paths, '/keys', '/settings'].map((path) => at.get(path)));
  return [...lists, at.engine.service.epoch.issuedSoFar()];
}

const TOKEN_PATH = '/oauth/token';

const toToken = (body: string, headers: EvaluateRequest['headers'] = FORM): EvaluateRequest => ({
  path: TOKEN_PATH,
  headers,
  body,
});

/** A form with the credentials of the demo client. */
const asDemo = (path: string, fields = ''): EvaluateRequest => ({
  path,
  headers: FORM,
  body: `${AS_DEMO}${fields}`,
});

const refresh = (token: string) =>
  asDemo(TOKEN_PATH, `&grant_type=refresh_token&refresh_token=${token}`);

const FOR_ITSELF = asDemo(TOKEN_PATH, '&grant_type=client_credentials');

describe('behaviour 17.1: a request that is not sent', () => {
  test('returns the response, the checks and the effects, for a token named by its record', async () => {
    await at.patch('/settings', { refresh_rotation: { enabled: true, grace_seconds: 0 } });
    const { refresh_token } = await at.signIn();
    const items = await at.list<{ id: string; kind: string }>('/tokens?kind=refresh_token');
    const id = items[0]?.id ?? '';
    const foretold = await evaluate({ ...refresh('{{mine}}'), credentials: { mine: id } });
    const counter = foretold.effects[0]?.id;
    expect(foretold).toMatchObject({
      status: 200,
      error: null,
      reason: null,
      fault: null,
      why: null,
      grant_type: 'refresh_token',
      client_id: 'demo-app',
      credential_id: id,
      lineage_id: '1',
      issued: [
        { kind: 'access_token', audience: ORDERS, scope: '', expires_in: 86_400 },
        { kind: 'refresh_token', audience: null, scope: '' },
      ],
      effects: [
        { kind: 'count', id: counter, text: 'The request is number 1 of 30 in this window.' },
        { kind: 'rotate', id, text: `Refresh token ${id} is replaced.` },
      ],
    });
    expect(foretold.trace.map(({ verdict }) => verdict)).not.toContain('failed');
    expect(JSON.stringify(foretold)).not.toContain(refresh_token);
    expect(foretold.body).not.toMatch(/not-issued|AAAA/);
    await expectForetold(refresh(refresh_token));
  });

  test('says that a used code would revoke its lineage', async () => {
    await at.signIn();
    const items = await at.list<{ id: string; kind: string }>('/tokens?kind=code');
    const id = items[0]?.id ?? '';
    const body = JSON.stringify(redemption('{{code}}'));
    const request = { ...toToken(body, JSON_TYPE), credentials: { code: id } };
    const [first, again] = [await evaluate(request), await evaluate(request)];
    expect(first).toMatchObject({ status: 400, error: 'invalid_grant', reason: 'code_redeemed' });
    expect(first.effects.map(({ kind, id: of }) => [kind, of])).toContainEqual([
      'revoke_lineage',
      '1',
    ]);
    expect(again).toEqual(first);
    expect(await at.get('/lineages/1')).toMatchObject({ revoked_at: null });
  });

  test('changes, counts, captures and announces nothing, and uses no number', async () => {
    const { refresh_token, access_token } = await at.signIn();
    const before = await everything();
    await evaluate(refresh(refresh_token));
    await evaluate(refresh('unknown'));
    for (const path of ['/oauth/revoke', '/oauth/introspect']) {
      await evaluate(asDemo(path, `&token=${refresh_token}`));
    }
    const authorization = `Bearer ${access_token}`;
    await evaluate({ method: 'GET', path: '/userinfo', headers: { authorization } });
    await evaluate(asDemo('/oauth/device_authorization'));
    expect(await everything()).toEqual(before);
    expect(await send(refresh(refresh_token))).toMatchObject({ number: 2, status: 200 });
  });
});

describe('behaviour 17.1: the forecast equals the outcome', () => {
  const PUSH = '&response_type=code&redirect_uri=';
  const BODIES: readonly (readonly [string, EvaluateRequest])[] = [
    ['no body', toToken('')],
    ['no content type', { path: TOKEN_PATH, body: AS_DEMO }],
    ['another content type', toToken('x', { 'Content-Type': 'text/plain' })],
    [
      'a content type twice',
      toToken('{}', [
        ['Content-Type', 'application/json'],
        ['content-type', 'text/plain'],
      ]),
    ],
    ['another charset', toToken('{}', { 'Content-Type': 'application/json; charset=latin1' })],
    ['broken JSON', toToken('{"grant_type":', JSON_TYPE)],
    ['a JSON array', toToken('[]', JSON_TYPE)],
    ['a number', toToken('{"grant_type":1}', JSON_TYPE)],
    ['a repeated member', toToken('{"code":"a","code":"b"}', JSON_TYPE)],
    ['a repeated field', toToken(`${AS_DEMO}&client_id=x`)],
    ['escapes that are no UTF-8', toToken('a=%FF')],
    ['a body beyond the limit', toToken('a'.repeat(70_000))],
    ['no grant_type', toToken(AS_DEMO)],
    ['another method', { ...toToken(AS_DEMO), method: 'PUT' }],
    ['another path', { ...toToken(AS_DEMO), path: '/oauth/tokens' }],
    [
      'a preflight',
      {
        method: 'OPTIONS',
        path: TOKEN_PATH,
        headers: { Origin: 'http://a.test', 'Access-Control-Request-Method': 'POST' },
      },
    ],
    ['secrets in the query', { ...FOR_ITSELF, path: `${TOKEN_PATH}?client_secret=x` }],
    [
      'HTTP Basic',
      toToken('grant_type=client_credentials', {
        ...FORM,
        Authorization: `Basic ${btoa('demo-app:demo-secret')}`,
      }),
    ],
    ['tokens for the client', FOR_ITSELF],
    ['an unknown token to revoke', asDemo('/oauth/revoke', '&token=x')],
    ['an unknown token to look at', asDemo('/oauth/introspect', '&token=x')],
    ['no token at userinfo', { method: 'GET', path: '/userinfo' }],
    ['a device', asDemo('/oauth/device_authorization', '&scope=orders:read')],
    [
      'a device without client',
      { path: '/oauth/device_authorization', headers: FORM, body: 'scope=x' },
    ],
    ['a push', asDemo('/oauth/par', `${PUSH}${encodeURIComponent(REDIRECT_URI)}`)],
    ['a push to nowhere', asDemo('/oauth/par', `${PUSH}http://a.test/`)],
  ];

  test.each(['rfc6749', 'auth0'] as const)(
    'for each request, in the dialect %s',
    async (dialect) => {
      await at.patch('/settings', { dialect, profile: 'interop' });
      for (const [what, request] of BODIES) {
        const foretold = await expectForetold(request);
        expect([what, foretold.status > 0]).toEqual([what, true]);
      }
    },
  );

  test('byte for byte', async () => {
    const bytes = Buffer.from([0x61, 0x3d, 0xff]);
    const foretold = await evaluate({
      path: '/oauth/token',
      headers: FORM,
      body_base64: bytes.toString('base64'),
    });
    expect(foretold).toMatchObject({ status: 400, reason: 'body_not_utf8' });
  });

  test('for presented tokens, before and after they have ended', async () => {
    const { refresh_token, access_token } = await at.signIn();
    const presented: EvaluateRequest[] = [
      { method: 'GET', path: '/userinfo', headers: { Authorization: `Bearer ${access_token}` } },
      ...['/oauth/introspect', '/oauth/revoke'].flatMap((path) =>
        [access_token, refresh_token].map((token) => asDemo(path, `&token=${token}`)),
      ),
    ];
    const effects: string[] = [];
    for (const request of [...presented, ...presented]) {
      effects.push(
        ...(await expectForetold(request)).effects.map(({ kind, id }) => `${kind} ${id}`),
      );
    }
    expect(effects).toEqual(['revoke 1.2', 'revoke 1.3', 'revoke_lineage 1']);
  });

  test.each(['keycloak', 'entra', 'okta', 'auth0'])('with the shape of %s', async (provider) => {
    await at.api('PUT', '/shape', { provider });
    const token = new URL(at.engine.server().token_endpoint).pathname;
    const { refresh_token } = await at.signIn().catch(() => ({ refresh_token: 'none' }));
    for (const body of ['', `&refresh_token=${refresh_token}`, '&refresh_token=unknown']) {
      await expectForetold(asDemo(token, `&grant_type=refresh_token${body}`));
    }
  });
});

describe('behaviour 17.2: fault rules', () => {
  const unknown = refresh('unknown');

  test('a rule that responds before validation is named, and nothing is evaluated', async () => {
    await at.post('/faults', { preset: 'throttled_twice' });
    for (const number of [1, 2, 3]) {
      const foretold = await expectForetold(unknown);
      expect(foretold.status).toBe(number === 3 ? 400 : 429);
      expect(foretold.effects.map(({ kind }) => kind)).toEqual(number === 3 ? ['count'] : []);
    }
  });

  test('a rule with a probability does not advance its random sequence', async () => {
    await at.post('/faults', {
      when: 'instead',
      probability: 0.5,
      seed: 7,
      effect: { kind: 'answer', status: 503, headers: [], body: '' },
    });
    const statuses: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      await evaluate(unknown);
      statuses.push((await expectForetold(unknown)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([503, 400]));
  });

  test('a rule that applies after validation does not hide the effects of the request', async () => {
    await at.post('/faults', {
      when: 'after',
      effect: { kind: 'answer', status: 500, headers: [], body: 'x' },
    });
    const foretold = await expectForetold(unknown);
    expect(foretold).toMatchObject({ status: 500, reason: 'refresh_token_unknown' });
    expect(foretold.effects.map(({ kind }) => kind)).toEqual(['count']);
  });
});

describe('behaviour 17.3: a forecast accepts', () => {
  test('only requests to endpoints that it covers', async () => {
    for (const path of ['/authorize?client_id=x', '/logout', '/device', '/', '/livez']) {
      const answer = await at.api('POST', '/requests/evaluate', { method: 'GET', path });
      expectError(answer, 422, 'invalid', 'path', /endpoint with forecasts/);
    }
  });

  test('only existing records and headers that can be sent', async () => {
    const named = { ...refresh('{{mine}}'), credentials: { mine: '9.9' } };
    const ask = (order: object) => at.api('POST', '/requests/evaluate', order);
    expectError(await ask(named), 404, 'not_found');
    const bad = { path: TOKEN_PATH, headers: { Connection: 'close' } };
    expectError(await ask(bad), 422, 'invalid', 'headers.Connection');
    const noBase64 = { path: TOKEN_PATH, body_base64: '?' };
    expectError(await ask(noBase64), 422, 'invalid', 'body_base64');
  });

  test('an address, by which requests are throttled', async () => {
    await at.patch('/settings', { throttle: { limit: 1 } });
    await send(refresh('unknown'));
    expect((await evaluate(refresh('unknown'))).status).toBe(429);
    expect((await evaluate({ ...refresh('unknown'), ip: '10.0.0.7' })).status).toBe(400);
  });

  test('a device by its user code', async () => {
    const device = await at.post<{ user_code: string }>('/devices', { client_id: 'demo-app' });
    const fields = `&grant_type=${DEVICE_CODE_GRANT}&device_code={{tv}}`;
    const credentials = { tv: device.user_code };
    const foretold = await evaluate({ ...asDemo(TOKEN_PATH, fields), credentials });
    expect(foretold).toMatchObject({ status: 400, error: 'authorization_pending' });
    expect(foretold.effects.map(({ kind, id }) => [kind, id])).toContainEqual([
      'poll_device',
      device.user_code,
    ]);
  });
});
