// `grantbench users`.

import type { User } from '../../control/schemas.ts';
import type { Column } from '../terminal/table.ts';
import { GROUPS } from './command.ts';
import { resourceCommand } from './operations/resource.ts';

const COLUMNS: readonly Column<User>[] = [
  { title: 'SUB', cell: ({ sub }) => ({ text: sub, style: 'bold' }) },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'EMAIL', cell: ({ email }) => email },
  { title: 'PASSWORD', cell: ({ has_password }) => (has_password ? 'set' : '') },
  { title: 'CLAIMS', cell: ({ claims }) => Object.keys(claims).join(' ') },
];

export const { declare, fallback } = resourceCommand({
  name: 'users',
  heading: GROUPS.records,
  description: 'list, add, change and remove users',
  operations: {
    list: {
      columns: COLUMNS,
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
});
