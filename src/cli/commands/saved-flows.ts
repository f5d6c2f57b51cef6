// `grantbench saved-flows`.

import type { SavedFlow } from '../../control/schemas.ts';
import type { Column } from '../terminal/table.ts';
import { resourceCommand } from './operations/resource.ts';

const COLUMNS: readonly Column<SavedFlow>[] = [
  { title: 'NAME', cell: ({ scenario }) => ({ text: scenario.name, style: 'bold' }) },
  { title: 'STEPS', right: true, cell: ({ scenario }) => String(scenario.steps.length) },
  { title: 'SAVED', cell: ({ saved_at }) => saved_at },
];

export const { declare, fallback } = resourceCommand({
  name: 'savedFlows',
  description: 'list, save and delete flows that are saved by name in the workspace',
  operations: {
    list: {
      columns: COLUMNS,
      empty: 'No flows are saved in the workspace.',
      examples: ['', '--json | jq -r .[].scenario.name'],
    },
    get: { examples: ['Checkout --json | jq .scenario > checkout.scenario.json'] },
    put: { examples: ['Checkout --file saved-flow.json', 'Checkout --file - replace=false'] },
    remove: { examples: ['Checkout'] },
  },
});
