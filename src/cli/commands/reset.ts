// `grantbench reset`: its flags.

import type { Command } from 'commander';
import { GROUPS } from './command.ts';
import { begin, connected } from './connection.ts';
import type { ResetOptions } from '../steering/reset.ts';

export function declare(program: Command): void {
  const command = program
    .command('reset')
    .helpGroup(GROUPS.steer)
    .description('empty credentials, exchanges and counters, and reset the clock')
    .option('--workspace', 'clients, users and settings too go back to the workspace file');
  connected(command, '  grantbench reset\n  grantbench reset --workspace').action(
    async (given: ResetOptions) => {
      await begin();
      const { reset } = await import('../steering/reset.ts');
      await reset(given);
    },
  );
}
