// The one-click fixes of a rejected request: each is applied to a running server, and the same request is sent again.

import { describe, expect, it } from 'vitest';
import type { Client, Exchange, Settings } from '../../src/control/schemas.ts';
import { fixOf, registrationOf, type Fix } from '../../src/renderer/exchange/FixOffer.tsx';
import { call, CREDENTIALS, startHarness, type Harness, type Answer } from '../support/harness.ts';

const OWN = 'https://app.example/signed-in';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

const authorize =
  (parameters: Record<string, string>) =>
  ({ url }: Harness) =>
    call(
      url(),
      'GET',
      `/authorize?${new URLSearchParams({ response_type: 'code', ...parameters }).toString()}`,
    );

const post =
  (path: string, parameters: Record<string, string>, headers = {}) =>
  ({ url }: Harness) =>
    call(url(), 'POST', path, {
      raw: new URLSearchParams(parameters).toString(),
      headers: { ...FORM, ...headers },
    });

const CLIENT_CREDENTIALS = {
  grant_type: 'client_credentials',
  audience: 'https://orders.example/api',
};

async function newest({ get }: Harness, secrets = false): Promise<Exchange> {
  const { items } = await get<{ items: { number: number }[] }>('/exchanges?limit=1');
  return get(`/exchanges/${items[0]?.number}?secrets=${secrets}`);
}

const listed = async ({ get }: Harness) => (await get<{ items: Client[] }>('/clients')).items;

const sandboxOf = async (harness: Harness) => ({
  clients: await listed(harness),
  ...(await harness.get<Settings>('/settings')),
});

const offered = async (harness: Harness): Promise<Fix | null> =>
  fixOf(await newest(harness), await sandboxOf(harness));

async function make(fix: Fix, harness: Harness): Promise<void> {
  if (fix.what === 'client') {
    const record = registrationOf(await newest(harness, true));
    await harness.post('/clients', { ...record, client_id: fix.client_id });
    return;
  }
  if (fix.what === 'registration') {
    await harness.patch('/settings', { registration: { mode: 'open' } });
    return;
  }
  const { client } = fix;
  const members =
    fix.what === 'grant'
      ? { grant_types: [...client.grant_types, fix.grant] }
      : { redirect_uris: [...client.redirect_uris, fix.uri] };
  await harness.patch(`/clients/${encodeURIComponent(client.client_id)}`, members);
}

const cases: readonly [string, (harness: Harness) => Promise<Answer>, Fix['what'], number][] = [
  [
    'an authorization request with a redirect URI that is not registered',
    authorize({ client_id: 'demo-app', redirect_uri: OWN }),
    'redirect_uri',
    302,
  ],
  [
    'an authorization request with a redirect URI whose query is not encoded',
    ({ url }) =>
      call(
        url(),
        'GET',
        `/authorize?response_type=code&redirect_uri=${OWN}?tenant=1&client_id=demo-app`,
      ),
    'redirect_uri',
    302,
  ],
  [
    'a pushed request with a redirect URI that is not registered',
    post('/oauth/par', { ...CREDENTIALS, response_type: 'code', redirect_uri: OWN }),
    'redirect_uri',
    201,
  ],
  [
    'a token request for a grant that the client may not use',
    post('/oauth/token', { ...CREDENTIALS, ...CLIENT_CREDENTIALS }),
    'grant',
    200,
  ],
  [
    'a device authorization request of a client without that grant',
    post('/oauth/device_authorization', CREDENTIALS),
    'grant',
    200,
  ],
  [
    'an authorization request of an unknown client',
    authorize({ client_id: 'kJ3xQ7 my app', redirect_uri: OWN }),
    'client',
    302,
  ],
  [
    'a logout of an unknown client',
    ({ url }) => call(url(), 'GET', '/logout?client_id=newcomer'),
    'client',
    200,
  ],
  [
    'a token request of an unknown client with its secret in the body',
    post('/oauth/token', {
      ...CLIENT_CREDENTIALS,
      client_id: 'newcomer',
      client_secret: 'its own secret',
    }),
    'client',
    200,
  ],
  [
    'a registration while clients may not register themselves',
    ({ url }) => call(url(), 'POST', '/register', { body: { redirect_uris: [OWN] } }),
    'registration',
    201,
  ],
];

describe('a fix of one click', () => {
  it.each(cases)('has %s accepted', async (_name, send, what, status) => {
    const harness = await startHarness({ workspace: { settings: { authorize: 'auto' } } });
    expect((await send(harness)).status).toBeGreaterThanOrEqual(400);
    const fix = await offered(harness);
    expect(fix).toMatchObject({ what, made: false });
    const rejected = await newest(harness);
    if (fix !== null) await make(fix, harness);
    expect(fixOf(rejected, await sandboxOf(harness))).toMatchObject({ made: true });
    expect((await send(harness)).status).toBe(status);
  });

  it('registers a client with the secret that it sent by HTTP Basic, which interop accepts', async () => {
    const harness = await startHarness({ workspace: { settings: { profile: 'interop' } } });
    const send = post('/oauth/token', CLIENT_CREDENTIALS, basic('newcomer', 'a+secret'));
    expect((await send(harness)).status).toBe(401);
    const fix = await offered(harness);
    if (fix !== null) await make(fix, harness);
    expect((await send(harness)).status).toBe(200);
    expect(await harness.get('/clients/newcomer')).toMatchObject({
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials'],
    });
  });
});

