// What a command's file declares: name, flags and examples. The code that runs it is imported only then, so that
// parsing the arguments stays fast.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Wanted } from '../connect.ts';
import { isControlUrl, parsePort } from './flag-values.ts';

/** The location and version of the build. */
export interface Build {
  /** Folder of the app, which Electron opens. */
  readonly app: string;
  /** Folder of the built page. */
  readonly page: string;
  readonly version: string;
}

export interface Surroundings extends Build {
  /** The program with all of its commands. */
  readonly whole: () => Promise<Command>;
}

export interface CommandFile {
  /** Adds the command to the program; its action runs it. */
  readonly declare: (program: Command, around: Surroundings) => void;
  /** The subcommand to run when none is named. */
  readonly fallback?: string | undefined;
}

/** Whether the file has the extension that installers associate with the workbench. Windows and macOS ignore case. */
export const isWorkspaceFile = (argument: string): boolean =>
  argument.toLowerCase().endsWith('.grantbench.json');

/** Headings of --help. */
export const GROUPS = {
  run: 'Run a sandbox:',
  tokens: 'Codes and tokens:',
  records: 'Registered records:',
  sandbox: 'Control the sandbox:',
  watch: 'See what happened:',
  files: 'Files and tools:',
} as const;

export interface Connection extends Wanted {
  readonly json?: boolean;
}

export const EXIT_CODES = `
Exit codes: 0 success, 1 internal or system error, 2 wrong usage or no reachable instance,
3 the request was rejected.`;

function parseControl(value: string): string {
  if (isControlUrl(value)) return value;
  throw new InvalidArgumentError(
    'It must be the URL that serve printed, such as http://localhost:4281/#token=…. Without #token=, the control token is read from GRANTBENCH_CONTROL_TOKEN.',
  );
}

/** Adds the flags and the help text that all commands share. */
export function connected(command: Command, examples: string): Command {
  return command
    .allowExcessArguments(false)
    .addOption(
      new Option(
        '--control <url>',
        'the instance to use (env: GRANTBENCH_CONTROL); default: the newest instance on this machine',
      )
        .argParser(parseControl)
        .conflicts(['issuer', 'port']),
    )
    .option('--issuer <url>', 'use the local instance with this issuer')
    .option('--port <number>', 'use the local instance on this port', parsePort)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExamples:\n${examples}\n${EXIT_CODES}`);
}
