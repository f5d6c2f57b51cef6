// `grantbench keys`: signing keys, listed, rotated and retired.

import type { SigningKey } from '../../control/schemas.ts';
import type { Connection } from '../commands/connection.ts';
import { CommandError } from '../command-error.ts';
import { withControl } from '../instance/connect.ts';
import { print, printJson, remark } from '../terminal/print.ts';
import { table, type Column } from '../terminal/table.ts';

export interface KeyOptions extends Connection {
  readonly alg?: SigningKey['alg'];
}

const COLUMNS: readonly Column<SigningKey>[] = [
  { title: 'KID', cell: ({ kid }) => ({ text: kid, style: 'bold' }) },
  { title: 'ALG', cell: ({ alg }) => alg },
  {
    title: 'SIGNS',
    cell: ({ signing }) => ({ text: signing ? 'yes' : 'no', style: signing ? 'green' : 'dim' }),
  },
  { title: 'PUBLISHED', cell: ({ published }) => (published ? 'yes' : 'no') },
  { title: 'MADE', cell: ({ created_at }) => created_at },
];

export async function listKeys(options: Connection): Promise<void> {
  const { items } = await withControl(options, (control) => control.keys.list());
  if (options.json) printJson(items);
  else print(table(items, COLUMNS, 'There is no key yet.'));
}

export async function rotateKey(options: KeyOptions): Promise<void> {
  const order = options.alg === undefined ? {} : { alg: options.alg };
  const key = await withControl(options, (control) => control.keys.create(order));
  if (options.json) printJson(key);
  else print(table([key], COLUMNS, ''));
}

export async function retireKey(beginning: string, options: Connection): Promise<void> {
  const retired = await withControl(options, async ({ keys }) => {
    const { items } = await keys.list();
    const found = items.filter(({ kid }) => kid.startsWith(beginning));
    if (found.length > 1) {
      throw new CommandError(
        2,
        `${found.length} keys begin with ${beginning}: name more of the id.`,
      );
    }
    return keys.retire({ kid: found[0]?.kid ?? beginning });
  });
  if (options.json) printJson(retired);
  else remark(`Retired ${retired.kid}; ${retired.signing_kid} signs now.`);
}
