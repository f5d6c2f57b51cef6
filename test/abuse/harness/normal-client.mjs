// A normal client that runs the whole grant repeatedly. Every response must be correct during the attacks, unless the
// clock was moved or a key retired meanwhile.

import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttp, form, json, readJson } from './http.mjs';
import { AUDIENCE, NORMAL, REDIRECT_URI, USER } from './workspace.mjs';

const PAUSE_MS = 150;

class Wrong extends Error {}

function expect(what, actual, expected) {
  if (actual === expected) return;
  throw new Wrong(`${what} was ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

function expectOk(what, answer, status = 200) {
  if (answer.status === status) return readJson(answer) ?? {};
  throw new Wrong(`${what} was answered ${answer.status}: ${answer.text.slice(0, 300)}`);
}

const decodedHeader = (jwt) => JSON.parse(Buffer.from(jwt.split('.')[0], 'base64url').toString());

const FORM = /name="grantbench_form"\s+value="([^"]*)"/;

/** Signs in on the page, if there is one. @returns the redirect */
export async function authorize(http, path) {
  const asked = await http.oauth({ path });
  const token = FORM.exec(asked.text)?.[1];
  if (token === undefined) return asked;
  const cookie = (asked.headers['set-cookie'] ?? []).map((text) => text.split(';')[0]).join('; ');
  const scopes = ['openid', 'orders:read'].map((scope) => ['scope', scope]);
  const sent = form([
    ['grantbench_form', token],
    ['decision', 'approve'],
    ['sub', USER],
    ...scopes,
  ]);
  return http.oauth({ ...sent, path: '/authorize', headers: { ...sent.headers, cookie } });
}

async function obtainCode(http, issuer, verifier) {
  const state = randomBytes(12).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: NORMAL,
    redirect_uri: REDIRECT_URI,
    scope: 'openid orders:read',
    audience: AUDIENCE,
    login_hint: USER,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const answer = await authorize(http, `/authorize?${query}`);
  const { location } = answer.headers;
  if (location === undefined)
    throw new Wrong(`no redirect but ${answer.status}: ${answer.text.slice(0, 300)}`);
  const given = new URL(location).searchParams;
  expect('state', given.get('state'), state);
  expect('iss', given.get('iss'), issuer);
  expect('error', given.get('error'), null);
  return given.get('code');
}

async function walk(http, { issuer, clients, scheme }) {
  const client = { client_id: NORMAL, client_secret: clients.get(NORMAL).client_secret };
  const post = (path, members) => http.oauth({ ...form({ ...client, ...members }), path });
  const verifier = randomBytes(32).toString('base64url');
  const code = await obtainCode(http, issuer, verifier);
  const grant = { grant_type: 'authorization_code', code, audience: AUDIENCE };
  const exchange = { ...client, ...grant, redirect_uri: REDIRECT_URI, code_verifier: verifier };
  const wrong = await http.oauth({
    ...json({ ...exchange, client_secret: 'certainly wrong' }),
    path: '/oauth/token',
  });
  expect('error of a wrong secret', expectOk('a wrong secret', wrong, 401).error, 'invalid_client');
  const pair = expectOk('code', await http.oauth({ ...json(exchange), path: '/oauth/token' }));
  expect('token_type', pair.token_type, 'Bearer');
  expect('expires_in', pair.expires_in, 86_400);
  const { keys } = expectOk('keys', await http.oauth({ path: '/.well-known/jwks.json' }));
  const { kid } = decodedHeader(pair.access_token);
  expect(
    'a published key',
    keys.some((key) => key.kid === kid),
    true,
  );
  const authorization = `Bearer ${pair.access_token}`;
  const who = expectOk(
    'userinfo',
    await http.oauth({ path: '/userinfo', headers: { authorization } }),
  );
  expect('sub', who.sub, USER);
  const called = expectOk(
    'protected API',
    await http.oauth({ path: '/api/orders/1', headers: { authorization } }),
  );
  expect('sub at the API', called.claims.sub, USER);
  const refresh = { grant_type: 'refresh_token', refresh_token: pair.refresh_token };
  const refreshed = expectOk('refresh', await post('/oauth/token', refresh));
  expect('a new refresh token', refreshed.refresh_token !== undefined, scheme === 'https');
  const token = refreshed.access_token;
  const before = expectOk('introspection', await post('/oauth/introspect', { token }));
  expect('active', before.active, true);
  expectOk('revocation', await post('/oauth/revoke', { token }));
  const after = expectOk('introspection', await post('/oauth/introspect', { token }));
  expect('active after revocation', after.active, false);
}

/** Runs until the signal; resolves after its last flow. */
export async function runNormalClient(world, figures, report, signal) {
  const { instance } = world;
  const http = createHttp(instance, { keepAlive: false });
  const watched = {
    oauth: async (order) => {
      const answer = await http.oauth(order);
      await world.examine('oauth', answer, ['to the normal client']);
      return answer;
    },
  };
  while (!signal.aborted && instance.isRunning()) {
    if (world.isDisturbed()) {
      await sleep(PAUSE_MS / 10);
      continue;
    }
    const before = world.disturbances();
    const begun = performance.now();
    try {
      await walk(watched, instance);
      figures.count('walks');
    } catch (error) {
      if (signal.aborted || !instance.isRunning()) break;
      if (world.disturbances() !== before) {
        figures.count('walks disturbed by clock or keys');
      } else {
        const took = Math.round(performance.now() - begun);
        report('the normal client got a wrong answer', [
          `${error.message} (${took} ms into a walk)`,
        ]);
      }
    }
    await sleep(PAUSE_MS);
  }
  http.close();
}
