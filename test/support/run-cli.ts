// Runs one command of the built command line to its end, with an optional standard input.

import { spawn } from 'node:child_process';
import { CLI, userData } from './cli-process.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const clean = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('GRANTBENCH_')),
);

/** Uses the instances of this test file, unless `env` overrides it. */
export function runCli(
  args: readonly string[],
  { env = {}, input = '' }: { readonly env?: NodeJS.ProcessEnv; readonly input?: string } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      env: { ...clean, GRANTBENCH_USER_DATA: userData, ...env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout, stderr });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
