// `grantbench tokens`.

import type { Credential } from '../../control/schemas.ts';
import type { Column } from '../terminal/table.ts';
import { GROUPS } from './command.ts';
import { resourceCommand } from './operations/resource.ts';

const COLUMNS: readonly Column<Credential>[] = [
  { title: 'ID', cell: ({ id }) => ({ text: id, style: 'bold' }) },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'CLIENT', cell: ({ client_id }) => client_id },
  { title: 'USER', cell: ({ sub }) => sub },
  { title: 'EXPIRES', cell: ({ expires_at }) => expires_at },
];

export const { declare, fallback } = resourceCommand({
  name: 'tokens',
  heading: GROUPS.tokens,
  description: 'list, issue, revoke and expire codes and tokens; sign invalid tokens for tests',
  operations: {
    list: {
      columns: COLUMNS,
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
});
