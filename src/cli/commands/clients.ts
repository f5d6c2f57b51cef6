// `grantbench clients`.

import type { Client } from '../../control/schemas.ts';
import type { Column } from '../terminal/table.ts';
import { GROUPS } from './command.ts';
import { resourceCommand } from './operations/resource.ts';

const COLUMNS: readonly Column<Client>[] = [
  { title: 'CLIENT_ID', cell: ({ client_id }) => ({ text: client_id, style: 'bold' }) },
  { title: 'NAME', cell: ({ client_name }) => client_name },
  { title: 'AUTHENTICATION', cell: (client) => client.token_endpoint_auth_method },
  { title: 'GRANTS', cell: ({ grant_types }) => grant_types.join(' ') },
  { title: 'REDIRECT URIS', cell: ({ redirect_uris }) => redirect_uris.join(' ') },
];

export const { declare, fallback } = resourceCommand({
  name: 'clients',
  heading: GROUPS.records,
  description: 'list, add, change and remove clients',
  operations: {
    list: {
      columns: COLUMNS,
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
      repeatable: true,
    },
    {
      flags: '--grant <type>',
      member: 'grant_types',
      description: 'a grant type the client may use; may be repeated',
      repeatable: true,
    },
    {
      flags: '--profile <profile>',
      member: 'profile',
      description: 'how strictly to validate its requests: documented, strict or interop',
    },
  ],
  switches: [
    {
      flags: '--public',
      description: 'register a public client: no secret, PKCE required, interop profile',
      sets: { token_endpoint_auth_method: 'none', client_secret: null },
    },
  ],
});
