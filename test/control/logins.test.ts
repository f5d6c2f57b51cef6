// Behaviour 3.14: which exchanges belong to one login, over the requests of real walks.

import { describe, expect, test } from 'vitest';
import { createEvaluation } from '../../src/core/checks/trace.ts';
import type { ExchangeSummary } from '../../src/control/schemas.ts';
import { DEVICE_CODE_GRANT } from '../../src/core/records/schemas.ts';
import { DEMO_WORKSPACE } from '../../src/engine/workspace/demo.ts';
import { decodeJwt } from '../../src/oauth/jwt.ts';
import { performStep } from '../../src/scenario/actions/index.ts';
import { createRun } from '../../src/scenario/runner/create-run.ts';
import { sendOverControl } from '../../src/scenario/runner/over-control.ts';
import type { ScenarioStep } from '../../src/scenario/schema.ts';
import { createLogins, LOGIN_BOUNDS } from '../../src/server/logins.ts';
import { startEngine } from '../support/engine.ts';
import { authorizePath, redemption } from '../support/form-calls.ts';
import { createPerson } from '../support/person.ts';

const SIGN_IN: ScenarioStep = { authorize: { parameters: { scope: 'openid' } } };
const REDEEM: ScenarioStep = { token: { grant: 'authorization_code' } };
const REFRESH: ScenarioStep = { token: { grant: 'refresh_token' } };
const USERINFO: ScenarioStep = {
  request: { path: '/userinfo', headers: { authorization: 'Bearer {{access_token}}' } },
};

const LINK = authorizePath({ scope: 'openid' });

async function start(settings: object = {}) {
  const base = structuredClone({
    ...DEMO_WORKSPACE,
    settings: { ...DEMO_WORKSPACE.settings, signing_alg: 'ES256' as const, ...settings },
    clients: DEMO_WORKSPACE.clients.map((client) => ({
      ...client,
      grant_types: [...client.grant_types, DEVICE_CODE_GRANT] as typeof client.grant_types,
    })),
  });
  const { engine, control, issuer } = await startEngine(base);
  const { clients, users } = await control.workspace.get();
  const send = sendOverControl(control, 'scenario');
  const newRun = () => createRun({ control, issuer, clients, users, close: engine.close, send });
  return {
    control,
    issuer,
    newRun,
    /** The newest exchanges in the order in which they were sent. */
    exchanges: async (): Promise<ExchangeSummary[]> =>
      (await control.exchanges.list({})).items.toReversed(),
  };
}

type Sandbox = Awaited<ReturnType<typeof start>>;

async function walk({ newRun, exchanges }: Sandbox, ...steps: readonly ScenarioStep[]) {
  const run = newRun();
  for (const step of steps) await performStep(step, run);
  return (await exchanges()).map(({ login }) => login);
}

describe('behaviour 3.14: a login begins', () => {
  test('with the request that showed the sign-in page, and includes its form, tokens and their use', async () => {
    const sandbox = await start();
    expect(await walk(sandbox, SIGN_IN, REDEEM, REFRESH, USERINFO)).toEqual([1, 1, 1, 1, 1]);
    const subs = (await sandbox.exchanges()).map(({ sub }) => sub);
    expect(subs).toEqual([null, 'ada', 'ada', 'ada', null]);
  });

  test('with a push', async () => {
    const pushed = { authorize: { ...SIGN_IN.authorize, push: true } };
    expect(await walk(await start(), pushed, REDEEM)).toEqual([1, 1, 1, 1]);
  });

  test('with the authorization request, where no page is shown', async () => {
    const sandbox = await start({ authorize: 'auto' });
    expect(await walk(sandbox, SIGN_IN, REDEEM, SIGN_IN, REDEEM)).toEqual([1, 1, 3, 3]);
  });

  test('with the request of a device, and includes its polls', async () => {
    const poll = { token: { grant: DEVICE_CODE_GRANT } };
    const sandbox = await start();
    const steps = [{ authorize_device: {} }, poll, { approve_device: {} }, poll, USERINFO];
    expect(await walk(sandbox, ...steps)).toEqual([1, 1, 1, 1]);
  });

  test('with the first use of a code that was issued directly', async () => {
    const code = { issue_code: { scope: 'openid' } };
    expect(await walk(await start(), code, REDEEM, REFRESH)).toEqual([1, 1]);
  });
});

