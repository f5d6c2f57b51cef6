// What a request can start from: a template for each endpoint that is served, put together of a client
// and the settings. Credentials are left empty here; fresh ones are put in afterwards. Pure.

import type { Client, GrantType, Settings, User } from '../../../control/schemas.ts';
import { credentialsOf, type Credentials } from '../../../oauth/client-authentication.ts';
import {
  exchangeFields,
  refreshFields,
  clientCredentialsFields,
  DEVICE_CODE_GRANT,
  deviceCodeFields,
  jwtBearerFields,
  passwordFields,
  tokenExchangeFields,
} from '../../../oauth/token-request.ts';
import { DEVICE_AUTHORIZATION_PATH } from '../../../oauth/endpoint-requests.ts';
import { JSON_TYPE, type BodyFormat, type Fields } from '../../../oauth/fields.ts';
import {
  EMPTY_DRAFT,
  withBodyRows,
  withFormat,
  withHeaders,
  withQuery,
  type Draft,
} from './draft.ts';
import { rowOf, withHeader } from './field-rows.ts';
import { withPlacement, type Placement } from './placement.ts';

/** What a template is put together of. */
export interface Material {
  readonly issuer: string;
  readonly settings: Settings;
  readonly client: Client | null;
  readonly user: User | null;
}

export interface Template {
  readonly id: string;
  readonly title: string;
  readonly group: 'Token endpoint' | 'Endpoints' | 'Documents';
  /** Below the path of the issuer. */
  readonly path: string;
  /** Of a token request. */
  readonly grant?: GrantType;
  readonly offered?: (settings: Settings) => boolean;
  readonly compose: (draft: Draft, material: Material) => Draft;
}

const rows = (fields: Fields) => fields.map(([name, value]) => rowOf(name, value));

const accepting = (draft: Draft): Draft =>
  withHeaders(draft, withHeader(draft.headers, 'Accept', JSON_TYPE));

/** How the client proves itself under its profile (behaviour 1). */
function placementFor({ client, settings }: Material): Exclude<Placement, 'both'> {
  const method = client?.token_endpoint_auth_method ?? 'client_secret_post';
  const interop = (client?.profile ?? settings.profile) === 'interop';
  if (method === 'none' || method === 'private_key_jwt') return 'none';
  return method === 'client_secret_basic' && interop ? 'basic' : 'body';
}

const credentialsIn = ({ client }: Material): Credentials =>
  client === null ? { client_id: '', client_secret: null } : credentialsOf(client);

const posted = (draft: Draft, fields: Fields, format: BodyFormat, material: Material): Draft => {
  const composed = accepting(
    withBodyRows(withFormat({ ...draft, method: 'POST' }, format), rows(fields)),
  );
  return withPlacement(composed, placementFor(material), credentialsIn(material));
};

const formTemplate =
  (fields: Fields): Template['compose'] =>
  (draft, material) =>
    posted(draft, fields, 'form', material);

const audienceOf = ({ client, issuer }: Material): string => client?.default_audience ?? issuer;
const redirectOf = ({ client }: Material): string => client?.redirect_uris[0] ?? '';

/** The six fields of spec 4.1.1, as JSON. */
const exchange: Template['compose'] = (draft, material) => {
  const fields = exchangeFields({
    ...credentialsIn(material),
    code: '',
    redirect_uri: redirectOf(material),
    audience: audienceOf(material),
  });
  return posted(draft, fields, 'json', material);
};

/** The four fields of spec 4.1.2, as a form. */
const refresh: Template['compose'] = (draft, material) => {
  const from = { ...credentialsIn(material), refresh_token: '' };
  return posted(draft, refreshFields(from), 'form', material);
};

const clientCredentials: Template['compose'] = (draft, material) =>
  posted(draft, clientCredentialsFields({ audience: audienceOf(material) }), 'form', material);

