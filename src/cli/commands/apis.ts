// `grantbench apis`.

import { audienceOfApi, pathOfApi } from '../../control/names.ts';
import type { Api } from '../../control/schemas.ts';
import type { Column } from '../terminal/table.ts';
import { GROUPS } from './command.ts';
import { resourceCommand } from './operations/resource.ts';

const COLUMNS: readonly Column<Api>[] = [
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

export const { declare, fallback } = resourceCommand({
  name: 'apis',
  heading: GROUPS.records,
  description: 'list, add, change and remove protected APIs',
  operations: {
    list: {
      columns: COLUMNS,
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
    { flags: '--kind <kind>', member: 'kind', description: 'http or mcp' },
    { flags: '--path <path>', member: 'path', description: 'the path, /api/<name> by default' },
    {
      flags: '--audience <uri>',
      member: 'audience',
      description: 'the audience of its tokens, <issuer>/api/<name> by default',
    },
  ],
});
