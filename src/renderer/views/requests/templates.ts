// Templates of requests: a step for each endpoint, composed for a client. The client's own credentials are placed where it
// authenticates; issued credentials are empty here and filled in afterwards. Pure.

import type { Client, GrantType, Settings, User } from '../../../control/schemas.ts';
import {
  AUTHORIZE_PATH,
  DEVICE_AUTHORIZATION_PATH,
  PUSH_PATH,
  USERINFO_PATH,
  DEVICE_CODE_GRANT,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
  TOKEN_PATH,
} from '../../../oauth/token-request.ts';
import { JSON_TYPE } from '../../../oauth/fields.ts';
import { composeStep } from '../../../scenario/actions/index.ts';
import { atServer } from '../../../scenario/actions/request.ts';
import { createVariables } from '../../../scenario/actions/variables.ts';
import { type ServerAddress, serverPathsOf } from '../../../scenario/server-paths.ts';
import type { ScenarioStep } from '../../../scenario/schema.ts';
import { composedOf, splitTarget, withQuery, type Draft } from '../../composing/draft.ts';
import { valueIn } from '../../composing/field-rows.ts';
import {
  credentialsFor,
  endpointPath,
  hasClientAuthentication,
  withPlacement,
  type Placement,
} from '../../composing/credential-places.ts';

export interface TemplateContext {
  readonly server: ServerAddress;
  readonly settings: Settings;
  readonly client: Client | null;
  readonly user: User | null;
}

type Pairs = [name: string, value: string][];

export interface Template {
  readonly id: string;
  readonly title: string;
  readonly group: 'Token endpoint' | 'Endpoints' | 'Documents';
  /** The usual path, relative to that of the issuer. */
  readonly path: string;
  /** The grant of a token request. */
  readonly grant?: GrantType;
  readonly offered?: (settings: Settings) => boolean;
  readonly step: ScenarioStep;
}

const ACCEPT: Pairs = [['Accept', JSON_TYPE]];

const tokenTemplate = (
  id: string,
  title: string,
  grant: GrantType,
  fields: Readonly<Record<string, string>> = {},
): Template => ({
  id,
  title,
  group: 'Token endpoint',
  path: TOKEN_PATH,
  grant,
  step: { token: { grant, client_auth: 'none', fields } },
});

type RequestMembers = Omit<NonNullable<ScenarioStep['request']>, 'path'>;

const requestTemplate = (
  id: string,
  title: string,
  path: string,
  members: RequestMembers,
): Template => ({
  id,
  title,
  group: 'Endpoints',
  path,
  step: { request: { path, headers: ACCEPT, ...members } },
});

const documentTemplate = (id: string, title: string, name: string): Template => ({
  ...requestTemplate(id, title, `/.well-known/${name}`, {}),
  group: 'Documents',
});

const AUTHORIZATION: Pairs = [
  ['redirect_uri', '{{redirect_uri}}'],
  ['audience', '{{audience}}'],
  ['scope', 'openid'],
  ['state', 'from-the-workbench'],
];

const METADATA = `{
  "client_name": "Registered here",
  "redirect_uris": ["http://localhost:3000/callback"]
}`;

const MCP_MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';

const isRegistrationOpen = ({ registration }: Settings): boolean => registration.mode !== 'off';

const audience = '{{audience}}';

export const TEMPLATES: readonly [Template, ...Template[]] = [
  tokenTemplate('exchange', 'Exchange a code', 'authorization_code'),
  tokenTemplate('refresh', 'Refresh', 'refresh_token'),
  tokenTemplate('client-credentials', 'Client credentials', 'client_credentials', { audience }),
  tokenTemplate('token-exchange', 'Token exchange', TOKEN_EXCHANGE_GRANT, { audience }),
  tokenTemplate('jwt-bearer', 'JWT bearer', JWT_BEARER_GRANT, { audience }),
  tokenTemplate('device-code', 'Device code', DEVICE_CODE_GRANT),
  // The user types the password, since the page does not know it.
  tokenTemplate('password', 'Password', 'password', {
    username: '{{login}}',
    password: '',
    audience,
  }),
  requestTemplate('authorize', 'Authorize link', AUTHORIZE_PATH, {
    headers: [],
    query: [
      ['response_type', 'code'],
      ['client_id', '{{client_id}}'],
      ...AUTHORIZATION,
      ['login_hint', '{{login}}'],
    ],
  }),
  requestTemplate('push', 'Push a request (PAR)', PUSH_PATH, {
    form: [['response_type', 'code'], ...AUTHORIZATION],
  }),
  {
    id: 'device',
    title: 'Authorize a device',
    group: 'Endpoints',
    path: DEVICE_AUTHORIZATION_PATH,
    step: { authorize_device: { client_auth: 'none', fields: { audience, scope: 'openid' } } },
  },
  requestTemplate('userinfo', 'User info', USERINFO_PATH, {
    headers: [['Authorization', 'Bearer {{access_token}}'], ...ACCEPT],
  }),
  requestTemplate('introspect', 'Introspect', '/oauth/introspect', {
    form: [
      ['token', ''],
      ['token_type_hint', 'access_token'],
    ],
  }),
  requestTemplate('revoke', 'Revoke', '/oauth/revoke', {
    form: [
      ['token', ''],
      ['token_type_hint', 'refresh_token'],
    ],
  }),
  {
    ...requestTemplate('register', 'Register a client', '/register', {
      headers: [
        ['Authorization', 'Bearer {{initial_access_token}}'],
        ['Content-Type', JSON_TYPE],
        ...ACCEPT,
      ],
      text: METADATA,
    }),
    offered: isRegistrationOpen,
  },
  {
    ...requestTemplate('registration', 'Read a registration', '/register/{{client_id}}', {
      headers: [['Authorization', 'Bearer {{registration_access_token}}'], ...ACCEPT],
    }),
    offered: isRegistrationOpen,
  },
  {
    ...requestTemplate('mcp', 'List the tools of an MCP server', '/mcp', {
      headers: [
        ['Authorization', 'Bearer {{access_token}}'],
        ['Content-Type', JSON_TYPE],
        ['Accept', 'application/json, text/event-stream'],
      ],
      text: MCP_MESSAGE,
    }),
    // In other profiles, there is one only with a record (behaviour 20).
    offered: ({ profile }) => profile === 'interop',
  },
  requestTemplate('logout', 'Log out', '/logout', {
    headers: [],
    query: [
      ['client_id', '{{client_id}}'],
      ['post_logout_redirect_uri', '{{post_logout_redirect_uri}}'],
    ],
  }),
  documentTemplate('metadata', 'Server metadata', 'oauth-authorization-server'),
  documentTemplate('openid', 'OpenID configuration', 'openid-configuration'),
  documentTemplate('jwks', 'JWK Set', 'jwks.json'),
];

