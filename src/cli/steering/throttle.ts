// `grantbench throttle`: the counters, seen and released.

import type { ControlClient } from '../../control/client.ts';
import type { Counter } from '../../control/schemas.ts';
import type { Connection } from '../commands/connection.ts';
import { CommandError } from '../command-error.ts';
import { withControl } from '../instance/connect.ts';
import { print, printJson, remark } from '../terminal/print.ts';
import { table, type Column } from '../terminal/table.ts';

const MOST = 1000;

/** As much of a digest as tells two apart. */
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
  { title: 'REFUSED', right: true, cell: ({ blocked }) => String(blocked) },
  { title: 'TURNS OVER', cell: ({ resets_at }) => `${resets_at.slice(11, 19)}Z` },
];

const read = async (control: ControlClient) => (await control.throttle.list({ limit: MOST })).items;

export async function listCounters(options: Connection): Promise<void> {
  const items = await withControl(options, read);
  if (options.json) printJson(items);
  else print(table(items, COLUMNS, 'Nothing is counted at the moment.'));
}

async function find(control: ControlClient, beginning: string): Promise<Counter> {
  const found = (await read(control)).filter(({ id }) => id.startsWith(beginning));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const message =
    only === undefined
      ? `There is no counter ${beginning}.`
      : `${found.length} counters begin with ${beginning}: name more of the id.`;
  throw new CommandError(2, message);
}

export async function releaseCounters(id: string | undefined, options: Connection) {
  const released = await withControl(options, async (control) => {
    if (id === undefined) {
      const { length } = await read(control);
      await control.throttle.releaseAll();
      return length;
    }
    await control.throttle.release({ id: (await find(control, id)).id });
    return 1;
  });
  if (options.json) printJson({ released });
  else remark(`Released ${released} ${released === 1 ? 'counter' : 'counters'}.`);
}
