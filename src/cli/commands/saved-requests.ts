// `grantbench saved-requests`.

import type { SavedRequest } from '../../control/schemas.ts';
import type { Column } from '../terminal/table.ts';
import { resourceCommand } from './operations/resource.ts';

const COLUMNS: readonly Column<SavedRequest>[] = [
  { title: 'NAME', cell: ({ name }) => ({ text: name, style: 'bold' }) },
  { title: 'METHOD', cell: ({ method }) => method },
  { title: 'PATH', cell: ({ path }) => path },
  { title: 'CLIENT', cell: ({ client_id }) => client_id ?? '' },
  { title: 'SAVED', cell: ({ saved_at }) => saved_at },
];

export const { declare, fallback } = resourceCommand({
  name: 'savedRequests',
  description: 'list, save and delete requests that are saved by name in the workspace',
  operations: {
    list: {
      columns: COLUMNS,
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
});
