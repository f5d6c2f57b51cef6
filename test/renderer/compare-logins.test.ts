// Two logins compared member by member: sent by a plain client over HTTP, read over the control API with their secrets.

import { expect, test } from 'vitest';
import type { Exchange } from '../../src/control/schemas.ts';
import { decodeJwt } from '../../src/oauth/jwt.ts';
import { createPkcePair } from '../../src/oauth/pkce.ts';
import { compareLogins } from '../../src/renderer/views/traffic/compare-logins.ts';
import { givenWorkspace, startEngine } from '../support/engine.ts';
import { exchangeOf } from '../support/exchanges.ts';

const REDIRECT = 'http://localhost:3000/callback';
const SHOP = {
  client_id: 'shop',
  client_secret: 'the real secret of the shop',
  redirect_uris: [REDIRECT],
};

type Fields = Readonly<Record<string, string>>;

async function sandbox() {
  const members = {
    clients: [SHOP],
    users: [{ sub: 'ada', email: 'ada@example.test' }],
    settings: {
      profile: 'interop',
      authorize: 'auto',
      refresh_rotation: { enabled: true },
      throttle: { mode: 'off' },
    },
  };
  const { control, issuer } = await startEngine(await givenWorkspace(members));

  const post = async (fields: Fields): Promise<Fields> => {
    const { client_id, client_secret } = SHOP;
    const body = new URLSearchParams({ client_id, client_secret, ...fields });
    const answer = await fetch(`${issuer}/oauth/token`, { method: 'POST', body });
    return (await answer.json()) as Fields;
  };
  const authorize = async (more: Fields = {}) => {
    const { verifier, challenge } = await createPkcePair('S256');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'shop',
      redirect_uri: REDIRECT,
      ...challenge,
      scope: 'openid email offline_access',
      state: crypto.randomUUID(),
      nonce: crypto.randomUUID(),
      ...more,
    });
    const answer = await fetch(`${issuer}/authorize?${query}`, { redirect: 'manual' });
    const location = new URL(answer.headers.get('location') ?? '');
    const code = location.searchParams.get('code') ?? '';
    return { grant_type: 'authorization_code', code, code_verifier: verifier };
  };
  /** Returns the exchanges that a login makes. */
  const exchangesOf = async (login: () => Promise<unknown>): Promise<readonly Exchange[]> => {
    const { items: before } = await control.exchanges.list({ limit: 1 });
    await login();
    const numbers = `${(before[0]?.number ?? 0) + 1}-1000`;
    const exported = await control.exchanges.export({ format: 'json', numbers, secrets: true });
    return 'exchanges' in exported ? exported.exchanges : [];
  };
  const redeem = (redeemed: Fields, more: Fields = {}) =>
    post({ redirect_uri: REDIRECT, ...redeemed, ...more });
  const whole = (asked: Fields = {}, redeemed: Fields = {}) =>
    exchangesOf(async () => {
      const { refresh_token = '', access_token = '' } = await redeem(
        await authorize(asked),
        redeemed,
      );
      if (access_token === '') return;
      await post({ grant_type: 'refresh_token', refresh_token });
      const headers = { authorization: `Bearer ${access_token}` };
      await fetch(`${issuer}/userinfo`, { headers });
    });
  return { control, authorize, redeem, exchangesOf, whole };
}

/** The steps with a difference, and what differs. */
const differencesIn = (steps: ReturnType<typeof compareLogins>) =>
  Object.fromEntries(
    steps
      .filter(({ values }) => values.some(({ first, second }) => first !== second))
      .map(({ title, values }) => [
        title,
        Object.fromEntries(
          values
            .filter(({ first, second }) => first !== second)
            .map(({ name, first, second }) => [name, [first, second]]),
        ),
      ]),
  );

test('two logins that went the same way do not differ, whenever they were', async () => {
  const { control, whole } = await sandbox();
  const first = await whole();
  await control.clock.update({ advance_seconds: 3661 });
  const steps = compareLogins(first, await whole());
  expect(steps.map(({ number, title }) => `${number} ${title}`)).toEqual([
    '1 GET /authorize',
    '2 POST /oauth/token authorization_code',
    '3 POST /oauth/token refresh_token',
    '4 GET /userinfo',
  ]);
  expect(differencesIn(steps)).toEqual({});
  const redemption = new Map(steps[1]?.values.map(({ name, first: value }) => [name, value]));
  expect(Object.fromEntries(redemption)).toMatchObject({
    'request.client_id': 'shop',
    'request.client_secret': 'sent',
    'request.code': 'the value of step 1',
    'request.redirect_uri': REDIRECT,
    'response.status': '200',
    'response.id_token': 'a new value',
    'response.id_token.nonce': 'the value of step 1',
    'response.id_token.email': 'ada@example.test',
  });
});

