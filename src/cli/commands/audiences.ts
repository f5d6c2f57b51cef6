// `grantbench audiences`.

import type { Audience } from '../../control/schemas.ts';
import type { Column } from '../terminal/table.ts';
import { GROUPS } from './command.ts';
import { resourceCommand } from './operations/resource.ts';

const COLUMNS: readonly Column<Audience>[] = [
  { title: 'URI', cell: ({ uri }) => ({ text: uri, style: 'bold' }) },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'SCOPES', cell: ({ scopes }) => scopes.join(' ') },
];

export const { declare, fallback } = resourceCommand({
  name: 'audiences',
  heading: GROUPS.records,
  description: 'list, add, change and remove audiences',
  operations: {
    list: {
      columns: COLUMNS,
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
      repeatable: true,
    },
  ],
});
