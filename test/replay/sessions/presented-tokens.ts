// Presented tokens: revocation, introspection and userinfo under each profile.

import type { HttpStep, Session, Step } from '../document.ts';
import {
  basic,
  bearer,
  clientCredentials,
  control,
  DEMO,
  exchange,
  formOf,
  get,
  ISSUER,
  issueCode,
  mint,
  ORDERS,
  OTHER,
  pass,
  post,
  PROFILES,
  refresh,
  session,
  settings,
  TOKENS,
} from './steps.ts';
import type { Parameters } from './steps.ts';

const AS_DEMO = { ...DEMO, token: '${access_token}' };

const revoke = (name: string, parameters: Parameters = {}, headers: readonly string[] = []) =>
  post(`revoke: ${name}`, '/oauth/revoke', { ...AS_DEMO, ...parameters }, { headers });
const introspect = (name: string, parameters: Parameters = {}, headers: readonly string[] = []) =>
  post(`introspect: ${name}`, '/oauth/introspect', { ...AS_DEMO, ...parameters }, { headers });
const userinfo = (name: string, headers: readonly string[] = [bearer()]): HttpStep =>
  get(`userinfo: ${name}`, '/userinfo', { headers });

const full = { scope: 'openid profile email orders:read', sub: 'bob' };
const CLIENT_TOKEN = { save: { client_token: 'json:access_token' } };

const revocations: readonly Step[] = [
  mint(full),
  { name: 'revoke: as JSON', http: 'POST /oauth/revoke', json: AS_DEMO },
  mint(full),
  { ...revoke('no content type'), headers: [] },
  { ...revoke('in the query'), http: 'POST /oauth/revoke?token=x' },
  revoke('no token', { token: undefined }),
  revoke('an empty token', { token: '' }),
  revoke('no client', { client_id: undefined }),
  revoke('a wrong secret', { client_secret: 'x' }),
  revoke('by Basic', { client_id: undefined, client_secret: undefined }, [
    basic('demo-app', 'demo-secret'),
  ]),
  revoke('by a public client', { client_id: 'public-app', client_secret: undefined }),
  revoke('nothing we know', { token: 'nothing' }),
  mint(full),
  revoke('of another client', OTHER),
  revoke('with a wrong hint', { token_type_hint: 'refresh_token' }),
  revoke('again'),
  refresh(
    'a refresh after an access token was revoked',
    {},
    { save: { access_token: 'json:access_token' } },
  ),
  revoke('a refresh token', { token: '${refresh_token}', token_type_hint: 'refresh_token' }),
  revoke('a refresh token again', { token: '${refresh_token}', token_type_hint: 'bicycle' }),
  introspect('what went with it'),
  issueCode(),
  revoke('a code', { token: '${code}' }),
];

const introspections: readonly Step[] = [
  mint(full),
  introspect('an access token'),
  introspect('a refresh token', { token: '${refresh_token}' }),
  introspect('by another client', OTHER),
  introspect('by a public client', { client_id: 'public-app', client_secret: undefined }),
  introspect('with a wrong hint', { token_type_hint: 'refresh_token' }),
  introspect('a signed answer wanted', {}, ['Accept: application/token-introspection+jwt']),
  introspect('no token', { token: undefined }),
  introspect('a wrong secret', { client_secret: 'x' }),
  introspect('nothing we know', { token: 'nothing' }),
  introspect('a JWT cut short', { token: '${access_token}x' }),
  introspect('two parts', { token: 'a.b' }),
  issueCode({ audience: ORDERS, scope: 'openid', nonce: 'n' }),
  introspect('a code', { token: '${code}' }),
  exchange('tokens with an id_token', {}, { save: { ...TOKENS.save, id_token: 'json:id_token' } }),
  introspect('an id_token', { token: '${id_token}' }),
  clientCredentials('a token of a client', { audience: ORDERS }, CLIENT_TOKEN),
  introspect('a token of a client', { token: '${client_token}' }),
  settings({ refresh_rotation: { enabled: true } }),
  refresh('a refresh with rotation'),
  introspect('a replaced refresh token', { token: '${refresh_token}' }),
  pass(86_400),
  introspect('an expired access token'),
];

