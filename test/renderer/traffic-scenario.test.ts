// Exchanges of an app as a scenario: sent by a plain client over HTTP, recorded, and passed by the runner.

import { expect, test } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import { secretKey, signAssertion } from '../../src/oauth/assertion.ts';
import { basicAuthorization } from '../../src/oauth/client-authentication.ts';
import { createProofKey } from '../../src/oauth/dpop.ts';
import { headerOf } from '../../src/oauth/fields.ts';
import { decodeJwt } from '../../src/oauth/jwt.ts';
import { createPkcePair } from '../../src/oauth/pkce.ts';
import { DEVICE_CODE_GRANT } from '../../src/oauth/token-request.ts';
import { recordTraffic } from '../../src/renderer/recording/record-traffic.ts';
import { exchangeMessage } from '../../src/renderer/sequence/message.ts';
import { meaningOf } from '../../src/renderer/views/flow/meaning.ts';
import { approval, signInFormOf } from '../../src/scenario/sign-in-form.ts';
import type { Scenario, ScenarioStep } from '../../src/scenario/schema.ts';
import { givenWorkspace, startEngine } from '../support/engine.ts';
import { expectPasses } from '../support/scenarios.ts';

const REDIRECT = 'http://localhost:3000/callback';
const CONFIDENTIAL = {
  client_id: 'shop',
  client_secret: 'the real secret of the shop',
  redirect_uris: [REDIRECT],
  grant_types: [
    'authorization_code',
    'refresh_token',
    'client_credentials',
    'password',
    DEVICE_CODE_GRANT,
  ],
};
const PUBLIC = {
  client_id: 'spa',
  client_secret: null,
  token_endpoint_auth_method: 'none',
  redirect_uris: [REDIRECT],
};

type Fields = Readonly<Record<string, string>>;
type Body = Readonly<Record<string, string>>;

