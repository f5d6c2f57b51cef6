// Columns, examples and shorter flags of the commands that are made from the contract alone.

import {
  API_KIND_WORDS,
  audienceOfApi,
  CLIENT_GRANTS,
  pathOfApi,
  PROFILES,
} from '../../control/names.ts';
import type {
  Api,
  Audience,
  Client,
  Credential,
  Device,
  Refusal,
  SavedFlow,
  SavedRequest,
  User,
} from '../../control/schemas.ts';
import { answerInWords } from '../terminal/exchange-line.ts';
import type { Column } from '../terminal/table.ts';
import { GROUPS } from './command.ts';
import type { ResourceDefinition } from './operations/resource.ts';

const CLIENTS_COLUMNS: readonly Column<Client>[] = [
  { title: 'CLIENT_ID', cell: ({ client_id }) => ({ text: client_id, style: 'bold' }) },
  { title: 'NAME', cell: ({ client_name }) => client_name },
  { title: 'AUTHENTICATION', cell: (client) => client.token_endpoint_auth_method },
  { title: 'GRANTS', cell: ({ grant_types }) => grant_types.join(' ') },
  { title: 'REDIRECT URIS', cell: ({ redirect_uris }) => redirect_uris.join(' ') },
];

const USERS_COLUMNS: readonly Column<User>[] = [
  { title: 'SUB', cell: ({ sub }) => ({ text: sub, style: 'bold' }) },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'EMAIL', cell: ({ email }) => email },
  { title: 'PASSWORD', cell: ({ has_password }) => (has_password ? 'set' : '') },
  { title: 'CLAIMS', cell: ({ claims }) => Object.keys(claims).join(' ') },
];

const AUDIENCES_COLUMNS: readonly Column<Audience>[] = [
  { title: 'URI', cell: ({ uri }) => ({ text: uri, style: 'bold' }) },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'SCOPES', cell: ({ scopes }) => scopes.join(' ') },
];

const APIS_COLUMNS: readonly Column<Api>[] = [
  { title: 'NAME', cell: ({ name }) => ({ text: name, style: 'bold' }) },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'PATH', cell: pathOfApi },
  { title: 'AUDIENCE', cell: (api) => audienceOfApi(api, '<issuer>') },
  { title: 'RULES', cell: ({ rules }) => String(rules.length) },
  {
    title: 'SCOPES',
    cell: ({ rules }) => [...new Set(rules.flatMap(({ scopes }) => scopes))].join(' '),
  },
];

const TOKENS_COLUMNS: readonly Column<Credential>[] = [
  { title: 'ID', cell: ({ id }) => ({ text: id, style: 'bold' }) },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'CLIENT', cell: ({ client_id }) => client_id },
  { title: 'USER', cell: ({ sub }) => sub },
  { title: 'EXPIRES', cell: ({ expires_at }) => expires_at },
];

const DEVICES_COLUMNS: readonly Column<Device>[] = [
  { title: 'USER CODE', cell: ({ user_code }) => ({ text: user_code, style: 'bold' }) },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'CLIENT', cell: ({ client_id }) => client_id },
  { title: 'USER', cell: ({ sub }) => sub ?? '' },
  { title: 'SCOPE', cell: ({ scope }) => scope },
  { title: 'POLLS', right: true, cell: ({ polls }) => String(polls) },
  { title: 'EXPIRES', cell: ({ expires_at }) => expires_at },
];

/** Lists each endpoint once, with its response if that differs from the previous one. */
function answersOf({ places }: Refusal): string {
  const answers = new Map<string, string[]>();
  for (const place of places) {
    const answer = answerInWords(place.now);
    const endpoints = answers.get(answer) ?? [];
    answers.set(answer, [
      ...new Set([
        ...endpoints,
        place.endpoint ?? (places.length === 1 ? 'any path' : 'other paths'),
      ]),
    ]);
  }
  return [...answers].map(([answer, at]) => `${answer} (${at.join(', ')})`).join('; ');
}

const REFUSALS_COLUMNS: readonly Column<Refusal>[] = [
  { title: 'ID', cell: ({ id }) => ({ text: id, style: 'bold' }) },
  { title: 'SUMMARY', cell: ({ summary }) => summary },
  { title: 'RESPONSE', cell: answersOf },
];

const SAVED_FLOWS_COLUMNS: readonly Column<SavedFlow>[] = [
  { title: 'NAME', cell: ({ scenario }) => ({ text: scenario.name, style: 'bold' }) },
  { title: 'STEPS', right: true, cell: ({ scenario }) => String(scenario.steps.length) },
  { title: 'SAVED', cell: ({ saved_at }) => saved_at },
];

