// Discovery and registration: metadata, keys, health, the landing page, methods and CORS.

import type { HttpStep, Session, Step } from '../document.ts';
import {
  bearer,
  clientCredentials,
  control,
  get,
  ORDERS,
  PROFILES,
  REDIRECT_URI,
  session,
  settings,
  workspace,
} from './steps.ts';

const PATHS = [
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/introspect',
  '/userinfo',
  '/authorize',
  '/logout',
  '/oauth/par',
  '/register',
  '/.well-known/jwks.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/livez',
  '/readyz',
  '/',
  '/nothing',
];

const ORIGIN = 'Origin: https://app.example.test';

const method = (verb: string, path: string, headers: readonly string[] = [ORIGIN]): HttpStep => ({
  name: `${verb} ${path}`,
  http: `${verb} ${path}`,
  headers,
});

const preflight = (path: string): HttpStep =>
  method('OPTIONS', path, [
    ORIGIN,
    'Access-Control-Request-Method: POST',
    'Access-Control-Request-Headers: authorization,dpop',
  ]);

const OF_METADATA = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
];

const metadata = (): HttpStep[] => OF_METADATA.map((path) => get(path, path));

const register = (name: string, json: unknown, headers: readonly string[] = []): HttpStep => ({
  name: `register: ${name}`,
  http: 'POST /register',
  headers,
  json,
});

const client = { redirect_uris: [REDIRECT_URI], client_name: 'Registered' };
const REGISTERED = { save: { id: 'json:client_id', secret: 'json:client_secret' } };

const registrations: readonly Step[] = [
  register('before it is open', client),
  settings({ registration: { mode: 'open' } }),
  ...metadata(),
  { ...register('a client', client), ...REGISTERED },
  control('GET /clients/${id}'),
  register('for client credentials', { grant_types: ['client_credentials'] }),
  {
    ...register('for client credentials, saved', { grant_types: ['client_credentials'] }),
    ...REGISTERED,
  },
  clientCredentials('its token', {
    client_id: '${id}',
    client_secret: '${secret}',
    audience: ORDERS,
  }),
  register('a public one', {
    ...client,
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  }),
  register('with keys', {
    ...client,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: {
      keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'l9dUWBM3ifz1JKh4NeVvdkfEFd0OEdbxUOVr6lQrGmU' }],
      more: 1,
    },
  }),
  register('with metadata that is ignored', {
    ...client,
    contacts: ['a@example.test'],
    secret_thing: 1,
    scope: 'openid',
  }),
  register('members of null', { ...client, client_name: null, jwks: null }),
  register('no redirect_uris', {}),
  register('a relative redirect_uri', { redirect_uris: ['/x'] }),
  register('a redirect_uri with a fragment', { redirect_uris: [`${REDIRECT_URI}#x`] }),
  register('a redirect_uri twice', { redirect_uris: [REDIRECT_URI, REDIRECT_URI] }),
  register('a bad logout address', { ...client, post_logout_redirect_uris: ['x'] }),
  register('an unknown grant', { ...client, grant_types: ['urn:example:grant'] }),
  register('an unknown method', { ...client, token_endpoint_auth_method: 'tls' }),
  register('private keys', {
    ...client,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'x', d: 'y' }] },
  }),
  register('private_key_jwt without keys', {
    ...client,
    token_endpoint_auth_method: 'private_key_jwt',
  }),
  register('jwks_uri', { ...client, jwks_uri: 'https://x.example/jwks' }),
  register('another response_type', { ...client, response_types: ['token'] }),
  {
    name: 'register: a form',
    http: 'POST /register',
    headers: ['Content-Type: application/x-www-form-urlencoded'],
    body: 'a=b',
  },
  {
    name: 'register: no body',
    http: 'POST /register',
    headers: ['Content-Type: application/json'],
  },
  {
    name: 'register: malformed',
    http: 'POST /register',
    headers: ['Content-Type: application/json'],
    body: '{',
  },
  {
    name: 'register: an array',
    http: 'POST /register',
    headers: ['Content-Type: application/json'],
    body: '[]',
  },
  {
    name: 'register: twice',
    http: 'POST /register',
    headers: ['Content-Type: application/json'],
    body: '{"client_name":"a","client_name":"b"}',
  },
  settings({ registration: { mode: 'token', token: 'initial-token' } }),
  register('no initial token', client),
  register('a wrong initial token', client, [bearer('x')]),
  register('the initial token', client, [bearer('initial-token')]),
];

const landing: readonly Step[] = [
  get('landing', '/'),
  ...metadata(),
  get('keys', '/.well-known/jwks.json'),
  get('an absolute target', 'http://localhost/livez'),
  get('with a query', '/livez?x=1'),
  get('below nothing', '/oauth'),
  get('with a slash more', '/oauth/token/'),
  { ...get('no icon', '/favicon.ico'), uncaptured: true },
  { name: 'nothing here', http: 'POST /oauth/nothing', json: {} },
];

const withPath: readonly Step[] = [
  get('metadata of an issuer with a path', '/.well-known/openid-configuration/tenant'),
  get('metadata below the path', '/tenant/.well-known/openid-configuration'),
  get('metadata at the root', '/.well-known/openid-configuration'),
  get('health', '/livez'),
  get('landing', '/tenant'),
  { name: 'the token endpoint below the path', http: 'POST /tenant/oauth/token', json: {} },
  { name: 'the token endpoint at the root', http: 'POST /oauth/token', json: {} },
  get(
    'the cookie of the page',
    `/tenant/authorize?response_type=code&client_id=demo-app&scope=openid`,
  ),
];

export function discoverySessions(): [string, Session][] {
  const verbs = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
  const methods = PATHS.flatMap((path) => [
    ...verbs.map((verb) => method(verb, path)),
    preflight(path),
  ]);
  const closed = PATHS.flatMap((path) => [method('POST', path), preflight(path)]);
  const open = { registration: { mode: 'open' } };
  return [
    ['methods', session('Every method at every path', open, methods)],
    ['methods-without-cors', session('Without CORS', { ...open, cors: false }, closed)],
    ['registration', session('Registration', {}, registrations)],
    [
      'registration-interop',
      session('Registration: profile interop', { profile: 'interop' }, registrations.slice(1, 14)),
    ],
    ...PROFILES.map((profile): [string, Session] => [
      `metadata-${profile}`,
      session(
        `Metadata: profile ${profile}`,
        { profile, expiry_members: profile === 'interop' },
        landing,
      ),
    ]),
    [
      'issuer-with-path',
      session('An issuer with a path', {}, withPath, {
        workspace: workspace({ settings: { issuer: `https://auth.example.test/tenant` } }),
        keys: ['ES256'],
      }),
    ],
    [
      'issuer-by-default',
      {
        title: 'The issuer by default',
        sandbox: { workspace: workspace(), keys: ['ES256'] },
        steps: landing,
      },
    ],
  ];
}