export const isOffered = ({ offered }: Template, settings: Settings | null): boolean =>
  offered === undefined || (settings !== null && offered(settings));

export const templatesFor = (settings: Settings | null): readonly Template[] =>
  TEMPLATES.filter((template) => isOffered(template, settings));

/** The usual paths of the endpoints, relative to that of the issuer. */
export const servedPaths = (settings: Settings | null): readonly string[] => [
  ...new Set(templatesFor(settings).map(({ path }) => path)),
];

/** How the client authenticates under its profile (behaviour 1). */
function placementFor({ client, settings }: TemplateContext): Placement {
  const method = client?.token_endpoint_auth_method ?? 'client_secret_post';
  const interop = (client?.profile ?? settings.profile) === 'interop';
  if (method === 'none' || method === 'private_key_jwt') return 'none';
  return method === 'client_secret_basic' && interop ? 'basic' : 'body';
}

/** The variables of the steps. Issued credentials are empty. */
const valuesOf = ({ server, settings: { registration }, client, user }: TemplateContext) => ({
  client_id: client?.client_id ?? '',
  redirect_uri: client?.redirect_uris[0] ?? '',
  post_logout_redirect_uri: client?.post_logout_redirect_uris[0] ?? '',
  audience: client?.default_audience ?? server.issuer,
  login: user?.email || (user?.sub ?? ''),
  initial_access_token: registration.mode === 'token' ? (registration.token ?? '') : '',
  code: '',
  refresh_token: '',
  access_token: '',
  device_code: '',
  assertion: '',
  registration_access_token: client?.registration_access_token ?? '',
});

const isEmptyBearer = ({ name, value }: Draft['headers'][number], { path }: Template) =>
  path === '/register' && name === 'Authorization' && value === 'Bearer ';

export function composeFrom(template: Template, context: TemplateContext): Draft {
  const { id, step } = template;
  const { server, client } = context;
  const variables = createVariables(new Map<string, unknown>(Object.entries(valuesOf(context))));
  const serverPath = serverPathsOf(server);
  const composing = { variables, serverPath, sandbox: { clients: [], users: [] } };
  const wire = composeStep(atServer(step, composing), composing);
  if (wire === null) throw new Error(`The template ${id} sends no single request.`);
  const composed = composedOf(wire, []);
  const query = composed.query?.filter(({ value }) => value !== '') ?? [];
  const draft = {
    ...withQuery(composed, query),
    template: id,
    client_id: client?.client_id ?? null,
    headers: composed.headers.filter((row) => !isEmptyBearer(row, template)),
  };
  return hasClientAuthentication(draft)
    ? withPlacement(draft, placementFor(context), credentialsFor(client))
    : draft;
}

/** The template that the draft was started from, or else resembles. */
function templateOf({ template, target, body }: Draft): Template | undefined {
  if (template !== null) return TEMPLATES.find(({ id }) => id === template);
  const [path] = splitTarget(target);
  const usual = endpointPath(path) ?? path;
  if (usual !== TOKEN_PATH) return TEMPLATES.find((one) => usual === one.path);
  const grant_type = valueIn(body.rows, 'grant_type');
  return TEMPLATES.find(({ grant }) => grant !== undefined && grant === grant_type);
}

/** The title of a request: that of its template, else its method and path. */
export const titleOf = (draft: Draft): string =>
  templateOf(draft)?.title ?? `${draft.method} ${splitTarget(draft.target)[0]}`;
