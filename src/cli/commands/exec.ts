// `grantbench exec`: its flags.

import type { Command } from 'commander';
import type { ExecOptions } from './exec/exec-in-sandbox.ts';
import { givenControlToken, parseFailOn, parseFile, reportOption } from './flag-values.ts';
import { GROUPS, type Build } from './command.ts';

const HELP = `
Examples:
  grantbench exec -- npm test
  grantbench exec --report out/grantbench.xml --report out/grantbench.json -- npx vitest run
  grantbench exec --workspace team.json --fail-on redundant,throttled -- pytest

The command gets the sandbox in environment variables: GRANTBENCH_ISSUER, GRANTBENCH_TOKEN_ENDPOINT,
GRANTBENCH_CLIENT_ID, GRANTBENCH_CLIENT_SECRET, GRANTBENCH_CONTROL_URL, GRANTBENCH_CONTROL_TOKEN. In GRANTBENCH_CONTROL,
grantbench commands inside it find the sandbox.

Exit codes: that of the command (128 plus the signal number if a signal ended it); 3 if the command ended
with 0, but an event of --fail-on happened or a report could not be written; 126 and 127 if it could not
be started or was not found; 2 for a wrong flag or an unreadable workspace.`;

type Given = Partial<Omit<ExecOptions, 'command' | 'controlToken'>>;

export function declare(program: Command, { version }: Build): void {
  const command = program
    .command('exec')
    .helpGroup(GROUPS.run)
    .description('run a command with a sandbox of its own, and return its exit code')
    .usage('[options] -- COMMAND [ARGUMENTS]')
    .argument('<command...>', 'the command to run')
    .passThroughOptions()
    .option('--workspace <file>', 'read clients, users and settings from this file', parseFile)
    .addOption(reportOption('xml', 'json'))
    .option(
      '--fail-on <list>',
      'events that make it exit with 3: redundant,throttled,refused,deviation; may be repeated',
      parseFailOn,
    )
    .option('--quiet', 'no summary on standard error')
    .addHelpText('after', HELP);
  command.action(async ([name = '', ...args]: string[], given: Given) => {
    const defaults = { report: [], failOn: [], quiet: false };
    const options = { ...defaults, ...given, ...givenControlToken(command) };
    const { exec } = await import('./exec/exec-in-sandbox.ts');
    process.exit(await exec({ ...options, command: [name, ...args] }, version));
  });
}
