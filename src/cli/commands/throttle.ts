// `grantbench throttle`: its subcommands.

import type { Command } from 'commander';
import { GROUPS } from './command.ts';
import { begin, connected, type Connection } from './connection.ts';

export const fallback = 'list';

export function declare(program: Command): void {
  const group = program
    .command('throttle')
    .helpGroup(GROUPS.steer)
    .description('see and release throttle counters');
  connected(
    group.command('list').description('list the counters'),
    '  grantbench throttle\n  grantbench throttle list --json | jq length',
  ).action(async (given: Connection) => {
    await begin();
    const { listCounters } = await import('../steering/throttle.ts');
    await listCounters(given);
  });
  connected(
    group
      .command('release')
      .description('release one counter, or all of them')
      .argument('[id]', 'its id, or how it begins'),
    '  grantbench throttle release               all of them\n  grantbench throttle release kX3a',
  ).action(async (id: string | undefined, given: Connection) => {
    await begin();
    const { releaseCounters } = await import('../steering/throttle.ts');
    await releaseCounters(id, given);
  });
}
