// `grantbench workspace`: its subcommands.

import type { Command } from 'commander';
import { GROUPS } from './command.ts';
import { begin, connected, EXIT_CODES, type Connection } from './connection.ts';

export function declare(program: Command): void {
  const group = program
    .command('workspace')
    .helpGroup(GROUPS.about)
    .description('check, import and export workspace files');
  group
    .command('validate')
    .description('check a workspace file, without an instance; tells all that is wrong with it')
    .argument('<file>', 'the file; - is standard input')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExamples:\n  grantbench workspace validate team.json\n${EXIT_CODES}`)
    .action(async (file: string, given: { readonly json?: boolean }) => {
      await begin();
      const { validateWorkspace } = await import('../files/workspace.ts');
      await validateWorkspace(file, given);
    });
  connected(
    group
      .command('import')
      .description('put a workspace file in the place of what the instance has')
      .argument('<file>', 'the file; - is standard input'),
    '  grantbench workspace import team.json',
  ).action(async (file: string, given: Connection) => {
    await begin();
    const { importWorkspace } = await import('../files/workspace.ts');
    await importWorkspace(file, given);
  });
  connected(
    group
      .command('export')
      .description('write the workspace of the instance, secrets and all')
      .argument('[file]', 'the file; standard output without it'),
    '  grantbench workspace export team.json\n  grantbench workspace export | jq .clients',
  ).action(async (file: string | undefined, given: Connection) => {
    await begin();
    const { exportWorkspace } = await import('../files/workspace.ts');
    await exportWorkspace(file, given);
  });
}