test('a redirect URI that changed is named, with the response that it caused', async () => {
  const { whole } = await sandbox();
  const steps = compareLogins(await whole(), await whole({}, { redirect_uri: `${REDIRECT}/` }));
  const { 'POST /oauth/token authorization_code': found, ...others } = differencesIn(steps);
  expect(others).toEqual({});
  expect(found).toMatchObject({
    'request.redirect_uri': [REDIRECT, `${REDIRECT}/`],
    'response.status': ['200', '400'],
    'response.error': [null, 'invalid_grant'],
    cause: [null, 'The redirect URI is not the one the code was issued for.'],
    'response.id_token': ['a new value', null],
  });
  expect(found).not.toHaveProperty(['response.id_token.email']);
  const missing = steps.filter(({ second }) => second === null).map(({ title }) => title);
  expect(missing).toEqual(['POST /oauth/token refresh_token', 'GET /userinfo']);
});

test('a code that was redeemed already, or is from elsewhere, is told by where it comes from', async () => {
  const { authorize, redeem, exchangesOf } = await sandbox();
  let former: Fields = {};
  const first = await exchangesOf(async () => {
    former = await authorize();
    await redeem(former);
  });
  const second = await exchangesOf(async () => {
    await authorize();
    await redeem(former);
  });
  const [, redemption] = compareLogins(first, second);
  expect(redemption?.values).toContainEqual({
    name: 'request.code',
    first: 'the value of step 1',
    second: 'a new value',
  });
});

test('a narrower scope is named in the request, the response and the ID token', async () => {
  const { whole } = await sandbox();
  const found = differencesIn(compareLogins(await whole(), await whole({ scope: 'openid' })));
  expect(found['GET /authorize']).toEqual({
    'request.scope': ['openid email offline_access', 'openid'],
  });
  expect(found['POST /oauth/token authorization_code']).toMatchObject({
    'response.id_token.email': ['ada@example.test', null],
  });
});

test('requests are paired in order, and those of one login only stand at their place', async () => {
  const { whole } = await sandbox();
  const [asked, redeemed, refreshed, userinfo] = await whole();
  const list = [asked, redeemed, refreshed, userinfo] as Exchange[];
  const other = [asked, refreshed, redeemed, refreshed, userinfo] as Exchange[];
  const steps = compareLogins(list, other);
  expect(steps.map(({ first, second }) => [first?.number ?? null, second?.number ?? null])).toEqual(
    [
      [1, 1],
      [null, 3],
      [2, 2],
      [3, 3],
      [4, 4],
    ],
  );
  expect(compareLogins([], [])).toEqual([]);
});

test('no secret is in what is compared, wherever an app sends it', async () => {
  const { whole } = await sandbox();
  const steps = compareLogins(await whole(), await whole());
  const text = JSON.stringify(steps.map(({ values }) => values));
  expect(text).not.toContain(SHOP.client_secret);
  expect(text).not.toMatch(/eyJ[\w-]{20,}|[\w-]{40,}/);

  const odd = exchangeOf({
    path: '/oauth/token?code=SECRET-1&code=SECRET-2',
    request: {
      headers: [
        ['authorization', 'SECRET-3'],
        ['content-type', 'application/json'],
      ],
      body: JSON.stringify({
        refresh_token: ['SECRET-4', ['SECRET-5']],
        a: { b: { c: { d: { password: 'SECRET-6' } } } },
        list: [{ access_token: 'SECRET-7', plain: 'shown' }],
        client_secret: '',
      }),
    },
  });
  const [step] = compareLogins([odd], [odd]);
  expect(JSON.stringify(step?.values)).not.toContain('SECRET');
  const values = new Map(step?.values.map(({ name, first }) => [name, first]));
  expect(values.get('request.list[0].plain')).toBe('shown');
  expect(values.get('request.client_secret')).toBe('empty');
  expect(values.get('request.a.b.c.d')).toBe('nested too deeply to compare');
});

test.each(['form_post', 'form_post.jwt'])(
  'in response_mode %s, too, a code from elsewhere is told',
  async (response_mode) => {
    const { redeem, exchangesOf, authorize } = await sandbox();
    const page = () => authorize({ response_mode }).catch(() => ({}));
    const codeIn = (exchanges: readonly Exchange[]) => {
      const body = exchanges[0]?.response.body ?? '';
      const [, sent = ''] = /name="(?:code|response)" value="([^"]*)"/.exec(body) ?? [];
      return sent.includes('.') ? String(decodeJwt(sent)?.payload['code']) : sent;
    };
    const login = async (code?: string) => {
      const asked = await exchangesOf(page);
      const grant = { grant_type: 'authorization_code', code: code ?? codeIn(asked) };
      return [...asked, ...(await exchangesOf(() => redeem(grant)))];
    };
    const [, redemption] = compareLogins(await login(), await login('a-code-from-elsewhere'));
    expect(redemption?.values).toContainEqual({
      name: 'request.code',
      first: 'the value of step 1',
      second: 'a new value',
    });
  },
);

test('a body that is a JWT is compared by its claims', () => {
  const claims = (sub: string) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const body = `${part({ alg: 'RS256' })}.${part({ sub, iat: 1 })}.c2ln`;
    const headers = [['content-type', 'application/jwt']] as [string, string][];
    return exchangeOf({ method: 'GET', path: '/userinfo', response: { headers, body } });
  };
  const [step] = compareLogins([claims('ada')], [claims('bob')]);
  expect(step?.values.filter(({ first, second }) => first !== second)).toEqual([
    { name: 'response.body.sub', first: 'ada', second: 'bob' },
  ]);
});
