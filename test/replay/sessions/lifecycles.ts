// Tokens in each format and algorithm, lifetimes, rotation with its grace period, replay, and stored exchanges.

import type { Session, Step } from '../document.ts';
import {
  bearer,
  clientCredentials,
  control,
  DEMO,
  exchange,
  get,
  issueCode,
  mint,
  ORDERS,
  pass,
  post,
  refresh,
  session,
  settings,
  TOKENS,
} from './steps.ts';

const FORMATS = ['rfc9068', 'auth0', 'opaque'];
const ALGS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256'];

const walk = (client_secret = DEMO.client_secret): readonly Step[] => [
  issueCode({ audience: ORDERS, scope: 'openid profile orders:read', sub: 'bob', nonce: 'n-1' }),
  exchange('the code', { client_secret }, TOKENS),
  get('userinfo', '/userinfo', { headers: [bearer()] }),
  post('introspected', '/oauth/introspect', { ...DEMO, client_secret, token: '${access_token}' }),
  refresh('a refresh', { client_secret, scope: 'orders:read' }),
  post('revoked', '/oauth/revoke', { ...DEMO, client_secret, token: '${access_token}' }),
  post('introspected again', '/oauth/introspect', {
    ...DEMO,
    client_secret,
    token: '${access_token}',
  }),
];

const ROTATED = { save: { former: 'json:refresh_token' } };
const rotation: readonly Step[] = [
  settings({ refresh_rotation: { enabled: true } }),
  issueCode({ audience: ORDERS, scope: 'openid' }),
  exchange('the code', {}, TOKENS),
  refresh('replaced', {}, ROTATED),
  refresh('the newest', { refresh_token: '${former}' }, { save: { newest: 'json:refresh_token' } }),
  refresh('the first one again'),
  refresh('all is revoked', { refresh_token: '${newest}' }),
  settings({ refresh_rotation: { enabled: true, grace_seconds: 10 } }),
  issueCode({ audience: ORDERS }),
  exchange('another code', {}, { save: { ...TOKENS.save } }),
  refresh('replaced', {}, { save: { second: 'json:refresh_token' } }),
  pass(5),
  refresh('within its grace', {}, { save: { third: 'json:refresh_token' } }),
  refresh('both are good', { refresh_token: '${second}' }),
  pass(5),
  refresh('another client after the grace', {
    client_id: 'other-app',
    client_secret: 'other-secret',
  }),
  refresh('after its grace'),
  refresh('and all is revoked', { refresh_token: '${third}' }),
  settings({ refresh_rotation: { enabled: false } }),
  mint(),
  refresh('no rotation'),
  control('GET /tokens?kind=refresh_token'),
  control('GET /lineages/1'),
];

const lifetimes: readonly Step[] = [
  settings({
    lifetimes: { access_token: 300, refresh_token: 1000, refresh_token_idle: 400, code: 30 },
    expiry_members: true,
  }),
  issueCode({ audience: ORDERS, scope: 'openid' }),
  exchange('the code', {}, TOKENS),
  pass(300),
  get('an access token that expired', '/userinfo', { headers: [bearer()] }),
  refresh('used, it lives on'),
  pass(399),
  refresh('used again'),
  pass(300),
  refresh('near its end'),
  pass(1),
  refresh('the end of the authorization'),
  mint(),
  pass(400),
  refresh('unused for too long'),
  issueCode(),
  pass(30),
  exchange('a code that expired'),
  issueCode({ access_token_expires_in: 7, code_expires_in: 40 }),
  pass(35),
  exchange('lifetimes of its own'),
  control('PATCH /clients/demo-app', {
    access_token_expires_in: 60,
    refresh_token_expires_in: 120,
    claims: { tenant: 't1' },
  }),
  mint(),
  clientCredentials('those of the client', { audience: ORDERS }),
  pass(121),
  refresh('those of the client are over'),
  control('GET /tokens?limit=3'),
];

const codeReplayed: readonly Step[] = [
  issueCode({ audience: ORDERS, scope: 'openid' }),
  exchange('the code', {}, TOKENS),
  exchange('by another client', { client_id: 'other-app', client_secret: 'other-secret' }),
  get('still good', '/userinfo', { headers: [bearer()] }),
  exchange('again'),
  get('revoked', '/userinfo', { headers: [bearer()] }),
  refresh('revoked too'),
  exchange('a third time'),
  control('GET /tokens?secrets=1'),
  issueCode(),
  control('POST /tokens/2.1/revoke'),
  exchange('a code that was revoked over control'),
];

/** Long enough to sign ID tokens. */
const LONG = 'a secret of no less than 32 bytes';

const sharedSecret: readonly Step[] = [
  control('PATCH /clients/demo-app', { client_secret: LONG }),
  ...walk(LONG),
];

const shortSecret: readonly Step[] = [
  issueCode({ audience: ORDERS, scope: 'openid' }),
  exchange('a secret that is too short to sign with'),
  issueCode({ audience: ORDERS, scope: 'orders:read' }),
  exchange('without an id_token it need not sign'),
];

export function lifecycleSessions(): [string, Session][] {
  const tokens = ALGS.flatMap((signing_alg) =>
    FORMATS.map((access_token_format): [string, Session] => {
      const made = session(
        `Tokens: ${access_token_format}, ${signing_alg}`,
        { signing_alg, access_token_format },
        signing_alg === 'HS256' ? sharedSecret : walk(),
      );
      return [
        `tokens-${access_token_format}-${signing_alg.toLowerCase()}`,
        { ...made, sandbox: { ...made.sandbox, keys: [signing_alg] } },
      ];
    }),
  );
  const hs256 = session('id_tokens under HS256', { signing_alg: 'HS256' }, shortSecret);
  return [
    ...tokens,
    ['tokens-hs256-secret', { ...hs256, sandbox: { ...hs256.sandbox, keys: ['HS256'] } }],
    ['rotation', session('Rotation', {}, rotation)],
    ['lifetimes', session('Lifetimes', {}, lifetimes)],
    ['code-replayed', session('A code that is replayed', {}, codeReplayed)],
  ];
}
