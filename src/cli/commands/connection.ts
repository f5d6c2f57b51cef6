// The flags of every command that speaks to a running instance, and how such a command ends.

import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Wanted } from '../instance/address.ts';
import { parsePort } from './flag-values.ts';

export interface Connection extends Wanted {
  readonly json?: boolean;
}

export const EXIT_CODES = `
Exit codes: 0 done, 1 a fault of Grantbench or of the system, 2 wrong use or no instance to be reached,
3 the service refused.`;

function parseControl(value: string): string {
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return value;
  throw new InvalidArgumentError(
    'It takes the URL that serve printed, like http://localhost:4281/#token=…; or without its token, which is then taken from GRANTBENCH_CONTROL_TOKEN.',
  );
}

/** Adds the flags, and the help that all of them share. */
export function connected(command: Command, examples: string): Command {
  return command
    .allowExcessArguments(false)
    .addOption(
      new Option(
        '--control <url>',
        'the instance to speak to (env: GRANTBENCH_CONTROL); without it, the newest that runs here',
      ).argParser(parseControl),
    )
    .option('--issuer <url>', 'the one that runs here with this issuer')
    .option('--port <number>', 'the one that runs here on this port', parsePort)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExamples:\n${examples}\n${EXIT_CODES}`);
}

/** A reader that goes away ends such a command quietly. */
export async function begin(): Promise<void> {
  const { watchReader } = await import('../terminal/print.ts');
  watchReader();
}
