// `grantbench exec`: its flags.

import type { Command } from 'commander';
import { parseFailOn, parseReport, type ExecOptions } from './exec/options.ts';
import { givenControlToken, parseFile } from './flag-values.ts';
import { GROUPS, type Build } from './command.ts';

const HELP = `
Examples:
  grantbench exec -- npm test
  grantbench exec --report out/grantbench.xml --report out/grantbench.json -- npx vitest run
  grantbench exec --workspace team.json --fail-on over-fetch,throttled -- pytest

The command finds the sandbox in its environment: GRANTBENCH_ISSUER, GRANTBENCH_TOKEN_ENDPOINT,
GRANTBENCH_CLIENT_ID, GRANTBENCH_CLIENT_SECRET, GRANTBENCH_CONTROL_URL, GRANTBENCH_CONTROL_TOKEN.

Exit codes: the command's own (128 and the signal's number when one ended it); 3 when the command ended
with 0, but something of --fail-on happened or a report could not be written; 126 and 127 when it could not
be started or is not there; 2 a wrong flag or an unreadable workspace.`;

type Given = Partial<Omit<ExecOptions, 'command' | 'controlToken'>>;

export function declare(program: Command, { version }: Build): void {
  const command = program
    .command('exec')
    .helpGroup(GROUPS.run)
    .description('run a command beside a sandbox of its own, and hand on its exit code')
    .usage('[options] -- COMMAND [ARGUMENTS]')
    .argument('<command...>', 'what to run')
    .passThroughOptions()
    .option('--workspace <file>', 'read clients, users and settings from this file', parseFile)
    .option('--report <file>', 'tell what happened: JUnit (.xml) or JSON (.json)', parseReport)
    .option('--fail-on <list>', 'over-fetch,throttled,refused,deviation: exit with 3', parseFailOn)
    .option('--quiet', 'no line with what happened on standard error')
    .addHelpText('after', HELP);
  command.action(async ([name = '', ...args]: string[], given: Given) => {
    const defaults = { report: [], failOn: [], quiet: false };
    const options = { ...defaults, ...given, ...givenControlToken(command) };
    const { exec } = await import('./exec/start.ts');
    process.exit(await exec({ ...options, command: [name, ...args] }, version));
  });
}
