// `grantbench run`: its flags.

import { InvalidArgumentError, type Command } from 'commander';
import { parseLoopbackRedirect } from '../../control/names.ts';
import type { RunOptions } from './run/start.ts';
import { GROUPS, type Build } from './command.ts';
import { parseAddress, parseReport } from './flag-values.ts';

const HELP = `
Examples:
  grantbench run login.scenario.json
  grantbench run scenarios                       all *.scenario.json in the folder and below
  grantbench run scenarios --report out/r.xml    JUnit; .tap and .json are TAP and JSON
  grantbench run scenarios --bail --json
  grantbench run login.scenario.json --against https://login.example.com/
  grantbench run login.scenario.json --against https://login.example.com/ --compare

Each scenario has a sandbox of its own, with its own keys, clock and ports. Results are written to
standard output as TAP 14. Problems in files are written to standard error with line and column; then nothing is run.

With --against, the requests are sent to that provider in place of a sandbox, and its answers must be as the scenario
expects. With --compare they must be as those of a sandbox that the same requests are sent to. Steps that only a sandbox
can do are skipped. The client is that of GRANTBENCH_AGAINST_CLIENT_ID and GRANTBENCH_AGAINST_CLIENT_SECRET, the user of
the password grant that of GRANTBENCH_AGAINST_USERNAME and GRANTBENCH_AGAINST_PASSWORD.

Exit codes: 0 all passed; 1 some failed; 2 a file with errors, a wrong flag, a provider that cannot be used, or a
report that could not be written.`;

/** One more of them, as browsers write origins. */
function parseOrigin(value: string, former: readonly string[] = []): readonly string[] {
  if (URL.canParse(value) && new URL(value).origin === value) return [...former, value];
  throw new InvalidArgumentError('It must be an origin, as https://login.example.com.');
}

/** As it is registered at the provider (RFC 8252 7.3). */
function parseRedirect(value: string): string {
  const parsed = parseLoopbackRedirect(value);
  if (parsed !== null && parsed.port !== null && /^\/[^\s?#]*$/.test(parsed.rest)) return value;
  throw new InvalidArgumentError(
    'It must be a redirect URI on the loopback with a port: http://127.0.0.1:8400/callback.',
  );
}

type GivenRun = Partial<Omit<RunOptions, 'paths'>>;

/** These say what is done at the provider. */
const OF_THE_PROVIDER = {
  compare: '--compare',
  signIn: '--sign-in',
  allowDestructive: '--allow-destructive',
  allowOrigin: '--allow-origin',
  allowAddress: '--allow-address',
} as const;

function checkTogether(command: Command, given: GivenRun): void {
  if (given.against !== undefined) return;
  for (const [name, flag] of Object.entries(OF_THE_PROVIDER)) {
    if (given[name as keyof typeof OF_THE_PROVIDER] === undefined) continue;
    command.error(`error: ${flag} needs --against <issuer>, which names the provider.`);
  }
}

export function declare(program: Command, { version }: Build): void {
  program
    .command('run')
    .helpGroup(GROUPS.run)
    .description('run scenarios, each in a sandbox of its own, and print the results')
    .argument('<file...>', 'scenario files, or folders of *.scenario.json')
    .option('--report <file>', 'write a report: TAP (.tap), JUnit (.xml) or JSON', parseReport)
    .option('--bail', 'stop after the first scenario that failed')
    .option('--json', 'print JSON instead of TAP')
    .option('--against <issuer>', 'send the requests to this provider')
    .option('--compare', 'compare the answers of the provider with those of a sandbox')
    .option(
      '--sign-in <redirect-uri>',
      'have a person sign in at the provider, in a browser that comes back to this loopback URI',
      parseRedirect,
    )
    .option(
      '--allow-destructive',
      'send revocation, repetition and wrong credentials to the provider, too',
    )
    .option(
      '--allow-origin <origin>',
      'use endpoints of the provider at this origin, too; may be repeated',
      parseOrigin,
    )
    .option(
      '--allow-address <address>',
      'connect to this private or link-local address; may be repeated',
      parseAddress,
    )
    .addHelpText('after', HELP)
    .action(async (paths: string[], given: GivenRun, command: Command) => {
      checkTogether(command, given);
      const { run } = await import('./run/start.ts');
      const defaults = {
        ...{ report: [], bail: false, json: false, against: null, compare: false, signIn: null },
        ...{ allowDestructive: false, allowOrigin: [], allowAddress: [] },
      };
      // Not process.exit, which would cut off what a pipe has not taken yet.
      process.exitCode = await run({ ...defaults, ...given, paths }, version);
    });
}
