// `grantbench keys`.

import type { Command } from 'commander';
import type { SigningKey } from '../../control/schemas.ts';
import { CommandError } from '../command-error.ts';
import { withControl } from '../connect.ts';
import { printJson, remark } from '../terminal/print.ts';
import type { Column } from '../terminal/table.ts';
import { connected, type Connection } from './command.ts';
import { resourceCommand } from './operations/resource.ts';

const COLUMNS: readonly Column<SigningKey>[] = [
  { title: 'KID', cell: ({ kid }) => ({ text: kid, style: 'bold' }) },
  { title: 'ALG', cell: ({ alg }) => alg },
  {
    title: 'SIGNS',
    cell: ({ signing }) => ({ text: signing ? 'yes' : 'no', style: signing ? 'green' : 'dim' }),
  },
  { title: 'PUBLISHED', cell: ({ published }) => (published ? 'yes' : 'no') },
  { title: 'CREATED', cell: ({ created_at }) => created_at },
];

/** @param beginning the beginning of the key's id, long enough to be unique */
async function retire(beginning: string, options: Connection): Promise<void> {
  const retired = await withControl(options, async ({ keys }) => {
    const { items } = await keys.list();
    const found = items.filter(({ kid }) => kid.startsWith(beginning));
    if (found.length > 1) {
      const message = `${found.length} keys begin with ${beginning}. Give more characters of the id.`;
      throw new CommandError(2, message);
    }
    return keys.retire({ kid: found[0]?.kid ?? beginning });
  });
  if (options.json) printJson(retired);
  else remark(`Retired ${retired.kid}. New tokens are signed with ${retired.signing_kid}.`);
}

function declareRetire(group: Command): void {
  connected(
    group
      .command('retire')
      .description('stop publishing a key and accepting its tokens')
      .argument('<kid>', 'the id of the key, or a unique beginning of it'),
    '  grantbench keys retire oPAkEfvr',
  ).action(retire);
}

export const { declare, fallback } = resourceCommand('keys', {
  description: 'list, rotate and retire signing keys',
  operations: {
    list: {
      columns: COLUMNS,
      empty: 'No signing keys yet.',
      examples: ['', '--json | jq -r .[0].kid'],
    },
    create: {
      name: 'rotate',
      examples: ['', '--alg ES256', '"jwk=$(cat key.json)"   (imports a private JWK with its alg)'],
    },
    fetch: { examples: ['--url http://localhost:9000/jwks'] },
  },
  by_hand: { operations: ['retire'], declare: declareRetire },
});
