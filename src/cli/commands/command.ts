// What a command's file offers: its name, flags and examples. What carries it out is imported when it
// is run, so that reading the arguments stays cheap.

import type { Command } from 'commander';

/** Where the build lies, and which one it is. */
export interface Build {
  /** Folder of the app: what Electron is given to open. */
  readonly app: string;
  /** Folder of the built page. */
  readonly page: string;
  readonly version: string;
}

export interface Surroundings extends Build {
  /** The program with every command on it. */
  readonly whole: () => Promise<Command>;
}

export interface CommandFile {
  /** Adds the command to the program; its action runs it. */
  readonly declare: (program: Command, around: Surroundings) => void;
  /** The subcommand that is meant when none is named. */
  readonly fallback?: string | undefined;
}

/** Headings of --help. */
export const GROUPS = {
  run: 'Run a sandbox:',
  tokens: 'Codes and tokens:',
  records: 'Registered records:',
  sandbox: 'Control the sandbox:',
  watch: 'See what happened:',
  files: 'Files and tools:',
} as const;
