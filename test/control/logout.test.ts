// Back-channel logout over the control operations, with apps of the test's own that validate logout tokens or do not.

import type { RequestListener } from 'node:http';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  it,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { type Grantbench, type GrantbenchOptions, startGrantbench } from '../../src/index.ts';
import { clientCases } from '../../src/library/client-cases.ts';
import { startHarness } from '../support/harness.ts';
import { createLoopbackServers } from '../support/loopback-servers.ts';

const CLIENT = {
  client_id: 'web',
  client_secret: 'a-secret-that-is-long-enough-for-hs256',
  redirect_uris: ['http://localhost:3000/callback'],
};
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const servers = createLoopbackServers();
afterEach(servers.closeAll);

/** Serves an app. @returns the URL of its logout endpoint */
const serve = async (listener: RequestListener) =>
  `${await servers.serve(listener)}/backchannel-logout`;

/** An app that answers each logout token with a status. @param received collects the tokens */
const serveApp = (answer: (token: string) => number | Promise<number>, received: string[] = []) =>
  serve((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const token = new URLSearchParams(body).get('logout_token') ?? '';
      received.push(token);
      void Promise.resolve(answer(token)).then((status) => response.writeHead(status).end());
    });
  });

async function start(
  backchannel_logout_uri?: string,
  options: GrantbenchOptions = {},
): Promise<Grantbench> {
  const client =
    backchannel_logout_uri === undefined ? CLIENT : { ...CLIENT, backchannel_logout_uri };
  const settings = { profile: 'interop' } as const;
  const bench = await startGrantbench({ clients: [client], settings, ...options });
  onTestFinished(() => bench.close());
  return bench;
}

/** For tests that leave no trace in it. */
let shared: Grantbench;
beforeAll(async () => {
  shared = await startGrantbench({ clients: [CLIENT] });
});
afterAll(() => shared.close());

/** Validates a logout token as OpenID Connect Back-Channel Logout 2.6 says. */
const validating = (bench: () => Grantbench) => async (token: string) => {
  const { issuer } = bench();
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  const options = { issuer, audience: CLIENT.client_id, typ: 'logout+jwt', algorithms: ['ES256'] };
  try {
    const { payload } = await jwtVerify(token, keys, options);
    const events = Object(payload['events']) as Record<string, unknown>;
    return typeof events[EVENT] === 'object' && !('nonce' in payload) ? 200 : 400;
  } catch {
    return 400;
  }
};

/** Redeems a code of the user ada. */
const login = (bench: Grantbench) => async () => {
  const { client_id, client_secret, redirect_uri } = bench.client;
  const { code } = await bench.issueCode({ scope: 'openid' });
  const grant = { grant_type: 'authorization_code', code, redirect_uri };
  const body = new URLSearchParams({ client_id, client_secret, ...grant });
  expect((await fetch(bench.tokenEndpoint, { method: 'POST', body })).status).toBe(200);
};

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

const cookiesOf = (response: Response) =>
  response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');

/** Sends a browser to /authorize. @returns the code, if the response has one */
async function ask(bench: Grantbench, more: Record<string, string>, cookie = '') {
  const url = new URL(`${bench.issuer}/authorize`);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: 'web',
    scope: 'openid',
    redirect_uri: bench.client.redirect_uri,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...more,
  }).toString();
  const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
  const location = response.headers.get('location');
  const code = location === null ? null : new URL(location).searchParams.get('code');
  return { url, response, code };
}

/** Signs a user in to a client in a browser. @returns its cookies */
async function signIn(bench: Grantbench, sub: string, client_id = 'web', before = '') {
  const { url, response } = await ask(bench, { client_id }, before);
  const cookie = [before, ...cookiesOf(response)].join('; ');
  const [, form = ''] =
    /name="grantbench_form"\s+value="([^"]+)"/.exec(await response.text()) ?? [];
  const fields = { grantbench_form: form, decision: 'approve', sub, scope: 'openid' };
  const [body, headers] = [new URLSearchParams(fields), { cookie }];
  const sent = await fetch(url, { method: 'POST', redirect: 'manual', body, headers });
  return [cookie, ...cookiesOf(sent)].join('; ');
}

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

