// Builders for sessions: a workspace with a client of each kind, and steps with defaults.

import type { HttpStep, MachineStep, Sandbox, Save, Session, Step } from '../document.ts';

export const ISSUER = 'https://auth.example.test';
export const ORDERS = 'https://orders.example/api';
export const BILLING = 'https://billing.example/api';
export const REDIRECT_URI = 'http://localhost:3000/callback';
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

export const DEMO = { client_id: 'demo-app', client_secret: 'demo-secret' };
export const OTHER = { client_id: 'other-app', client_secret: 'other-secret' };

export const PROFILES = ['documented', 'strict', 'interop'] as const;
export const DIALECTS = ['rfc6749', 'auth0'] as const;

type Members = Readonly<Record<string, unknown>>;
/** undefined omits a parameter. */
export type Parameters = Readonly<Record<string, string | undefined>>;

const everyGrant = ['authorization_code', 'refresh_token', 'client_credentials'];

const CLIENTS: readonly Members[] = [
  {
    ...DEMO,
    client_name: 'Demo application',
    redirect_uris: [REDIRECT_URI],
    post_logout_redirect_uris: ['http://localhost:3000/bye'],
    grant_types: everyGrant,
  },
  { ...OTHER, client_name: 'Other', redirect_uris: [REDIRECT_URI], default_audience: ORDERS },
  {
    client_id: 'basic-app',
    client_secret: 'basic-secret',
    redirect_uris: [REDIRECT_URI, 'http://localhost:3000/second'],
    grant_types: everyGrant,
    token_endpoint_auth_method: 'client_secret_basic',
  },
  {
    client_id: 'public-app',
    redirect_uris: ['http://127.0.0.1/native'],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: everyGrant,
  },
  {
    client_id: 'narrow-app',
    client_secret: 'narrow-secret',
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code'],
    claims: { tier: 'gold' },
  },
  {
    client_id: 'service-app',
    client_secret: 'service-secret',
    grant_types: ['client_credentials'],
  },
];

const USERS: readonly Members[] = [
  { sub: 'ada', name: 'Ada', email: 'ada@example.test' },
  { sub: 'bob', name: 'Bob', email: 'bob@example.test', claims: { roles: ['admin'] } },
];

const AUDIENCES: readonly Members[] = [
  { uri: ORDERS, name: 'Orders', scopes: ['orders:read', 'orders:write'] },
  { uri: BILLING, name: 'Billing', scopes: ['billing:read'] },
];

/** The given members replace the defaults; settings are merged. */
export function workspace(members: Members & { readonly settings?: Members } = {}): Members {
  return {
    name: 'Replay',
    audiences: AUDIENCES,
    clients: CLIENTS,
    users: USERS,
    ...members,
    settings: { signing_alg: 'ES256', ...members.settings },
  };
}

/** The clients of every workspace, with one of them changed or another added. */
export function clientsWith(client: Members & { readonly client_id: string }): readonly Members[] {
  const { client_id } = client;
  const known = CLIENTS.some((one) => one['client_id'] === client_id);
  if (!known) return [...CLIENTS, client];
  return CLIENTS.map((one) => (one['client_id'] === client_id ? { ...one, ...client } : one));
}

/** A session with the usual workspace, an imported key and a fixed issuer. */
export const session = (
  title: string,
  settings: Members,
  steps: readonly Step[],
  sandbox: Sandbox = {},
): Session => ({
  title,
  sandbox: { workspace: workspace({ settings }), keys: ['ES256'], issuer: ISSUER, ...sandbox },
  steps,
});

const given = (parameters: Parameters): [string, string][] =>
  Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);

/** Does not escape placeholders. */
const encode = (text: string) =>
  encodeURIComponent(text)
    .replaceAll('%24%7Bfill%3A', '${fill:')
    .replaceAll('%24%7B', '${')
    .replaceAll('%7D', '}')
    .replaceAll('%20', '+');

export const formOf = (parameters: Parameters): string =>
  given(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');

const FORM = 'Content-Type: application/x-www-form-urlencoded';

type More = Pick<HttpStep, 'save' | 'only_length'> & { readonly headers?: readonly string[] };

/** A form posted to a path. */
export const post = (
  name: string,
  path: string,
  parameters: Parameters,
  more: More = {},
): HttpStep => ({
  name,
  http: `POST ${path}`,
  ...more,
  headers: [FORM, ...(more.headers ?? [])],
  body: formOf(parameters),
});

export const get = (name: string, target: string, more: More = {}): HttpStep => ({
  name,
  http: `GET ${target}`,
  ...more,
});

/** A token request as JSON. */
export const tokenJson = (name: string, parameters: Parameters, more: More = {}): HttpStep => ({
  name,
  http: 'POST /oauth/token',
  ...more,
  json: Object.fromEntries(given(parameters)),
});

export const tokenForm = (name: string, parameters: Parameters, more: More = {}): HttpStep =>
  post(name, '/oauth/token', parameters, more);

/** The exchange of the newest code as documented: in JSON, with all required members. */
export const exchange = (name: string, parameters: Parameters = {}, more: More = {}): HttpStep =>
  tokenJson(
    name,
    {
      grant_type: 'authorization_code',
      ...DEMO,
      code: '${code}',
      redirect_uri: REDIRECT_URI,
      audience: ORDERS,
      ...parameters,
    },
    more,
  );

/** A refresh with the newest refresh token as documented: as a form. */
export const refresh = (name: string, parameters: Parameters = {}, more: More = {}): HttpStep =>
  tokenForm(
    name,
    { grant_type: 'refresh_token', ...DEMO, refresh_token: '${refresh_token}', ...parameters },
    more,
  );

export const clientCredentials = (
  name: string,
  parameters: Parameters = {},
  more: More = {},
): HttpStep => tokenForm(name, { grant_type: 'client_credentials', ...DEMO, ...parameters }, more);

export const basic = (id: string, secret: string) =>
  `Authorization: Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** A control operation; the path without `/api`. */
export const control = (
  operation: string,
  json?: unknown,
  more: Pick<HttpStep, 'save' | 'name'> | { readonly name?: string; readonly save?: Save } = {},
): HttpStep => {
  const [method = '', path = ''] = operation.split(' ');
  return {
    name: more.name ?? operation,
    control: `${method} /api${path}`,
    ...(json === undefined ? {} : { json }),
    ...(more.save === undefined ? {} : { save: more.save }),
  };
};

export const settings = (patch: Members): HttpStep =>
  control('PATCH /settings', patch, { name: `settings: ${JSON.stringify(patch)}` });

/** A fresh code, saved as `code`. */
export const issueCode = (order: Members = {}, save = 'code'): HttpStep =>
  control(
    'POST /codes',
    { client_id: 'demo-app', redirect_uri: REDIRECT_URI, ...order },
    { name: `a fresh ${save}`, save: { [save]: 'json:code' } },
  );

/** A pair of tokens, saved as `access_token` and `refresh_token`. */
export const mint = (order: Members = {}): HttpStep =>
  control(
    'POST /tokens',
    { client_id: 'demo-app', audience: ORDERS, ...order },
    {
      name: 'fresh tokens',
      save: { access_token: 'json:access_token', refresh_token: 'json:refresh_token' },
    },
  );

export const pass = (seconds: number): MachineStep => ({
  name: `${seconds} s pass`,
  machine_seconds: seconds,
});

export const TOKENS = {
  save: { access_token: 'json:access_token', refresh_token: 'json:refresh_token' },
};

export const bearer = (token = '${access_token}') => `Authorization: Bearer ${token}`;
