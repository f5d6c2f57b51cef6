// The requests of a soak test: whole grants, invalid credentials and registrations in fixed proportions. A step is one
// request, whose results later steps use.

import { randomBytes } from 'node:crypto';
import { form, json, readJson } from './http.mjs';
import { AUDIENCE, NORMAL, REDIRECT_URI, USER } from './workspace.mjs';

const MOST_AT_HAND = 2000;

/** A pool of values for reuse that drops the oldest over its limit. */
function createPool() {
  const items = [];
  let turn = 0;
  return {
    add: (item) => {
      items.push(item);
      if (items.length > MOST_AT_HAND) items.shift();
    },
    next: () => items[(turn += 1) % items.length],
    take: () => items.shift(),
    remove: (item) => {
      const at = items.indexOf(item);
      if (at >= 0) items.splice(at, 1);
    },
  };
}

const QUERY = new URLSearchParams({
  response_type: 'code',
  client_id: NORMAL,
  redirect_uri: REDIRECT_URI,
  login_hint: USER,
  audience: AUDIENCE,
  scope: 'openid orders:read',
});

/** @param figures counts answers by class */
export function createLoad({ clients }, http, figures) {
  const { client_id, client_secret } = clients.get(NORMAL);
  const own = { client_id, client_secret };
  const codes = createPool();
  const refreshTokens = createPool();
  const accessTokens = createPool();

  const ask = async (order) => {
    const answer = await http.oauth(order);
    figures.count('requests');
    figures.count(`${Math.floor(answer.status / 100)}xx`);
    return answer;
  };
  const post = (path, members) => ask({ ...form({ ...own, ...members }), path });

  const authorize = async () => {
    const nonce = randomBytes(12).toString('base64url');
    const { headers } = await ask({ path: `/authorize?${QUERY}&nonce=${nonce}` });
    const code = /[?&]code=([\w-]+)/.exec(headers.location ?? '')?.[1];
    if (code !== undefined) codes.add(code);
  };
  const exchange = async () => {
    const code = codes.take();
    if (code === undefined) return authorize();
    const grant = { grant_type: 'authorization_code', code, audience: AUDIENCE };
    const request = { ...own, ...grant, redirect_uri: REDIRECT_URI };
    const answer = await ask({ ...json(request), path: '/oauth/token' });
    if (answer.status === 200) refreshTokens.add(readJson(answer).refresh_token);
  };
  const refresh = async () => {
    const refresh_token = refreshTokens.next();
    if (refresh_token === undefined) return exchange();
    const answer = await post('/oauth/token', { grant_type: 'refresh_token', refresh_token });
    if (answer.status === 200) accessTokens.add(readJson(answer).access_token);
    else if (answer.status === 400) refreshTokens.remove(refresh_token);
  };
  const stranger = () => {
    const refresh_token = randomBytes(32).toString('base64url');
    return post('/oauth/token', { grant_type: 'refresh_token', refresh_token });
  };
  const register = () =>
    ask({
      ...json({ redirect_uris: [REDIRECT_URI], client_name: 'x'.repeat(100) }),
      path: '/register',
    });
  const introspect = () => post('/oauth/introspect', { token: accessTokens.next() ?? 'none' });
  const revoke = () => post('/oauth/revoke', { token: accessTokens.take() ?? 'none' });

  /** The composition of the load, in tenths. */
  const cycle = [
    authorize,
    exchange,
    refresh,
    refresh,
    refresh,
    refresh,
    stranger,
    introspect,
    revoke,
  ];
  let step = 0;
  return {
    next: () => {
      step += 1;
      return step % 100 === 0 ? register() : cycle[step % cycle.length]();
    },
    /** The steps that fill the large collections, with their counts; see docs/internals/security.md. */
    fills: [
      ['registered clients', 10_000, register],
      ['counters', 100_000, stranger],
      ['ended credentials', 50_000, async () => authorize().then(exchange)],
      ['access tokens', 100_000, refresh],
    ],
  };
}