describe('a fix for an ID token in the response', () => {
  it('behaviour 7.23: allows the grant implicit', async () => {
    const workspace = { settings: { authorize: 'auto', profile: 'interop' } } as const;
    const harness = await startHarness({ workspace });
    const send = authorize({
      client_id: 'demo-app',
      response_type: 'id_token',
      scope: 'openid',
      nonce: 'n',
    });
    await send(harness);
    const fix = await offered(harness);
    expect(fix).toMatchObject({ what: 'grant', grant: 'implicit', made: false });
    if (fix !== null) await make(fix, harness);
    await send(harness);
    expect((await newest(harness)).error).toBeNull();
    expect(await harness.get('/clients/demo-app')).toMatchObject({
      grant_types: ['authorization_code', 'refresh_token', 'implicit'],
    });
  });
});

describe('offers no fix', () => {
  const none: readonly [string, (harness: Harness) => Promise<Answer>][] = [
    [
      'for a path that is read while registration is off',
      ({ url }) => call(url(), 'GET', '/register'),
    ],
    [
      'for a redirect URI that cannot be registered',
      authorize({ client_id: 'demo-app', redirect_uri: `https://app.example/${'x'.repeat(2000)}` }),
    ],
    [
      'for a redirect URI that contains a secret',
      authorize({ client_id: 'demo-app', redirect_uri: `${OWN}?client_secret=hunter2hunter2` }),
    ],
    [
      'for a client_id that cannot be registered',
      authorize({ client_id: 'x'.repeat(201), redirect_uri: OWN }),
    ],
    [
      'for an unknown client that signs assertions',
      post('/oauth/token', {
        ...CLIENT_CREDENTIALS,
        client_id: 'newcomer',
        client_secret: 'x',
        client_assertion: 'x.y.z',
      }),
    ],
    [
      'for an unknown client without a secret that asks for a grant of confidential clients',
      post('/oauth/token', { ...CLIENT_CREDENTIALS, client_id: 'newcomer' }),
    ],
    [
      'for an assertion grant of a client without keys',
      post('/oauth/token', {
        ...CREDENTIALS,
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: 'x.y.z',
      }),
    ],
  ];

  it.each(none)('%s', async (_name, send) => {
    const harness = await startHarness();
    expect((await send(harness)).status).toBeGreaterThanOrEqual(400);
    expect(await offered(harness)).toBeNull();
  });

  it('for a grant that the profile of the client rejects', async () => {
    const harness = await startHarness();
    await harness.patch('/clients/demo-app', { profile: 'strict' });
    const send = post('/oauth/token', {
      ...CREDENTIALS,
      grant_type: 'password',
      username: 'ada',
      password: 'x',
    });
    expect((await send(harness)).status).toBe(400);
    expect(await offered(harness)).toBeNull();
  });

  it('for a request that Grantbench sent itself', async () => {
    const harness = await startHarness();
    await authorize({ client_id: 'nobody' })(harness);
    const sandbox = await sandboxOf(harness);
    const exchange = await newest(harness);
    expect(fixOf(exchange, sandbox)).toMatchObject({ what: 'client' });
    expect(fixOf({ ...exchange, sent_by: 'workbench' }, sandbox)).toBeNull();
  });
});

describe('the cause of an unknown client', () => {
  it.each([
    ['/authorize', authorize({ client_id: 'demo-app\n', redirect_uri: OWN })],
    ['/logout', ({ url }: Harness) => call(url(), 'GET', '/logout?client_id=demo-app%0A')],
    [
      '/oauth/token',
      post('/oauth/token', {
        ...CLIENT_CREDENTIALS,
        client_id: 'demo-app\n',
        client_secret: 'demo-secret',
      }),
    ],
  ])(
    'behaviour 3.12: names the client_id that was sent to %s, including a trailing line break',
    async (_path, send) => {
      const harness = await startHarness();
      await send(harness);
      const { why, cause } = await newest(harness);
      expect(why?.detail).toBe('client_id "demo-app\\n" is not registered');
      expect(cause).toBe(why?.detail);
    },
  );

  it('behaviour 3.12: truncates a long client_id', async () => {
    const harness = await startHarness();
    await authorize({ client_id: 'app '.repeat(5000) })(harness);
    const { why } = await newest(harness);
    expect(why?.detail).toBe(`client_id "${'app '.repeat(25)}…" is not registered`);
  });
});
