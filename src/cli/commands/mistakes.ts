// `grantbench mistakes`: its flags.

import { Option, type Command } from 'commander';
import { PROFILES } from '../../control/names.ts';
import { GROUPS, type Build } from './command.ts';
import { reportOption } from './flag-values.ts';
import type { MistakesOptions } from './mistakes/make-mistakes.ts';

/** The grants that have mistakes, listed here so that parsing the flags does not load the mistakes. */
export const MISTAKE_GRANTS = [
  'authorization_code',
  'device_code',
  'password',
  'client_credentials',
  'token-exchange',
  'jwt-bearer',
] as const;

const HELP = `
Examples:
  grantbench mistakes                              every mistake of every grant, in a separate sandbox
  grantbench mistakes --grant authorization_code --profile strict
  grantbench mistakes --report mistakes.xml        JUnit; .tap and .json are TAP and JSON
  grantbench mistakes --url http://localhost:4281/#token=…   at a running instance

Each mistake changes one thing in a correct request. Each row shows the expected and the actual response. Without --url,
the command starts a separate sandbox without throttling. At a running instance, it issues, expires and revokes codes
and tokens for the first client that may use the grant, and changes nothing else. Assertions (jwt-bearer) need a key of
the client there: --add-key registers one and removes it afterwards.

Exit codes: 0 all responses as expected; 1 some were not; 2 nothing was run, a wrong flag, no reachable instance, or
results or a report that could not be written.`;

export function declare(program: Command, { version }: Build): void {
  program
    .command('mistakes')
    .helpGroup(GROUPS.run)
    .description(
      'send requests with deliberate mistakes and check that each is rejected as expected',
    )
    .allowExcessArguments(false)
    .addOption(
      new Option('--grant <name>', 'only the mistakes of this grant').choices(MISTAKE_GRANTS),
    )
    .addOption(
      new Option('--profile <name>', 'the profile of the sandbox (default: documented)').choices(
        PROFILES,
      ),
    )
    .option('--url <url>', 'use a running instance: its control URL or its issuer')
    .option(
      '--add-key',
      'register a key for assertions at the running instance and remove it afterwards',
    )
    .addOption(reportOption('tap', 'xml', 'json'))
    .addOption(new Option('--tap', 'print TAP instead of a table').conflicts('json'))
    .option('--json', 'print JSON instead of a table')
    .addHelpText('after', HELP)
    .action(async (options: MistakesOptions, command: Command) => {
      if (options.addKey === true && options.url === undefined) {
        command.error(
          'error: --add-key needs --url <url>; without --url, the sandbox already has a key.',
        );
      }
      if (options.profile !== undefined && options.url !== undefined) {
        command.error(
          "error: --profile cannot be combined with --url: the instance uses the client's profile.",
        );
      }
      const { makeMistakes } = await import('./mistakes/make-mistakes.ts');
      process.exitCode = await makeMistakes(options, version);
    });
}
