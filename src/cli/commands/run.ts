// `grantbench run`: its flags.

import { InvalidArgumentError, type Command } from 'commander';
import { parseLoopbackRedirect } from '../../control/names.ts';
import type { RunOptions } from './run/run-scenarios.ts';
import { GROUPS, type Build } from './command.ts';
import { parseAddress, rejectFlags, reportOption } from './flag-values.ts';

const HELP = `
Examples:
  grantbench run login.scenario.json
  grantbench run scenarios                       all *.scenario.json in the folder and below
  grantbench run scenarios --report out/r.xml    JUnit; .tap and .json are TAP and JSON
  grantbench run scenarios --bail --json
  grantbench run login.scenario.json --against https://login.example.com/
  grantbench run login.scenario.json --against https://login.example.com/ --compare

Each scenario runs in a separate sandbox with its own keys, clock and ports. Results are printed to standard output as
TAP 14. If a file has problems, they are printed to standard error with line and column, and nothing is run.

With --against, requests are sent to that provider instead of a sandbox, and its responses must match the scenario's
expectations. With --compare they must match the responses of a sandbox that gets the same requests. Steps that need a
sandbox are skipped. GRANTBENCH_AGAINST_CLIENT_ID and GRANTBENCH_AGAINST_CLIENT_SECRET name the client,
GRANTBENCH_AGAINST_USERNAME and GRANTBENCH_AGAINST_PASSWORD the user of the password grant.

Exit codes: 0 all passed; 1 some failed; 2 a file with problems, a wrong flag, a provider that cannot be used, or
results or a report that could not be written; 128 plus the signal number (130 after Ctrl+C) if a signal ended it: TAP
ends with "Bail out!", and the scenarios that were finished are reported.`;

/** Parses an origin as browsers write it, and adds it to the earlier ones. */
function parseOrigin(value: string, former: readonly string[] = []): readonly string[] {
  if (URL.canParse(value) && new URL(value).origin === value) return [...former, value];
  throw new InvalidArgumentError('It must be an origin, such as https://login.example.com.');
}

/** Parses the redirect URI that is registered at the provider (RFC 8252 7.3). */
function parseRedirect(value: string): string {
  const parsed = parseLoopbackRedirect(value);
  if (parsed !== null && parsed.port !== null && /^\/[^\s?#]*$/.test(parsed.rest)) return value;
  throw new InvalidArgumentError(
    'It must be a redirect URI on a loopback address with a port, such as http://127.0.0.1:8400/callback.',
  );
}

type GivenRun = Partial<Omit<RunOptions, 'paths'>>;

/** These flags need --against. */
const OF_THE_PROVIDER = ['compare', 'signIn', 'allowDestructive', 'allowOrigin', 'allowAddress'];

export function declare(program: Command, { version }: Build): void {
  program
    .command('run')
    .helpGroup(GROUPS.run)
    .description('run scenarios, each in a separate sandbox, and print the results')
    .argument('<file...>', 'scenario files, or folders of *.scenario.json')
    .addOption(reportOption('tap', 'xml', 'json'))
    .option('--bail', 'stop after the first failed scenario')
    .option('--json', 'print JSON instead of TAP')
    .option('--against <issuer>', 'send the requests to this provider instead of a sandbox')
    .option('--compare', 'compare the responses of the provider with those of a sandbox')
    .option(
      '--sign-in <redirect-uri>',
      'let a user sign in at the provider in a browser, which is redirected to this loopback URI',
      parseRedirect,
    )
    .option(
      '--allow-destructive',
      'also send revocations, repeated requests and wrong credentials to the provider',
    )
    .option(
      '--allow-origin <origin>',
      'also use endpoints of the provider at this origin; may be repeated',
      parseOrigin,
    )
    .option(
      '--allow-address <address>',
      'connect to this private or link-local address; may be repeated',
      parseAddress,
    )
    .addHelpText('after', HELP)
    .action(async (paths: string[], given: GivenRun, command: Command) => {
      if (given.against === undefined) {
        const why = 'needs --against <issuer>, which names the provider.';
        rejectFlags(command, OF_THE_PROVIDER, why);
      }
      const { run } = await import('./run/run-scenarios.ts');
      const defaults = {
        report: [],
        bail: false,
        json: false,
        against: null,
        compare: false,
        signIn: null,
        allowDestructive: false,
        allowOrigin: [],
        allowAddress: [],
      };
      // process.exit would cut off output that a pipe has not taken yet.
      process.exitCode = await run({ ...defaults, ...given, paths }, version);
    });
}
