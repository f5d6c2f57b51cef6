// `grantbench keys`: its subcommands.

import { Option, type Command } from 'commander';
import { GROUPS } from './command.ts';
import { begin, connected, type Connection } from './connection.ts';
import type { KeyOptions } from '../steering/keys.ts';

/** As the contract has them (SIGNING_ALGS); a test holds them against it. */
export const ALGS = ['RS256', 'ES256', 'PS256', 'EdDSA', 'HS256'] as const;

export const fallback = 'list';

export function declare(program: Command): void {
  const group = program
    .command('keys')
    .helpGroup(GROUPS.steer)
    .description('see, rotate and retire signing keys');
  connected(
    group.command('list').description('list the keys, newest first'),
    '  grantbench keys\n  grantbench keys list --json | jq -r .[0].kid',
  ).action(async (given: Connection) => {
    await begin();
    const { listKeys } = await import('../steering/keys.ts');
    await listKeys(given);
  });
  const rotate = group
    .command('rotate')
    .description('make a key that signs from now on; the former ones stay published')
    .addOption(
      new Option('--alg <alg>', 'its algorithm (default: the one in force)').choices(ALGS),
    );
  connected(rotate, '  grantbench keys rotate').action(async (given: KeyOptions) => {
    await begin();
    const { rotateKey } = await import('../steering/keys.ts');
    await rotateKey(given);
  });
  connected(
    group
      .command('retire')
      .description('publish a key no longer; its tokens are no longer good')
      .argument('<kid>', 'its id, or how it begins'),
    '  grantbench keys retire oPAkEfvr',
  ).action(async (kid: string, given: Connection) => {
    await begin();
    const { retireKey } = await import('../steering/keys.ts');
    await retireKey(kid, given);
  });
}