const SAVED_REQUESTS_COLUMNS: readonly Column<SavedRequest>[] = [
  { title: 'NAME', cell: ({ name }) => ({ text: name, style: 'bold' }) },
  { title: 'METHOD', cell: ({ method }) => method },
  { title: 'PATH', cell: ({ path }) => path },
  { title: 'CLIENT', cell: ({ client_id }) => client_id ?? '' },
  { title: 'SAVED', cell: ({ saved_at }) => saved_at },
];

/** By the name in the contract. */
export const PRESENTED: Readonly<Record<string, ResourceDefinition>> = {
  clients: {
    heading: GROUPS.records,
    description: 'list, add, change and remove clients',
    operations: {
      list: {
        columns: CLIENTS_COLUMNS,
        empty: 'No clients are registered.',
        examples: ['', '--json | jq -r .[].client_id'],
      },
      get: { examples: ['my-app'] },
      create: {
        examples: [
          'my-app --name Example',
          'my-spa --public --profile interop --redirect-uri http://localhost:5173/callback',
          '--file client.json',
        ],
      },
      update: {
        examples: [
          'my-app access_token_expires_in=60',
          'my-app --profile interop',
          'my-app client_name=null   (the default)',
        ],
      },
      remove: { examples: ['my-app'] },
    },
    flags: [
      { flags: '--name <text>', member: 'client_name', description: 'the display name' },
      {
        flags: '--redirect-uri <uri>',
        member: 'redirect_uris',
        description: 'a redirect URI; may be repeated',
        is_list: true,
      },
      {
        flags: '--grant <type>',
        member: 'grant_types',
        description: 'a grant type the client may use; may be repeated',
        choices: CLIENT_GRANTS,
        is_list: true,
      },
      {
        flags: '--profile <profile>',
        member: 'profile',
        description: 'how strictly to validate its requests',
        choices: PROFILES,
      },
    ],
    switches: [
      {
        flags: '--public',
        description: 'register a public client: no secret, PKCE required, interop profile',
        sets: { token_endpoint_auth_method: 'none', client_secret: null },
      },
    ],
  },
  users: {
    heading: GROUPS.records,
    description: 'list, add, change and remove users',
    operations: {
      list: {
        columns: USERS_COLUMNS,
        empty: 'No users are registered.',
        examples: ['', '--json | jq -r .[].sub'],
      },
      get: { examples: ['grace'] },
      create: {
        examples: ['grace --name Example', 'grace --password correct-horse', '--file user.json'],
      },
      update: {
        examples: [
          `grace claims.roles='["admin"]'`,
          'grace locked=true',
          'grace name=null   (the default)',
        ],
      },
      remove: { examples: ['grace'] },
    },
    flags: [
      { flags: '--name <text>', member: 'name', description: 'the display name' },
      {
        flags: '--password <text>',
        member: 'password',
        description: 'the password of the user; cannot be read again',
      },
      { flags: '--email <address>', member: 'email', description: 'the e-mail address' },
    ],
  },
  audiences: {
    heading: GROUPS.records,
    description: 'list, add, change and remove audiences',
    operations: {
      list: {
        columns: AUDIENCES_COLUMNS,
        empty: 'No audiences are registered.',
        examples: ['', '--json | jq -r .[].uri'],
      },
      get: { examples: ['https://stock.example/api'] },
      create: { examples: ['https://stock.example/api --name Stock', '--file audience.json'] },
      update: { examples: ['https://stock.example/api name=Stock'] },
      remove: { examples: ['https://stock.example/api'] },
    },
    flags: [
      { flags: '--name <text>', member: 'name', description: 'the display name' },
      {
        flags: '--scope <scope>',
        member: 'scopes',
        description: 'a scope of this API; may be repeated',
        is_list: true,
      },
    ],
  },
  apis: {
    heading: GROUPS.records,
    description: 'list, add, change and remove protected APIs',
    operations: {
      list: {
        columns: APIS_COLUMNS,
        empty: 'No protected APIs.',
        examples: ['', '--json | jq -r .[].name'],
      },
      get: { examples: ['orders'] },
      create: {
        examples: [
          'orders',
          `orders 'rules=[{"methods":["GET"],"scopes":["orders:read"]}]'`,
          'notes --kind mcp',
          '--file api.json',
        ],
      },
      update: { examples: ['orders audience=https://orders.example/api'] },
      remove: { examples: ['orders'] },
    },
    flags: [
      {
        flags: '--kind <kind>',
        member: 'kind',
        description: 'the kind',
        choices: Object.keys(API_KIND_WORDS),
      },
      { flags: '--path <path>', member: 'path', description: 'the path, /api/<name> by default' },
      {
        flags: '--audience <uri>',
        member: 'audience',
        description: 'the audience of its tokens, <issuer>/api/<name> by default',
      },
    ],
  },
  tokens: {
    heading: GROUPS.tokens,
    description: 'list, issue, revoke and expire codes and tokens; sign invalid tokens for tests',
    operations: {
      list: {
        columns: TOKENS_COLUMNS,
        empty: 'No codes or tokens have been issued.',
        newest: 100,
        examples: ['', '--kind refresh_token --state active', '--json | jq -r .[0].id'],
      },
      get: { examples: ['1.2', '1.2 --secrets'] },
      mint: { examples: ['--client-id demo-app', '--client-id demo-app --scope openid'] },
      sign: {
        examples: [
          '--client-id demo-app --wrong expired',
          '--client-id demo-app --wrong alg_none claims.role=admin',
        ],
      },
      revoke: { examples: ['1.2'] },
      expire: { examples: ['1.3'] },
    },
  },
  devices: {
    heading: GROUPS.tokens,
    description: 'list, approve and deny devices that are waiting for a user',
    operations: {
      list: {
        columns: DEVICES_COLUMNS,
        empty: 'No device has requested authorization.',
        newest: 100,
        examples: ['', '--state pending', '--json | jq -r .[0].user_code'],
      },
      create: { examples: ['--client-id tv', '--client-id tv --scope openid --json'] },
      get: { examples: ['WDJB-MJHT', 'wdjbmjht --secrets'] },
      approve: { examples: ['WDJB-MJHT', 'WDJB-MJHT --sub ada --scope openid'] },
      deny: { examples: ['WDJB-MJHT'] },
      expire: { examples: ['WDJB-MJHT'] },
    },
  },
  refusals: {
    description: 'list the reasons why requests are rejected',
    operations: {
      list: {
        columns: REFUSALS_COLUMNS,
        empty: 'There are no reasons.',
        examples: ['', '--json | jq ".[] | select(.id == \\"code_redeemed\\")"'],
      },
    },
  },
  savedFlows: {
    description: 'list, save and delete flows that are saved by name in the workspace',
    operations: {
      list: {
        columns: SAVED_FLOWS_COLUMNS,
        empty: 'No flows are saved in the workspace.',
        examples: ['', '--json | jq -r .[].scenario.name'],
      },
      get: { examples: ['Checkout --json | jq .scenario > checkout.scenario.json'] },
      put: { examples: ['Checkout --file saved-flow.json', 'Checkout --file - replace=false'] },
      remove: { examples: ['Checkout'] },
    },
  },
  savedRequests: {
    description: 'list, save and delete requests that are saved by name in the workspace',
    operations: {
      list: {
        columns: SAVED_REQUESTS_COLUMNS,
        empty: 'No requests are saved in the workspace.',
        examples: ['', '--json | jq -r .[].name'],
      },
      get: { examples: ['Userinfo'] },
      put: {
        examples: [
          'Userinfo method=GET path=/userinfo',
          'Userinfo --file request.json replace=false',
        ],
      },
      remove: { examples: ['Userinfo'] },
    },
  },
  callbacks: {
    description:
      'open callbacks, which receive the redirect of a browser sign-in; read and close them',
    operations: {
      create: { examples: ['', '--redirect-uri http://127.0.0.1:8400/callback'] },
      get: { examples: ['Zk3vq0aR --wait-seconds 60'] },
      remove: { examples: ['Zk3vq0aR'] },
    },
  },
  lineages: {
    description: 'show and revoke lineages: all credentials of one authorization',
    operations: { get: { examples: ['1'] }, revoke: { examples: ['1'] } },
  },
  requests: {
    description: 'send requests from the machine of the sandbox, and forecast them',
    operations: {
      send: {
        examples: ['--path /userinfo', '--method POST --path /oauth/token --body grant_type='],
      },
      evaluate: { examples: ['--path /userinfo', '--file request.json'] },
    },
  },
  advisories: { description: 'list redundant token requests' },
  clientChecks: {
    description: 'start and end cases that show how the app handles a server that misbehaves',
    operations: {
      start: { examples: ['--case good-login', '--case state-invalid --client-id demo-app'] },
      update: { examples: ['--shown', 'shown=false'] },
      end: { examples: ['--login failed'] },
    },
  },
  settings: {
    description: 'show and change the settings of the sandbox',
    operations: {
      update: {
        examples: ['profile=interop', 'throttle.limit=2', 'authorize=null   (the default)'],
      },
    },
  },
  shape: {
    description: 'show and change the provider that the sandbox imitates',
    operations: { set: { examples: ['provider=okta', '--file shape.json'] } },
  },
  server: {
    description: 'show, start, move and stop the authorization server',
    operations: { start: { examples: ['', 'port=4380', 'https=true'] } },
  },
};
