// The flags of every command that speaks to a running instance, and how such a command ends.

import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Wanted } from '../instance/address.ts';
import { parsePort } from './flag-values.ts';

export interface Connection extends Wanted {
  readonly json?: boolean;
}

export const EXIT_CODES = `
Exit codes: 0 success, 1 internal or system error, 2 wrong usage or no reachable instance,
3 the request was rejected.`;

function parseControl(value: string): string {
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return value;
  throw new InvalidArgumentError(
    'It must be the URL that serve printed, such as http://localhost:4281/#token=…; without #token=, the token is read from GRANTBENCH_CONTROL_TOKEN.',
  );
}

/** Adds the flags, and the help that all of them share. */
export function connected(command: Command, examples: string): Command {
  return command
    .allowExcessArguments(false)
    .addOption(
      new Option(
        '--control <url>',
        'the instance to use (env: GRANTBENCH_CONTROL); default: the newest instance on this machine',
      ).argParser(parseControl),
    )
    .option('--issuer <url>', 'use the local instance with this issuer')
    .option('--port <number>', 'use the local instance on this port', parsePort)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExamples:\n${examples}\n${EXIT_CODES}`);
}

/** A reader that goes away ends such a command quietly. */
export async function begin(): Promise<void> {
  const { watchReader } = await import('../terminal/print.ts');
  watchReader();
}