/** An app and the sandbox that it talks to. @param more other clients */
async function app(settings: object = {}, more: readonly object[] = []) {
  const members = {
    clients: [CONFIDENTIAL, PUBLIC, ...more],
    settings: { profile: 'interop', ...settings },
  };
  const { control, issuer } = await startEngine(await givenWorkspace(members));
  const post = async (path: string, fields: Fields, headers: Fields = {}) => {
    const body = new URLSearchParams(fields);
    const answer = await fetch(`${issuer}${path}`, { method: 'POST', body, headers });
    const text = await answer.text();
    return (text.startsWith('{') ? JSON.parse(text) : {}) as Body;
  };
  const secret = { client_id: 'shop', client_secret: CONFIDENTIAL.client_secret };
  const newest = async (): Promise<Exchange> => {
    const { items } = await control.exchanges.list({ limit: 1 });
    return control.exchanges.get({ number: items[0]?.number ?? 0, secrets: true });
  };
  /** A user's browser: the page, its form, and the code in the redirect. */
  const signIn = async (query: Fields, cookie: Fields = {}, space = '+'): Promise<string> => {
    const sent = new URLSearchParams(query).toString().replaceAll('+', space);
    const link = `${issuer}/authorize?${sent}`;
    const asked = await fetch(link, { redirect: 'manual', headers: cookie });
    await asked.text();
    const form = signInFormOf(await newest());
    const located = async () => {
      if (form === null) return asked;
      const { path, headers, body } = approval(form, 'ada');
      const sent = { method: 'POST', headers, body: body ?? '', redirect: 'manual' } as const;
      return fetch(`${issuer}${path}`, sent);
    };
    const answer = await located();
    lastCookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  };
  let lastCookie = '';
  const redeem = (code: string) =>
    post('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      ...secret,
    });
  /** A form that approves as this user, sent without its page's cookie. */
  const rejected = async (query: Fields, sub: string): Promise<Exchange> => {
    await fetch(`${issuer}/authorize?${new URLSearchParams(query).toString()}`);
    const form = signInFormOf(await newest());
    if (form === null) throw new Error('No page was shown.');
    const { path, body } = approval(form, sub);
    await fetch(`${issuer}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body ?? '',
      redirect: 'manual',
    });
    return newest();
  };
  return {
    rejected,
    newest,
    issuer,
    control,
    post,
    redeem,
    secret,
    signIn,
    cookie: () => lastCookie,
    basic: { authorization: basicAuthorization(CONFIDENTIAL) },
    query: (more: Fields = {}): Fields => ({
      response_type: 'code',
      client_id: 'shop',
      redirect_uri: REDIRECT,
      scope: 'openid profile offline_access',
      state: 'a-state',
      nonce: 'n'.repeat(43),
      ...more,
    }),
    /** @param from includes only exchanges from this number on */
    record: async (from = 1) => {
      const numbers = `${from}-100`;
      const exported = await control.exchanges.export({ format: 'json', numbers, secrets: true });
      const exchanges = 'exchanges' in exported ? exported.exchanges : [];
      const sandbox = { issuer, ...(await control.workspace.get()) };
      return recordTraffic({ name: 'An app', exchanges, sandbox });
    },
    count: async () => (await newest()).number,
  };
}

const withoutClock = ({ steps }: Scenario): ScenarioStep[] =>
  steps.filter(({ clock }) => clock === undefined);

const statusesOf = (scenario: Scenario) =>
  withoutClock(scenario).flatMap(({ expect: expected }) => expected?.status ?? []);

/** Runs it as `grantbench run` does: it must match the recording and contain no secret. */
async function runsGreen(scenario: Scenario): Promise<void> {
  const text = JSON.stringify(scenario, null, 2);
  expect(text).not.toContain(CONFIDENTIAL.client_secret);
  // Neither HTTP Basic nor the coordinates of a public key are secret, and by chance they may look like a JWT.
  const others = text.replaceAll(/"(Basic |[xy]": ")[\w=-]+"/g, '');
  expect(others).not.toMatch(/eyJ[\w-]{20,}|[\w-]{43,}/);
  await expectPasses(text);
}

test('a login, a failed redemption, two refreshes and a rotated token replay as recorded', async () => {
  const settings = { refresh_rotation: { enabled: true } };
  const { post, basic, query, signIn, record, issuer } = await app(settings);
  await fetch(`${issuer}/.well-known/openid-configuration`);
  const { challenge, verifier } = await createPkcePair('S256');
  const code = await signIn(query({ ...challenge }));
  const redeem = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT };
  await post(
    '/oauth/token',
    { ...redeem, redirect_uri: `${REDIRECT}/`, code_verifier: verifier },
    basic,
  );
  const again = await signIn(query({ ...challenge }));
  const first = await post(
    '/oauth/token',
    { ...redeem, code: again, code_verifier: verifier },
    basic,
  );
  const refresh = (refresh_token = '') =>
    post('/oauth/token', { grant_type: 'refresh_token', refresh_token }, basic);
  const second = await refresh(first['refresh_token']);
  const third = await refresh(second['refresh_token']);
  await fetch(`${issuer}/userinfo`, {
    headers: { authorization: `Bearer ${third['access_token'] ?? ''}`, 'x-api-key': 'hush-hush' },
  });
  await post('/oauth/introspect', { token: third['access_token'] ?? '' }, basic);
  await post('/oauth/revoke', { token: third['refresh_token'] ?? '' }, basic);
  await refresh(third['refresh_token']);
  const { scenario, summary } = await record();
  expect(statusesOf(scenario)).toEqual([303, 400, 303, 200, 200, 200, 200, 200, 200, 400]);
  expect(summary).toBe(
    '10 requests, 2 expected rejections; without secrets; omitted: 1 request for metadata or keys',
  );
  expect(scenario.description).toContain('omitted: 1 request for metadata or keys');
  expect(JSON.stringify(scenario)).not.toContain('hush-hush');
  await runsGreen(scenario);
});

test.each(['auth0', 'entra', 'keycloak', 'okta'] as const)(
  'a login at the paths of %s replays as recorded',
  async (provider) => {
    const { control, post, query, record, signIn } = await app();
    await control.shape.set({ provider });
    // The run has another time, which auth0 has in its claims.
    await control.clock.update({ advance_seconds: 86_400 });
    const { endpoints } = await control.server.get();
    const pathOf = (endpoint: string | undefined) => new URL(endpoint ?? '').pathname;
    await fetch(endpoints.openid_configuration);
    await fetch(endpoints.jwks);
    const { challenge, verifier } = await createPkcePair('S256');
    const code = await signIn(query({ client_id: 'spa', ...challenge }));
    const tokens = await post(pathOf(endpoints.token), {
      grant_type: 'authorization_code',
      client_id: 'spa',
      redirect_uri: REDIRECT,
      code,
      code_verifier: verifier,
    });
    const authorization = `Bearer ${tokens['access_token'] ?? ''}`;
    await fetch(endpoints.userinfo, { headers: { authorization } });
    const { scenario, summary } = await record();
    expect(summary).toBe(
      '3 requests, 0 expected rejections; without secrets; omitted: 2 requests for metadata or keys',
    );
    expect(withoutClock(scenario)).toMatchObject([
      { authorize: {} },
      { token: { grant: 'authorization_code' }, expect: { status: 200 } },
      { request: { path: pathOf(endpoints.userinfo) }, expect: { status: 200 } },
    ]);
    await runsGreen(scenario);
  },
);

test('logins that overlap each redeem their own code with their own verifier', async () => {
  const { post, query, signIn, record } = await app();
  const [one, two] = [await createPkcePair('S256'), await createPkcePair('S256')];
  const spa = { client_id: 'spa' };
  const first = await signIn(query({ ...spa, ...one.challenge }));
  const second = await signIn(query({ ...spa, ...two.challenge }));
  const redeem = { grant_type: 'authorization_code', redirect_uri: REDIRECT, ...spa };
  await post('/oauth/token', { ...redeem, code: first, code_verifier: one.verifier });
  await post('/oauth/token', { ...redeem, code: second, code_verifier: two.verifier });
  const { scenario } = await record();
  expect(statusesOf(scenario)).toEqual([303, 303, 200, 200]);
  await runsGreen(scenario);
});

test('credentials from before the first exchange are issued again by a step, or are invalid', async () => {
  const { redeem, post, secret, query, signIn, record, count } = await app();
  const code = await signIn(query());
  const { refresh_token = '' } = await redeem(code);
  const late = await signIn(query());
  const from = (await count()) + 1;
  await post('/oauth/token', { grant_type: 'refresh_token', refresh_token, ...secret });
  await redeem(late);
  await redeem('never-issued-by-anyone');
  const { scenario, summary } = await record(from);
  expect(withoutClock(scenario)).toMatchObject([
    { issue_tokens: { user: 'ada' } },
    { token: { grant: 'refresh_token' }, expect: { status: 200 } },
    { issue_code: { user: 'ada' } },
    { token: { grant: 'authorization_code' }, expect: { status: 200 } },
    { token: { fields: { code: 'nobody-issued-this' } }, expect: { status: 400 } },
  ]);
  expect(summary).toContain('2 earlier credentials issued by a step');
  expect(summary).toContain('1 unknown credential replaced by an invalid one');
  await runsGreen(scenario);
});

test('wrong client credentials are wrong in the run, and are not in the file', async () => {
  const { post, record, issuer } = await app();
  const grant = { grant_type: 'client_credentials', audience: issuer };
  await post('/oauth/token', {
    ...grant,
    client_id: 'shop',
    client_secret: 'secret of production',
  });
  const wrong = { client_id: 'shop', client_secret: 'another secret of production' };
  await post('/oauth/token', grant, { authorization: basicAuthorization(wrong) });
  await post('/oauth/token', grant, { authorization: basicAuthorization(CONFIDENTIAL) });
  const { scenario } = await record();
  expect(statusesOf(scenario)).toEqual([401, 401, 200]);
  const text = JSON.stringify(scenario);
  expect(text).not.toContain('production');
  expect(text).not.toContain(basicAuthorization(wrong));
  await runsGreen(scenario);
});

test('a held request that was released is recorded like any other, an answered one with a fault', async () => {
  const { post, secret, record, control } = await app();
  const events = (await control.holds.start({}))[Symbol.asyncIterator]();
  const ask = async (decide: (number: number) => Promise<unknown>) => {
    const answer = post('/oauth/token', { grant_type: 'client_credentials', ...secret });
    for (;;) {
      const { value, done } = await events.next();
      if (done === true) throw new Error('Nothing is held now.');
      const [held] = value.held;
      if (held !== undefined) {
        await decide(held.number);
        return answer;
      }
    }
  };
  await events.next();
  await ask((number) => control.holds.release({ number }));
  await ask((number) => control.holds.answer({ number, reason: 'throttled' }));
  await events.return(undefined);
  const { scenario } = await record();
  const [released, fault, answered] = withoutClock(scenario);
  expect(released).toMatchObject({ token: {}, expect: { status: 200 } });
  expect(fault).toMatchObject({ fault: { name: 'Held', effect: { kind: 'answer', status: 429 } } });
  expect(answered).toMatchObject({ token: {}, expect: { status: 429 } });
  await runsGreen(scenario);
});

test('a sign-in after a wrong password is one step, and one that was given up stays wrong', async () => {
  const { control, issuer, query, newest, record } = await app({
    sign_in_page: { authentication: 'password_and_code' },
  });
  await control.users.update({ sub: 'ada', password: 'correct horse' });
  const link = `${issuer}/authorize?${new URLSearchParams(query()).toString()}`;
  const enter = async (password: string, cookie: string) => {
    const form = signInFormOf(await newest()) ?? expect.fail('no page was shown');
    const { path, headers, body } = approval({ ...form, cookies: cookie }, 'ada', { password });
    await fetch(`${issuer}${path}`, {
      method: 'POST',
      headers,
      body: body ?? '',
      redirect: 'manual',
    });
    return signInFormOf(await newest());
  };
  const { headers } = await fetch(link);
  const cookie = headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  await enter('wrong', cookie);
  await fetch(link, { headers: { cookie } });
  await enter('wrong', cookie);
  await enter('correct horse', cookie);
  const { scenario } = await record();
  expect(withoutClock(scenario).map(({ authorize }) => authorize?.sign_in)).toEqual([
    'wrong_password',
    undefined,
  ]);
  expect(statusesOf(scenario)).toEqual([403, 303]);
  await runsGreen(scenario);
});

test('requests are recorded whatever their encoding', async () => {
  const { redeem, issuer, query, signIn, record } = await app();
  const code = await signIn(query(), {}, '%20');
  await redeem(code);
  await fetch(`${issuer}/userinfo?a=b?c`);
  const { scenario } = await record();
  expect(withoutClock(scenario)).toMatchObject([
    {
      authorize: {
        user: 'ada',
        parameters: { scope: 'openid profile offline_access', nonce: 'scenario' },
      },
    },
    { token: { grant: 'authorization_code' } },
    { request: { path: '/userinfo?a=b?c' } },
  ]);
  await runsGreen(scenario);
});

test('a device polls, is approved in the workbench, and gets its tokens', async () => {
  const { post, secret, record, control } = await app();
  const device = await post('/oauth/device_authorization', { ...secret, scope: 'openid' });
  const poll = {
    grant_type: DEVICE_CODE_GRANT,
    device_code: device['device_code'] ?? '',
    ...secret,
  };
  await post('/oauth/token', poll);
  await control.devices.approve({ id: device['user_code'] ?? '', sub: 'ada' });
  await control.clock.update({ advance_seconds: 10 });
  await post('/oauth/token', poll);
  const { scenario } = await record();
  expect(withoutClock(scenario)).toMatchObject([
    { authorize_device: {} },
    { token: { grant: DEVICE_CODE_GRANT }, expect: { error: 'authorization_pending' } },
    { approve_device: { user: 'ada', scope: 'openid' } },
    { token: { grant: DEVICE_CODE_GRANT }, expect: { status: 200 } },
  ]);
  await runsGreen(scenario);
});

test('behaviour 3.10: a poll with a wrong secret does not count as a denial, although auth0 gives both the same response', async () => {
  const { post, secret, record, control } = await app({ dialect: 'auth0' });
  const device = await post('/oauth/device_authorization', { ...secret, scope: 'openid' });
  const poll = {
    grant_type: DEVICE_CODE_GRANT,
    device_code: device['device_code'] ?? '',
    ...secret,
  };
  const wrong = await post('/oauth/token', { ...poll, client_secret: 'not-the-secret' });
  expect(wrong).toMatchObject({ error: 'access_denied' });
  await control.devices.deny({ id: device['user_code'] ?? '' });
  await post('/oauth/token', poll);
  const { scenario } = await record();
  expect(withoutClock(scenario).map((step) => Object.keys(step)[0])).toEqual([
    'authorize_device',
    'token',
    'deny_device',
    'token',
  ]);
});

test('a form that returned a code names who approved, and a redirect without a page says why none was shown', async () => {
  const { query, signIn, cookie, rejected, newest, control } = await app();
  const outcomeOf = (exchange: Exchange) => [
    exchangeMessage(1, exchange).notes.find(({ text }) => /approved|granted/.test(text))?.text,
    exchange.error === null ? meaningOf(exchange) : null,
  ];
  expect(outcomeOf(await rejected(query(), 'eve'))).toEqual([undefined, null]);
  expect(outcomeOf(await rejected(query(), 'ada'))).toEqual([undefined, null]);
  await signIn(query());
  const end = 'The browser returns the code to the callback.';
  expect(outcomeOf(await newest())).toEqual([
    'ada approved openid profile offline_access',
    `ada signed in and approved. ${end}`,
  ]);
  await signIn(query({ prompt: 'none' }), { cookie: cookie() });
  expect(outcomeOf(await newest())).toEqual([
    'granted for ada openid profile offline_access (already signed in)',
    `No page was shown (already signed in). A code for ada was issued. ${end}`,
  ]);
  await control.settings.update({ authorize: 'auto' });
  await signIn(query());
  expect(outcomeOf(await newest())).toEqual([
    'granted for ada openid profile offline_access (granted automatically: authorize is auto)',
    `No page was shown (granted automatically: authorize is auto). A code for ada was issued. ${end}`,
  ]);
});

test('behaviour 7.30: the code of a signed authorization response is redeemed in the run, too', async () => {
  const { redeem, query, signIn, newest, record } = await app();
  await signIn(query({ response_mode: 'query.jwt' }));
  const location = headerOf((await newest()).response.headers, 'location') ?? '';
  const { payload } = decodeJwt(new URL(location).searchParams.get('response') ?? '') ?? {};
  await redeem(String(payload?.['code']));
  const { scenario } = await record();
  const actions = withoutClock(scenario).map((step) => Object.keys(step)[0]);
  expect(actions).toEqual(['authorize', 'token']);
  expect(statusesOf(scenario)).toEqual([303, 200]);
  await runsGreen(scenario);
});

test.each([
  ['form_post', /name="code" value="([^"]*)"/],
  ['form_post.jwt', /name="response" value="([^"]*)"/],
])(
  'behaviour 7.2: the code that %s posts is redeemed in the run, too',
  async (response_mode, sent) => {
    const { redeem, query, signIn, newest, record } = await app();
    await signIn(query({ response_mode })).catch(() => '');
    const [, value = ''] = sent.exec((await newest()).response.body) ?? [];
    const { payload } = decodeJwt(value) ?? { payload: { code: value } };
    await redeem(String(payload['code']));
    const { scenario } = await record();
    const actions = withoutClock(scenario).map((step) => Object.keys(step)[0]);
    expect(actions).toEqual(['authorize', 'token']);
    expect(statusesOf(scenario)).toEqual([200, 200]);
    await runsGreen(scenario);
  },
);

test('a request that reuses a session is recorded as a sign-in', async () => {
  const { redeem, query, signIn, record, cookie, count } = await app();
  await signIn(query());
  const from = (await count()) + 1;
  const code = await signIn(query({ prompt: 'none' }), { cookie: cookie() });
  await redeem(code);
  const { scenario } = await record(from);
  expect(withoutClock(scenario)).toMatchObject([{ authorize: { user: 'ada' } }, { token: {} }]);
  expect(JSON.stringify(scenario)).not.toContain('prompt');
  await runsGreen(scenario);
});

test('only an accepted sign-in form is recorded as a sign-in', async () => {
  const { redeem, query, signIn, record, rejected } = await app();
  await rejected(query(), 'eve');
  const code = await signIn(query());
  await redeem(code);
  const { scenario, summary } = await record();
  expect(withoutClock(scenario)).toMatchObject([
    { authorize: { sign_in: 'stop' } },
    { authorize: { user: 'ada' }, expect: { status: 303 } },
    { token: {} },
  ]);
  expect(summary).toContain('1 request for a page in the browser');
  await runsGreen(scenario);
});

test('a throttled request is recorded when its whole window is, and omitted otherwise', async () => {
  const settings = { throttle: { limit: 2, window_seconds: 60, mode: 'enforce' } };
  const { redeem, query, signIn, record, count } = await app(settings);
  const code = await signIn(query());
  await redeem(code);
  await redeem(code);
  const from = (await count()) + 1;
  await redeem(code);
  await redeem(code);
  const { scenario } = await record();
  expect(statusesOf(scenario)).toEqual([303, 200, 400, 429, 429]);
  await runsGreen(scenario);
  await expect(record(from)).rejects.toThrow(
    'None of these exchanges can be a step of a scenario: 2 rejections by the throttle that depend on earlier requests.',
  );
});

test('requests that need the app’s browser or keys are omitted and counted by reason', async () => {
  const { post, secret, record, issuer } = await app();
  await fetch(`${issuer}/oauth/token`, {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
  });
  await fetch(`${issuer}/.well-known/jwks.json`);
  await fetch(`${issuer}/livez`);
  await fetch(`${issuer}/logout`);
  await fetch(`${issuer}/no/such/path`);
  const signed = { client_assertion: 'eyJhbGciOiJFUzI1NiJ9.e30.x', client_assertion_type: 'jwt' };
  await post('/oauth/token', { grant_type: 'client_credentials', ...signed });
  await fetch(`${issuer}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', ...signed }),
  });
  await post('/oauth/token', { grant_type: 'client_credentials', audience: issuer, ...secret });
  const { scenario, summary } = await record();
  expect(summary).toBe(
    '1 request, 0 expected rejections; without secrets; omitted: 1 CORS preflight, ' +
      '1 request for metadata or keys, 1 health check, 1 request for a page in the browser, ' +
      '1 request to a path that is not an endpoint of Grantbench, ' +
      '2 requests signed with a key that only the app has',
  );
  await runsGreen(scenario);
});