describe('behaviour 3.14: to a login belongs', () => {
  test('what is throttled, or answered by a fault rule', async () => {
    const { throttle } = DEMO_WORKSPACE.settings;
    const sandbox = await start({ throttle: { ...throttle, limit: 1 } });
    const fault = {
      when: 'instead',
      match: { path: '/oauth/token' },
      times: 1,
      effect: { kind: 'answer', status: 503 },
    } as const;
    expect(await walk(sandbox, SIGN_IN, REDEEM, REFRESH, REFRESH, { fault }, REFRESH)).toEqual([
      1, 1, 1, 1, 1, 1,
    ]);
    const [, , , , throttled, failed] = await sandbox.exchanges();
    expect([throttled?.throttled, failed?.status]).toEqual([true, 503]);
  });

  test.each(['query', 'fragment', 'form_post', 'query.jwt', 'form_post.jwt'])(
    'the redemption of a code in response_mode %s that a fault rule answers',
    async (response_mode) => {
      const sandbox = await start({ profile: 'interop' });
      const signIn = { authorize: { parameters: { scope: 'openid', response_mode } } };
      const fault = {
        when: 'instead',
        match: { path: '/oauth/token' },
        effect: { kind: 'answer', status: 503 },
      } as const;
      const run = sandbox.newRun();
      for (const step of [signIn, { fault }] as const) await performStep(step, run);
      const [, form] = await sandbox.exchanges();
      const { response } = await sandbox.control.exchanges.get({
        number: form?.number ?? 0,
        secrets: true,
      });
      const location = response.headers.find(([name]) => name === 'Location')?.[1] ?? '';
      const sent = `${location} ${response.body}`;
      const [, jwt] = /response(?:=|" value=")([\w.-]+)/.exec(sent) ?? [];
      const [, plain] = /(?:[?#&]code=|"code" value=")([\w-]+)/.exec(sent) ?? [];
      const code = jwt === undefined ? plain : decodeJwt(jwt)?.payload['code'];
      expect(code).toEqual(expect.any(String));
      await performStep({ token: { grant: 'authorization_code', fields: { code } } }, run);
      expect((await sandbox.exchanges()).map(({ login }) => login)).toEqual([1, 1, 1]);
    },
  );

  test('the page that is shown again after a wrong password', async () => {
    const sandbox = await start({ sign_in_page: { authentication: 'password_and_code' } });
    const person = createPerson(sandbox.issuer);
    const wrong = await person.decide(await person.visit(LINK), 'approve');
    const [, code = ''] = /<output name="code"[^>]*>([\d ]+)</.exec(wrong.text) ?? [];
    await person.decide(wrong, 'approve', [['one_time_code', code]]);
    const found = (await sandbox.exchanges()).map(({ login, status }) => [login, status]);
    expect(found).toEqual([
      [1, 200],
      [1, 403],
      [1, 303],
    ]);
  });

  test('a silent renewal in the session of the browser, and a logout to the newest login in it', async () => {
    const { issuer, exchanges } = await start({ profile: 'interop' });
    const person = createPerson(issuer);
    await person.decide(await person.visit(LINK), 'approve');
    const { location } = await person.visit(`${LINK}&prompt=none`);
    const code = location?.searchParams.get('code') ?? '';
    const body = new URLSearchParams(redemption(code));
    const answer = await fetch(`${issuer}/oauth/token`, { method: 'POST', body });
    const { id_token, access_token } = (await answer.json()) as Record<string, string>;
    await person.visit(LINK);
    // The earlier login stays the earlier one, although its tokens are used last.
    await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${access_token}` } });
    await person.visit(`/logout?id_token_hint=${id_token}`);
    const found = (await exchanges()).map(({ login, status }) => [login, status]);
    expect(found).toEqual([
      [1, 200],
      [1, 303],
      [1, 302],
      [1, 200],
      [5, 302],
      [1, 200],
      [5, 200],
    ]);
  });

  test('a denied form', async () => {
    const denied: ScenarioStep = { authorize: { sign_in: 'deny' } };
    expect(await walk(await start(), denied, SIGN_IN)).toEqual([1, 1, 3, 3]);
  });

  test('neither an unknown credential nor a request without one', async () => {
    const unknown: ScenarioStep = {
      token: { grant: 'authorization_code', fields: { code: 'never-issued' } },
    };
    const metadata = { request: { path: '/.well-known/openid-configuration' } };
    const wrong: ScenarioStep = { authorize: { parameters: { redirect_uri: 'https://x.test' } } };
    expect(await walk(await start(), unknown, metadata, wrong)).toEqual([null, null, null]);
  });
});

test('behaviour 3.14: only the newest values are remembered, until the exchanges are cleared', () => {
  const logins = createLogins();
  const { of } = logins;
  const device = (number: number, name: string, body = '') => ({
    number,
    status: 200,
    target: '/oauth/device_authorization',
    request_body: Buffer.from(body),
    response_headers: [],
    response_body: JSON.stringify({ device_code: name, user_code: `U-${name}` }),
    evaluation: { ...createEvaluation(number), endpoint: 'device_authorization' as const },
  });
  const poll = (number: number, name: string) => ({
    ...device(number, name, `device_code=${name}`),
    response_body: '',
    evaluation: null,
  });
  expect(of(device(1, 'first'))).toBe(1);
  expect(of(poll(2, 'first'))).toBe(1);
  for (let number = 3; number < LOGIN_BOUNDS.entries / 2 + 4; number += 1)
    of(device(number, `d${number}`));
  expect(of(poll(50_000, 'first'))).toBeNull();
  expect(of(poll(50_001, 'd500'))).toBe(500);
  expect(of({ ...device(50_003, ''), response_body: '{"device_code":"cut o' })).toBeNull();
  logins.clear();
  expect(of(poll(50_002, 'd500'))).toBeNull();
});