const userinfos: readonly Step[] = [
  mint(full),
  userinfo('all claims'),
  { ...userinfo('HEAD'), http: 'HEAD /userinfo' },
  post('userinfo: in the body', '/userinfo', { access_token: '${access_token}' }),
  { name: 'userinfo: in JSON', http: 'POST /userinfo', json: { access_token: '${access_token}' } },
  { ...userinfo('posted without body'), http: 'POST /userinfo' },
  {
    ...userinfo('both ways'),
    http: 'POST /userinfo',
    headers: [bearer(), 'Content-Type: application/x-www-form-urlencoded'],
    body: formOf({ access_token: 'x' }),
  },
  userinfo('nothing', []),
  userinfo('another scheme', [basic('demo-app', 'demo-secret')]),
  userinfo('Bearer and no more', ['Authorization: Bearer']),
  get('userinfo: in the query', '/userinfo?access_token=x'),
  get('userinfo: in the query too', '/userinfo?access_token=x', { headers: [bearer()] }),
  userinfo('a refresh token', [bearer('${refresh_token}')]),
  userinfo('another text', [bearer('opaque')]),
  userinfo('an encrypted token', [bearer('a.b.c.d.e')]),
  userinfo('a bad signature', [bearer('${access_token}x')]),
  issueCode({ audience: ORDERS, scope: 'openid', sub: 'bob' }),
  exchange(
    'openid alone',
    {},
    { save: { access_token: 'json:access_token', id_token: 'json:id_token' } },
  ),
  userinfo('openid alone'),
  userinfo('an id_token', [bearer('${id_token}')]),
  mint({ scope: 'profile' }),
  userinfo('without openid'),
  clientCredentials('a token of a client', { audience: ORDERS }, CLIENT_TOKEN),
  userinfo('a token of a client', [bearer('${client_token}')]),
  mint({ ...full, access_token_expires_in: 60 }),
  pass(61),
  userinfo('an expired token'),
  mint(full),
  revoke('it'),
  userinfo('a revoked token'),
  mint(full),
  control('DELETE /users/bob'),
  userinfo('a user who is gone'),
  mint({ scope: 'openid' }),
  control('POST /reset', {}),
  userinfo('a token of another epoch'),
];

/** A token of a renamed issuer, and one of a deleted key. */
const elsewhere: readonly Step[] = [
  settings({ issuer: 'https://former.example.test' }),
  mint({ scope: 'openid' }),
  userinfo('as issued'),
  settings({ issuer: 'https://present.example.test' }),
  userinfo('of another issuer'),
  introspect('of another issuer'),
  control('GET /keys', undefined, { save: { kid: 'json:items.0.kid' } }),
  control('POST /keys/${kid}/retire'),
  userinfo('of a retired key'),
  introspect('of a retired key'),
];

const VERSION = '2026-07-28';
const STATELESS = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/** A message to the MCP server. @param headers the usual ones by default */
const mcp = (method: string, params: object = {}, headers: readonly string[] = [bearer()]) => ({
  name: `mcp: ${method} ${JSON.stringify(params)}`.slice(0, 120),
  http: 'POST /mcp',
  headers: ['Accept: application/json, text/event-stream', ...headers],
  json: { jsonrpc: '2.0', id: 1, method, params },
});

const stateless = (method: string, params: object = {}, headers: readonly string[] = []) =>
  mcp(method, { ...params, ...STATELESS }, [
    bearer(),
    `MCP-Protocol-Version: ${VERSION}`,
    `Mcp-Method: ${method}`,
    ...headers,
  ]);

const MCP = `${ISSUER}/mcp`;

const messages: readonly Step[] = [
  get('the metadata of the MCP server', '/.well-known/oauth-protected-resource/mcp'),
  mcp('tools/list', {}, []),
  mcp('tools/list', {}, [bearer('x')]),
  mint(),
  mcp('tools/list'),
  mint({ audience: MCP }),
  mcp('initialize', { protocolVersion: '2025-11-25', capabilities: {} }),
  {
    ...mcp('notifications/initialized'),
    json: { jsonrpc: '2.0', method: 'notifications/initialized' },
  },
  mcp('tools/list'),
  mcp('tools/call', { name: 'whoami', arguments: {} }),
  mcp('tools/call', { name: 'step_up', arguments: {} }),
  mcp('tools/call', { name: 'nothing' }),
  mcp('nothing'),
  stateless('server/discover'),
  stateless('tools/list'),
  stateless('tools/call', { name: 'whoami' }, ['Mcp-Name: whoami']),
  stateless('tools/call', { name: 'whoami' }, ['Mcp-Name: step_up']),
  mcp('tools/list', STATELESS, [bearer(), 'MCP-Protocol-Version: 1999-01-01']),
  mcp('tools/list', {}, [bearer(), 'Origin: https://evil.example']),
  { name: 'mcp: no JSON', http: 'POST /mcp', headers: [bearer()], body: '{' },
  get('mcp: GET', '/mcp', { headers: [bearer()] }),
  mint({ audience: MCP, scope: 'mcp:step_up' }),
  mcp('tools/call', { name: 'step_up', arguments: {} }),
  pass(100_000),
  mcp('tools/list'),
];

export function presentedTokenSessions(): [string, Session][] {
  const of = (what: string, title: string, steps: readonly Step[]): [string, Session][] =>
    PROFILES.map((profile) => [
      `${what}-${profile}`,
      session(`${title}: profile ${profile}`, { profile }, steps),
    ]);
  return [
    ...of('revoke', 'Revocation', revocations),
    ...of('introspect', 'Introspection', introspections),
    ...of('userinfo', 'Userinfo', userinfos),
    ['mcp', session('The MCP server', { profile: 'interop' }, messages)],
    ['revoke-auth0', session('Revocation in the dialect auth0', { dialect: 'auth0' }, revocations)],
    [
      'tokens-of-elsewhere',
      {
        ...session('Tokens of another issuer and of a retired key', {}, elsewhere),
        sandbox: { workspace: session('', {}, []).sandbox.workspace ?? {}, keys: ['ES256'] },
      },
    ],
  ];
}
