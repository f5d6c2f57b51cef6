// `grantbench run`: its flags.

import { InvalidArgumentError, type Command } from 'commander';
import type { RunOptions } from './run/start.ts';
import { GROUPS, type Build } from './command.ts';

const HELP = `
Examples:
  grantbench run login.scenario.json
  grantbench run scenarios                       all *.scenario.json in the folder and below
  grantbench run scenarios --report out/r.xml    JUnit; .tap and .json are TAP and JSON
  grantbench run scenarios --bail --json

Each scenario has a sandbox of its own, with its own keys, clock and ports. Results are written to
standard output as TAP 14. Problems in files are written to standard error with line and column; then nothing is run.

Exit codes: 0 all passed; 1 some failed; 2 a file with errors, a wrong flag, or a report that could not be
written.`;

/** One more of them. */
function parseReport(value: string, former: readonly string[] = []): readonly string[] {
  if (/\.(tap|xml|json)$/i.test(value)) return [...former, value];
  throw new InvalidArgumentError(
    'The name of a report must end in .tap, .json, or .xml for JUnit.',
  );
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
    .addHelpText('after', HELP)
    .action(async (paths: string[], given: Partial<Omit<RunOptions, 'paths'>>) => {
      const { run } = await import('./run/start.ts');
      const defaults = { report: [], bail: false, json: false };
      // Not process.exit, which would cut off what a pipe has not taken yet.
      process.exitCode = await run({ ...defaults, ...given, paths }, version);
    });
}