/** RFC 8693 2.1: the tokens are filled in, or pasted. */
const tokenExchange: Template['compose'] = (draft, material) => {
  const of = { subject_token: '', audience: audienceOf(material) };
  return posted(draft, tokenExchangeFields(of), 'form', material);
};

/** RFC 7523 2.1: the assertion is pasted, as only the client has the key to sign it with. */
const jwtBearer: Template['compose'] = (draft, material) => {
  const of = { assertion: '', audience: audienceOf(material) };
  return posted(draft, jwtBearerFields(of), 'form', material);
};

/** RFC 8628 3.4: the device code is filled in, of a device that was opened and approved for it. */
const deviceCode: Template['compose'] = (draft, material) =>
  posted(draft, deviceCodeFields({ device_code: '' }), 'form', material);

/** RFC 8628 3.1. */
const device: Template['compose'] = (draft, material) => {
  const fields: Fields = [
    ['audience', audienceOf(material)],
    ['scope', 'openid'],
  ];
  return posted(draft, fields, 'form', material);
};

/** RFC 6749 4.3.2: the password is typed; it is none of what the page knows of a user. */
const password: Template['compose'] = (draft, material) => {
  const { email = '', sub = '' } = material.user ?? {};
  const of = { username: email || sub, password: '', audience: audienceOf(material) };
  return posted(draft, passwordFields(of), 'form', material);
};

const asked = (draft: Draft, fields: Fields): Draft =>
  withQuery({ ...draft, method: 'GET' }, rows(fields.filter(([, value]) => value !== '')));

const authorize: Template['compose'] = (draft, material) =>
  asked(draft, [
    ['response_type', 'code'],
    ['client_id', material.client?.client_id ?? ''],
    ['redirect_uri', redirectOf(material)],
    ['audience', audienceOf(material)],
    ['scope', 'openid'],
    ['state', 'from-the-workbench'],
    ['login_hint', material.user?.email ?? material.user?.sub ?? ''],
  ]);

const push: Template['compose'] = (draft, material) => {
  const fields: Fields = [
    ['response_type', 'code'],
    ['redirect_uri', redirectOf(material)],
    ['audience', audienceOf(material)],
    ['scope', 'openid'],
    ['state', 'from-the-workbench'],
  ];
  const named: Fields = [['client_id', material.client?.client_id ?? ''], ...fields];
  // Also beside HTTP Basic: client_id is a parameter of the authorization request (RFC 9126 2.1).
  return posted(draft, placementFor(material) === 'body' ? fields : named, 'form', material);
};

const logout: Template['compose'] = (draft, { client }) =>
  asked(draft, [
    ['client_id', client?.client_id ?? ''],
    ['post_logout_redirect_uri', client?.post_logout_redirect_uris[0] ?? ''],
  ]);

const bearing: Template['compose'] = (draft) =>
  withHeaders(accepting({ ...draft, method: 'GET' }), [
    rowOf('Authorization', 'Bearer '),
    rowOf('Accept', JSON_TYPE),
  ]);

/** Metadata of a client (RFC 7591 2), and the initial access token where one is asked for. */
const register: Template['compose'] = (draft, { settings: { registration } }) => {
  const typed = accepting(withFormat({ ...draft, method: 'POST' }, 'json'));
  const composed = withBodyRows(typed, [
    rowOf('client_name', 'Registered here'),
    { ...rowOf('redirect_uris', '["http://localhost:3000/callback"]'), literal: true },
  ]);
  if (registration.mode !== 'token') return composed;
  const bearer = `Bearer ${registration.token ?? ''}`;
  return withHeaders(composed, [rowOf('Authorization', bearer), ...composed.headers]);
};

const document: Template['compose'] = (draft) => accepting({ ...draft, method: 'GET' });