/** An app that accepts logout tokens. @returns its URL, and its next token */
async function createApp() {
  const first = deferred();
  const received: string[] = [];
  const uri = await serveApp(() => {
    first.resolve();
    return 200;
  }, received);
  return { uri, received, first: first.promise.then(() => received[0] ?? '') };
}

/** Registers an app itself (RFC 7591), with a redirect URI and these members. */
const register = (issuer: string, metadata: object) =>
  fetch(`${issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: CLIENT.redirect_uris, ...metadata }),
  });

describe('behaviour 21.4: a logout in a browser', () => {
  const OTHER = {
    client_id: 'other',
    client_secret: 'another-secret-that-is-long-enough',
    redirect_uris: CLIENT.redirect_uris,
  };
  const logOut = (bench: Grantbench, cookie: string, client_id = 'web') =>
    fetch(`${bench.issuer}/logout?client_id=${client_id}`, { headers: { cookie } });

  it.each([
    ['no shape', {}],
    ['the shape of Entra ID', { shape: 'entra' }],
    ['the shape of Keycloak', { shape: 'keycloak' }],
  ] as const)(
    'tells the other clients of the session, with the sid of their ID tokens: %s',
    async (_, shape) => {
      const [web, other] = [await createApp(), await createApp()];
      const bench = await start(web.uri, shape);
      await bench.control.clients.create({ ...OTHER, backchannel_logout_uri: other.uri });
      const stranger = { ...OTHER, client_id: 'stranger', backchannel_logout_uri: web.uri };
      await bench.control.clients.create(stranger);
      const cookie = await signIn(bench, 'ada', 'other', await signIn(bench, 'ada'));
      const { code } = await ask(bench, { client_id: 'other', prompt: 'none' }, cookie);
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code: code ?? '',
        code_verifier: VERIFIER,
        client_id: 'other',
        client_secret: OTHER.client_secret,
        redirect_uri: bench.client.redirect_uri,
      });
      const redeemed = await fetch(bench.tokenEndpoint, { method: 'POST', body });
      const { id_token } = (await redeemed.json()) as { id_token: string };
      const { sid } = decodeJwt(id_token);
      expect(sid).toMatch(/^[\da-f-]{36}$/);
      expect((await logOut(bench, cookie)).status).toBe(200);
      expect(decodeJwt(await other.first)).toMatchObject({ aud: 'other', sub: 'ada', sid });
      expect([web.received.length, other.received.length]).toEqual([0, 1]);
      const metadata = await fetch(`${bench.issuer}/.well-known/openid-configuration`);
      expect(await metadata.json()).toMatchObject({ backchannel_logout_session_supported: true });
    },
  );

  it('tells all clients of the session if the request names none, and no client twice', async () => {
    const web = await createApp();
    const bench = await start(web.uri);
    const cookie = await signIn(bench, 'ada');
    await fetch(`${bench.issuer}/logout`, { headers: { cookie } });
    expect(decodeJwt(await web.first)).toMatchObject({ aud: 'web', sub: 'ada' });
    await fetch(`${bench.issuer}/logout`, { headers: { cookie } });
    await bench.control.logout({ sub: 'ada' });
    expect(web.received.map((token) => 'sid' in decodeJwt(token))).toEqual([true, false]);
  });

  it('backchannel_logout_session_required: a token for each session, and none without one', async () => {
    const web = await createApp();
    const bench = await start(web.uri);
    const required = { client_id: 'web', backchannel_logout_session_required: true };
    await bench.control.clients.update(required);
    expect(await bench.control.logout({ sub: 'ada' })).toEqual({ deliveries: [] });
    await signIn(bench, 'ada');
    await signIn(bench, 'ada');
    const { deliveries } = await bench.control.logout({ sub: 'ada' });
    expect(deliveries).toMatchObject([{ accepted: true }, { accepted: true }]);
    const sids = web.received.map((token) => decodeJwt(token)['sid']);
    expect(new Set(sids).size).toBe(2);
    expect(sids).not.toContain(undefined);
  });

  it('skips what is beyond 400 deliveries that are sent or wait, and tells later logouts again', async () => {
    const received: string[] = [];
    const held = deferred();
    const first = deferred();
    let arrived = deferred();
    const uri = await serveApp(async (token) => {
      received.push(String(decodeJwt(token)['sid']));
      first.resolve();
      if (received.length >= 400) arrived.resolve();
      await held.promise;
      return 200;
    });
    const { engine } = await startHarness({
      workspace: { clients: [{ ...CLIENT, backchannel_logout_uri: uri }] },
    });
    const signOut = (sids: readonly string[]) => {
      const clients = sids.map((sid) => ({ client_id: 'web', sid }));
      engine.service.ports.emit({ type: 'signed_out', sub: 'ada', clients });
    };
    const sids = Array.from({ length: 400 }, (_, n) => `s${n}`);
    signOut([...sids, 'beyond']);
    await first.promise;
    signOut(['beyond too']);
    held.resolve();
    await arrived.promise;
    expect(new Set(received)).toEqual(new Set(sids));
    arrived = deferred();
    signOut(['later']);
    await arrived.promise;
    expect(received.slice(400)).toEqual(['later']);
  });
});

describe('behaviour 21.1: a logout', () => {
  it('sends a logout token that is signed, for the client, and without a nonce', async () => {
    const received: string[] = [];
    const bench = await start(await serveApp(() => 200, received));
    await bench.freeze();
    const { deliveries } = await bench.control.logout({ sub: 'ada' });
    expect(deliveries).toEqual([
      { client_id: 'web', exchange: 1, status: 200, accepted: true, problem: null },
    ]);
    const [token = ''] = received;
    const iat = Math.floor(Date.parse((await bench.control.clock.get()).now) / 1000);
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'logout+jwt', alg: 'ES256' });
    expect(decodeJwt(token)).toEqual({
      iss: bench.issuer,
      aud: 'web',
      sub: 'ada',
      iat,
      exp: iat + 120,
      events: { [EVENT]: {} },
      jti: expect.any(String) as string,
    });
    expect(await validating(() => bench)(token)).toBe(200);
    const metadata = await fetch(`${bench.issuer}/.well-known/openid-configuration`);
    expect(await metadata.json()).toMatchObject({ backchannel_logout_supported: true });
  });

  it('is an exchange of the server, without the token, that can be sent again', async () => {
    const received: string[] = [];
    const uri = await serveApp(() => 400, received);
    const bench = await start(uri);
    await bench.control.logout({ sub: 'ada' });
    const exchange = await bench.lastExchange();
    expect(exchange).toMatchObject({
      method: 'POST',
      path: uri,
      sent_by: 'server',
      client_id: 'web',
      status: 400,
      trace: [],
    });
    expect(exchange?.request.body).toMatch(/^logout_token=/);
    expect(JSON.stringify(exchange)).not.toContain(received[0]);
    const again = await bench.control.logout({ exchange: 1 });
    expect(again.deliveries).toMatchObject([{ exchange: 2, status: 400, accepted: false }]);
    expect(received[1]).toBe(received[0]);
  });

  it('ends the sessions of the user, and of no other', async () => {
    const bench = await start();
    await bench.control.users.create({ sub: 'grace' });
    const [ada, grace] = [await signIn(bench, 'ada'), await signIn(bench, 'grace')];
    const isSignedIn = async (cookie: string) =>
      (await ask(bench, { prompt: 'none' }, cookie)).code !== null;
    expect([await isSignedIn(ada), await isSignedIn(grace)]).toEqual([true, true]);
    await bench.control.logout({ sub: 'ada' });
    expect([await isSignedIn(ada), await isSignedIn(grace)]).toEqual([false, true]);
  });

  it('tells only the client that is named, and no client without a URI', async () => {
    const bench = await start(await serveApp(() => 204));
    const second = { client_id: 'other', redirect_uris: CLIENT.redirect_uris };
    await bench.control.clients.create(second);
    expect((await bench.control.logout({ sub: 'ada' })).deliveries).toMatchObject([
      { client_id: 'web', accepted: true },
    ]);
    expect(await bench.control.logout({ sub: 'ada', client_id: 'other' })).toEqual({
      deliveries: [],
    });
  });

  it('signs with the client_secret under HS256', async () => {
    const received: string[] = [];
    const bench = await start(await serveApp(() => 200, received));
    await bench.control.settings.update({ signing_alg: 'HS256' });
    await bench.control.logout({ sub: 'ada' });
    const secret = new TextEncoder().encode(CLIENT.client_secret);
    await jwtVerify(received[0] ?? '', secret, { typ: 'logout+jwt' });
    await bench.control.clients.update({ client_id: 'web', client_secret: 'short' });
    await expect(bench.control.logout({ sub: 'ada' })).rejects.toThrow(/no logout token/);
  });

  it.each([
    [{}, 'sub is required, or else exchange, but not both'],
    [{ sub: 'ada', exchange: 1 }, 'sub is required, or else exchange, but not both'],
    [{ sub: 'nobody' }, 'there is no user "nobody"'],
    [{ sub: 'ada', client_id: 'nobody' }, 'there is no client "nobody"'],
    [{ exchange: 7 }, /there is no logout token in exchange "7"/],
  ])('rejects %j', async (order, message) => {
    await expect(shared.control.logout(order)).rejects.toThrow(message);
  });
});

describe('behaviour 21.2: the app that is told', () => {
  it.each<[string, RequestListener, object]>([
    [
      'redirects, which is not followed',
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      { status: 302, accepted: false, problem: null },
    ],
    [
      'responds with more than 16 KiB',
      (_, response) => response.end('x'.repeat(16_385)),
      { status: 0, accepted: false, problem: expect.stringMatching(/more than 16 KiB/) as string },
    ],
    [
      'closes the connection',
      ({ socket }) => socket.destroy(),
      {
        status: 0,
        accepted: false,
        problem: expect.stringMatching(/closed the connection/) as string,
      },
    ],
  ])('%s', async (_, listener, delivery) => {
    const bench = await start(await serve(listener));
    const { deliveries } = await bench.control.logout({ sub: 'ada' });
    expect(deliveries).toMatchObject([delivery]);
    const cause = deliveries[0]?.problem;
    const sent = { sent_by: 'server', client_id: 'web', cause };
    expect(await bench.lastExchange()).toMatchObject(sent);
  });

  it('does not respond within 5 seconds', async () => {
    const clock = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
    onTestFinished(() => {
      timeout.mockRestore();
    });
    const bench = await start(
      await serve(() => {
        clock.abort(new DOMException('', 'TimeoutError'));
      }),
    );
    const { deliveries } = await bench.control.logout({ sub: 'ada' });
    expect(timeout).toHaveBeenLastCalledWith(5000);
    expect(deliveries).toMatchObject([
      {
        status: 0,
        accepted: false,
        problem: expect.stringMatching(/did not respond completely within 5 seconds/) as string,
      },
    ]);
  });

  it('is not this sandbox', async () => {
    const bench = await start();
    const backchannel_logout_uri = bench.tokenEndpoint;
    await bench.control.clients.update({ client_id: 'web', backchannel_logout_uri });
    expect((await bench.control.logout({ sub: 'ada' })).deliveries).toMatchObject([
      { status: 0, problem: expect.stringMatching(/port of this sandbox/) as string },
    ]);
  });

  it.each([
    'https://app.example/logout',
    'http://localhost.example/',
    'http://user@localhost/',
    'http://localhost:1/#part',
    'ftp://localhost/',
  ])('is on this machine: %s cannot be registered', async (backchannel_logout_uri) => {
    const { control, issuer } = shared;
    const message = /backchannel_logout_uri must be an http or https URL of localhost/;
    await expect(
      control.clients.update({ client_id: 'web', backchannel_logout_uri }),
    ).rejects.toThrow(message);
    await control.settings.update({ registration: { mode: 'open' } });
    const answer = await register(issuer, { backchannel_logout_uri });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringMatching(message) as string,
    ]);
  });

  it('may be registered by a client itself (RFC 7591)', async () => {
    const { control, issuer } = await start();
    await control.settings.update({ registration: { mode: 'open' } });
    const uri = { backchannel_logout_uri: 'http://localhost:3000/logout' };
    expect(await (await register(issuer, uri)).json()).toMatchObject(uri);
  });
});

describe('behaviour 21.3: the cases of the logout token', () => {
  const CASES = clientCases.filter(({ group }) => group === 'logout').map(({ id }) => id);

  test.each(CASES)('%s is refused by an app that validates the token', async (id) => {
    const received: string[] = [];
    const bench: Grantbench = await start(
      await serveApp((token) => validating(() => bench)(token), received),
    );
    expect(await bench.expectSafe(id, login(bench))).toMatchObject({
      result: 'refused',
      reached_exchange: 2,
      why: 'The app answered 400, and accepted a valid logout token.',
    });
    expect(received).toHaveLength(2);
  });

  test('each changes one thing of the token', async () => {
    const received: string[] = [];
    const bench = await start(await serveApp(() => 200, received));
    await bench.freeze();
    const read = (token: string) => {
      const { kid: _kid, ...header } = decodeProtectedHeader(token);
      const { jti: _jti, ...claims } = decodeJwt(token);
      return { ...header, ...claims, signed: !token.endsWith('.') };
    };
    const changes = new Map<string, object>();
    for (const id of CASES) {
      await bench.check(id, login(bench));
      const [wrong, valid] = received.splice(0).map(read) as [object, Record<string, unknown>];
      const differing = Object.entries(wrong).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(valid[name]),
      );
      const missing = Object.keys(valid).filter((name) => !(name in wrong));
      changes.set(id, { ...Object.fromEntries(differing), ...(missing.length ? { missing } : {}) });
    }
    expect(Object.fromEntries(changes)).toEqual({
      'logout-token-iss-other': { iss: 'https://other-issuer.invalid' },
      'logout-token-aud-other': { aud: 'https://stranger.invalid' },
      'logout-token-event-missing': { missing: ['events'] },
      'logout-token-event-other': { events: { 'http://schemas.openid.net/event/foobar': {} } },
      'logout-token-nonce': { nonce: 'a-nonce' },
      'logout-token-alg-none': { alg: 'none', signed: false },
      'logout-token-alg-other': { alg: 'HS256' },
    });
  });

  test.each<[string, (() => Promise<string>) | null, string, boolean]>([
    ['accepts every token', () => serveApp(() => 200), 'accepted', true],
    ['refuses every token', () => serveApp(() => 400), 'unclear', false],
    ['fails at every token', () => serveApp(() => 500), 'unclear', false],
    ['has no URI', null, 'not_reached', false],
    ['does not run', () => Promise.resolve('http://127.0.0.1:1/logout'), 'not_reached', false],
  ])('an app that %s', async (_, uri, result, fault) => {
    const bench = await start(await uri?.());
    const [id = ''] = CASES;
    expect(await bench.check(id, login(bench))).toMatchObject({ result, fault });
  });

  test('are about the client that is checked', async () => {
    const received: string[] = [];
    const bench = await start(await serveApp(() => 200, received));
    await bench.control.clients.create({ ...CLIENT, client_id: 'other' });
    const [id = ''] = CASES;
    await bench.control.clientChecks.start({ case: id, client_id: 'other' });
    await login(bench)();
    expect(await bench.control.clientChecks.end({ login: 'succeeded' })).toMatchObject({
      result: 'not_reached',
    });
    expect(received).toEqual([]);
  });
});
