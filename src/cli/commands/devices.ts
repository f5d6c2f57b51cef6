// `grantbench devices`.

import type { Device } from '../../control/schemas.ts';
import type { Column } from '../terminal/table.ts';
import { GROUPS } from './command.ts';
import { resourceCommand } from './operations/resource.ts';

const COLUMNS: readonly Column<Device>[] = [
  { title: 'USER CODE', cell: ({ user_code }) => ({ text: user_code, style: 'bold' }) },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'CLIENT', cell: ({ client_id }) => client_id },
  { title: 'USER', cell: ({ sub }) => sub ?? '' },
  { title: 'SCOPE', cell: ({ scope }) => scope },
  { title: 'POLLS', right: true, cell: ({ polls }) => String(polls) },
  { title: 'EXPIRES', cell: ({ expires_at }) => expires_at },
];

export const { declare, fallback } = resourceCommand({
  name: 'devices',
  heading: GROUPS.tokens,
  description: 'list, approve and deny devices that are waiting for a user',
  operations: {
    list: {
      columns: COLUMNS,
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
});