test.each(['private_key_jwt', 'client_secret_jwt'] as const)(
  'requests that a client authenticated with %s are signed again, except a rejected assertion',
  async (method) => {
    const own = await createProofKey();
    const secret = 'the real secret of the worker, long';
    const jwks = { keys: [{ ...own.public_jwk, kid: 'own', alg: own.alg }] };
    const worker = {
      ...CONFIDENTIAL,
      client_id: 'worker',
      token_endpoint_auth_method: method,
      ...(method === 'private_key_jwt' ? { client_secret: null, jwks } : { client_secret: secret }),
    };
    const { post, query, signIn, record, issuer } = await app({}, [worker]);
    const signed = async (lifetime_seconds = 60) => {
      const key = method === 'private_key_jwt' ? { ...own, kid: 'own' } : secretKey(secret);
      const parties = { iss: 'worker', sub: 'worker', aud: issuer };
      const now = Math.floor(Date.now() / 1000);
      return {
        client_id: 'worker',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await signAssertion(key, parties, now, { lifetime_seconds }),
      };
    };
    const asked = query({ client_id: 'worker' });
    const { request_uri = '' } = await post('/oauth/par', { ...asked, ...(await signed()) });
    const code = await signIn({ client_id: 'worker', request_uri });
    const grant = { grant_type: 'authorization_code', redirect_uri: REDIRECT };
    const { access_token } = await post('/oauth/token', { ...grant, code, ...(await signed()) });
    expect(access_token).toBeDefined();
    await post('/oauth/device_authorization', await signed());
    await post('/oauth/token', { grant_type: 'client_credentials', ...(await signed(7200)) });
    await post('/oauth/introspect', { token: access_token ?? '', ...(await signed()) });
    await post('/oauth/par', { ...asked, ...(await signed()) });
    const { client_id: _, ...unnamed } = await signed();
    await post('/oauth/token', { grant_type: 'client_credentials', ...unnamed });
    const { scenario, summary } = await record();
    // A rejected one, one at an endpoint whose steps do not sign, and a push that no browser followed.
    expect(summary).toContain('omitted: 3 requests signed with a key that only the app has');
    const steps = withoutClock(scenario).map(({ authorize, token, authorize_device }) => ({
      ...(authorize ?? token ?? authorize_device),
    }));
    expect(steps).toMatchObject(Array.from({ length: 4 }, () => ({ client_auth: method })));
    expect(JSON.stringify(steps)).not.toContain('client_assertion');
    await runsGreen(scenario);
  },
);

test('a sign-in whose page was opened earlier is omitted, and a step issues its code', async () => {
  const { redeem, query, signIn, record, count } = await app();
  const before = await count().catch(() => 0);
  const code = await signIn(query());
  await redeem(code);
  const { scenario, summary } = await record(before + 2);
  expect(summary).toContain('1 authorization request that began before the first exchange');
  expect(withoutClock(scenario)).toMatchObject([{ issue_code: {} }, { token: {} }]);
  await runsGreen(scenario);
});
