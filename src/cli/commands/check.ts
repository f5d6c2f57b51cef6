// `grantbench check`: its flags.

import { type Command, Option } from 'commander';
import { PROFILES } from '../../control/names.ts';
import type { CheckOptions } from './check/run-cases.ts';
import { GROUPS, type Build } from './command.ts';
import {
  collect,
  givenControlToken,
  parseFile,
  parseHost,
  parsePort,
  parseWhole,
  reportOption,
} from './flag-values.ts';
import {
  certificateOptions,
  type GivenServe,
  givenHttps,
  issuerOption,
  shapeOption,
} from './serve/options.ts';

const HELP = `
Examples:
  grantbench check -- npx playwright test login.spec.ts
  grantbench check --workspace team.json --port 4280 -- npm run test:login
  grantbench check --case id-token-aud-other --case state-invalid -- node login.js
  grantbench check --only must --report check.sarif --baseline known-faults.txt -- pytest -k login

The command signs in with your app, once per case, against a sandbox of its own, and exits with 0 if the login
succeeded. In each case, the sandbox does one thing wrong (or something unusual, but correct). Before the cases, a good
login must succeed; a login whose token endpoint always answers 500 shows whether the exit code is meaningful.

The command gets the variables of exec, and GRANTBENCH_CASE: the id of the case, good-login or token-500. In a case with a
text that the app must not show, GRANTBENCH_LOOK_FOR has the text.
--baseline names a file with the ids of known faults, one per line. A fault in a must case that is not listed, or a
listed fault that no longer occurs, makes it exit with 1.

Exit codes: 0 no fault in a must case; 1 such a fault, or a stale baseline; 2 the good login failed, nothing was run, a
wrong flag, or results or a report that could not be written; 128 plus the signal number if a signal ended it: the
cases that were finished are reported.`;

type Given = Omit<CheckOptions, 'command' | 'https' | 'controlToken' | 'timeout'> &
  Pick<GivenServe, 'https' | 'cert' | 'key'> & { readonly timeout: number };

export function declare(program: Command, { version }: Build): void {
  const command = program
    .command('check')
    .helpGroup(GROUPS.run)
    .description('check how an app handles a server that misbehaves: run its login once per case')
    .usage('[options] -- COMMAND [ARGUMENTS]')
    .argument('<command...>', 'the command that signs in')
    .passThroughOptions()
    .option('--case <id>', 'run this case only; repeat the flag for more', collect)
    .addOption(new Option('--only <level>', 'run the cases of this level only').choices(['must']))
    .option('--baseline <file>', 'ids of known faults, one per line', parseFile)
    .option(
      '--restart <command>',
      'restart the app with this command where it may keep metadata or keys',
    )
    .addOption(
      new Option('--timeout <seconds>', 'time limit of each login')
        .argParser(parseWhole(1, 3000))
        .default(120),
    )
    .option('--workspace <file>', 'read clients, users and settings from this file', parseFile)
    .addOption(new Option('--profile <name>', 'the profile of the sandbox').choices(PROFILES))
    .option('--host <host>', 'where the OAuth endpoints listen', parseHost)
    .option('--port <number>', 'port of the OAuth endpoints; a free one by default', parsePort)
    .addOption(issuerOption())
    .addOption(shapeOption());
  for (const option of certificateOptions()) {
    if (option.long !== '--cert-out') command.addOption(option);
  }
  command
    .addOption(reportOption('tap', 'xml', 'json', 'sarif'))
    .option('--json', 'print JSON instead of a table')
    .addOption(new Option('--tap', 'print TAP instead of a table').conflicts('json'))
    .option('--verbose', 'show the output of every login on standard error')
    .addHelpText('after', HELP)
    .action(async ([name = '', ...args]: string[], { cert, key, https, ...given }: Given) => {
      const chosen = givenHttps(command, { https, cert, key });
      const { check } = await import('./check/run-cases.ts');
      const options = {
        ...given,
        ...givenControlToken(command),
        ...(chosen === undefined ? {} : { https: chosen }),
      };
      process.exit(await check({ ...options, command: [name, ...args] }, version));
    });
}
