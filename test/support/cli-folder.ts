// A folder and the processes of the command line for each test, or for all tests of a file. Playwright's tests have
// hooks of their own, so this is not in cli-process.ts.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startCli, startServe, stopCli, type CliProcess } from './cli-process.ts';

const HOOKS = {
  each: { before: beforeEach, after: afterEach },
  all: { before: beforeAll, after: afterAll },
} as const;

/** Creates the folder before each test, or before all; then ends the processes and removes it. */
export function cliFolder(name: string, tests: keyof typeof HOOKS = 'each') {
  let folder = '';
  let running: CliProcess[] = [];
  const { before, after } = HOOKS[tests];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), `grantbench-${name}-`));
  });
  after(async () => {
    await Promise.all(running.map(stopCli));
    running = [];
    rmSync(folder, { recursive: true });
  });
  function kept(cli: CliProcess): CliProcess {
    running.push(cli);
    return cli;
  }
  return {
    /** Returns the path of the folder, or of a file in it. */
    at: (...names: readonly string[]) => join(folder, ...names),
    start: (...given: Parameters<typeof startCli>) => kept(startCli(...given)),
    serve: (...args: string[]) => kept(startServe(...args)),
  };
}
