// `grantbench throttle`.

import type { Command } from 'commander';
import type { ControlClient } from '../../control/contract.ts';
import type { Counter } from '../../control/schemas.ts';
import { CommandError } from '../command-error.ts';
import { readAll, withControl } from '../connect.ts';
import { printJson, remark } from '../terminal/print.ts';
import type { Column } from '../terminal/table.ts';
import { connected, type Connection } from './command.ts';
import { resourceCommand } from './operations/resource.ts';

/** Shortens a digest to as many characters as tell two apart. */
const SHORT = 10;

const COLUMNS: readonly Column<Counter>[] = [
  { title: 'ID', cell: ({ id }) => ({ text: id.slice(0, SHORT), style: 'bold' }) },
  { title: 'FOR', cell: ({ kind }) => kind },
  { title: 'CLIENT', cell: ({ client_id }) => client_id },
  { title: 'ADDRESS', cell: ({ ip }) => ip },
  {
    title: 'USED',
    right: true,
    cell: ({ used, limit }) => ({
      text: `${used} of ${limit}`,
      style: used > limit ? 'red' : undefined,
    }),
  },
  { title: 'THROTTLED', right: true, cell: ({ blocked }) => String(blocked) },
  { title: 'RESETS', cell: ({ resets_at }) => `${resets_at.slice(11, 19)}Z` },
];

const read = ({ throttle }: ControlClient) => readAll(throttle.list);

/** Returns the id that begins like this; one that no counter has is left for the service to reject. */
async function wholeId(control: ControlClient, beginning: string): Promise<string> {
  const found = (await read(control)).filter(({ id }) => id.startsWith(beginning));
  if (found.length <= 1) return found[0]?.id ?? beginning;
  const message = `${found.length} counters begin with ${beginning}. Give more characters of the id.`;
  throw new CommandError(2, message);
}

async function release(id: string | undefined, options: Connection): Promise<void> {
  const released = await withControl(options, async (control) => {
    if (id === undefined) {
      const { length } = await read(control);
      await control.throttle.releaseAll();
      return length;
    }
    await control.throttle.release({ id: await wholeId(control, id) });
    return 1;
  });
  if (options.json) printJson({ released });
  else remark(`Reset ${released} ${released === 1 ? 'counter' : 'counters'}.`);
}

function declareRelease(group: Command): void {
  connected(
    group
      .command('release')
      .description('reset one counter, or all counters')
      .argument('[id]', 'the id of the counter, or a unique beginning of it'),
    '  grantbench throttle release               all counters\n  grantbench throttle release kX3a',
  ).action(release);
}

export const { declare, fallback } = resourceCommand('throttle', {
  description: 'list and reset throttle counters',
  operations: {
    list: {
      columns: COLUMNS,
      empty: 'No throttle counters.',
      examples: ['', '--json | jq length'],
    },
    get: { examples: ['kX3aVJ2mQ0c'] },
  },
  by_hand: { operations: ['release', 'releaseAll'], declare: declareRelease },
});