export const TEMPLATES: readonly [Template, ...Template[]] = [
  {
    id: 'exchange',
    title: 'Exchange a code',
    group: 'Token endpoint',
    path: '/oauth/token',
    grant: 'authorization_code',
    compose: exchange,
  },
  {
    id: 'refresh',
    title: 'Refresh',
    group: 'Token endpoint',
    path: '/oauth/token',
    grant: 'refresh_token',
    compose: refresh,
  },
  {
    id: 'client-credentials',
    title: 'Client credentials',
    group: 'Token endpoint',
    path: '/oauth/token',
    grant: 'client_credentials',
    compose: clientCredentials,
  },
  {
    id: 'token-exchange',
    title: 'Token exchange',
    group: 'Token endpoint',
    path: '/oauth/token',
    grant: 'urn:ietf:params:oauth:grant-type:token-exchange',
    compose: tokenExchange,
  },
  {
    id: 'jwt-bearer',
    title: 'JWT bearer',
    group: 'Token endpoint',
    path: '/oauth/token',
    grant: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    compose: jwtBearer,
  },
  {
    id: 'device-code',
    title: 'Device code',
    group: 'Token endpoint',
    path: '/oauth/token',
    grant: DEVICE_CODE_GRANT,
    compose: deviceCode,
  },
  {
    id: 'password',
    title: 'Password',
    group: 'Token endpoint',
    path: '/oauth/token',
    grant: 'password',
    compose: password,
  },
  {
    id: 'authorize',
    title: 'Authorize link',
    group: 'Endpoints',
    path: '/authorize',
    compose: authorize,
  },
  {
    id: 'push',
    title: 'Push an authorization request',
    group: 'Endpoints',
    path: '/oauth/par',
    compose: push,
  },
  {
    id: 'device',
    title: 'Authorize a device',
    group: 'Endpoints',
    path: DEVICE_AUTHORIZATION_PATH,
    compose: device,
  },
  {
    id: 'userinfo',
    title: 'User info',
    group: 'Endpoints',
    path: '/userinfo',
    compose: bearing,
  },
  {
    id: 'introspect',
    title: 'Introspect',
    group: 'Endpoints',
    path: '/oauth/introspect',
    compose: formTemplate([
      ['token', ''],
      ['token_type_hint', 'access_token'],
    ]),
  },
  {
    id: 'revoke',
    title: 'Revoke',
    group: 'Endpoints',
    path: '/oauth/revoke',
    compose: formTemplate([
      ['token', ''],
      ['token_type_hint', 'refresh_token'],
    ]),
  },
  {
    id: 'register',
    title: 'Register a client',
    group: 'Endpoints',
    path: '/register',
    offered: ({ registration }) => registration.mode !== 'off',
    compose: register,
  },
  { id: 'logout', title: 'Log out', group: 'Endpoints', path: '/logout', compose: logout },
  {
    id: 'metadata',
    title: 'Server metadata',
    group: 'Documents',
    path: '/.well-known/oauth-authorization-server',
    compose: document,
  },
  {
    id: 'openid',
    title: 'OpenID configuration',
    group: 'Documents',
    path: '/.well-known/openid-configuration',
    compose: document,
  },
  {
    id: 'jwks',
    title: 'Keys (JWKS)',
    group: 'Documents',
    path: '/.well-known/jwks.json',
    compose: document,
  },
];

/** The path of the issuer, below which its endpoints are; mostly none. */
const basePath = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, '');

export const isOffered = ({ offered }: Template, settings: Settings | null): boolean =>
  offered === undefined || (settings !== null && offered(settings));

export const templatesFor = (settings: Settings | null): readonly Template[] =>
  TEMPLATES.filter((template) => isOffered(template, settings));

/** The paths that are served, below that of the issuer. */
export const servedPaths = (settings: Settings | null): readonly string[] => [
  ...new Set(templatesFor(settings).map(({ path }) => path)),
];

export function composeFrom({ id, path, compose }: Template, material: Material): Draft {
  const start: Draft = {
    ...EMPTY_DRAFT,
    template: id,
    client_id: material.client?.client_id ?? null,
    target: `${basePath(material.issuer)}${path}`,
  };
  return compose(start, material);
}
