// `grantbench reset`: restores the state at the start.

import type { Command } from 'commander';
import { withControl } from '../connect.ts';
import { printJson, remark } from '../terminal/print.ts';
import { connected, type Connection, GROUPS } from './command.ts';

interface ResetOptions extends Connection {
  readonly workspace?: boolean;
}

async function reset({ workspace = false, ...options }: ResetOptions): Promise<void> {
  const done = await withControl(options, (control) => control.reset({ workspace }));
  if (options.json) printJson(done);
  else remark(workspace ? 'Reset, including the workspace.' : 'Reset. The workspace is unchanged.');
}

export function declare(program: Command): void {
  const command = program
    .command('reset')
    .helpGroup(GROUPS.sandbox)
    .description('clear credentials, exchanges and counters and reset the clock')
    .option('--workspace', 'also restore clients, users and settings from the workspace file');
  connected(command, '  grantbench reset\n  grantbench reset --workspace').action(reset);
}
