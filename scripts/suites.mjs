// The three suites of tests, each run by its own runner, and what stands in the way of running it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile, run } from './run.mjs';
import { playwrightTally, vitestTally } from './tally.mjs';
import {
  missingTestDisplay,
  needsVirtualDisplay,
  testBrowser,
  testElectron,
} from './test-runtimes.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

const PLAYWRIGHT = packageFile('@playwright/test', 'cli.js');
const SCREEN = ['-a', '-s', '-screen 0 1600x1000x24'];

/**
 * @param {(report: string) => Promise<number>} start
 * @param {(report: string, code: number) => Tally} read
 */
async function withReport(start, read) {
  const folder = mkdtempSync(join(tmpdir(), 'grantbench-report-'));
  try {
    const report = join(folder, 'report.json');
    return read(report, await start(report));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string[]} args */
function runUnit(args) {
  const start = (/** @type {string} */ report) =>
    run(process.execPath, [
      packageFile('vitest', 'vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ]);
  return withReport(start, vitestTally);
}

/** @param {string} project @param {string[]} args @param {boolean} virtualDisplay */
function runPlaywright(project, args, virtualDisplay) {
  const test = [PLAYWRIGHT, 'test', `--project=${project}`, '--reporter=list,json', ...args];
  const start = (/** @type {string} */ report) => {
    const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    return virtualDisplay
      ? run('xvfb-run', [...SCREEN, process.execPath, ...test], { env })
      : run(process.execPath, test, { env });
  };
  return withReport(start, playwrightTally);
}

/** How many tests a project would run. @param {string} project */
async function countTests(project) {
  const list = [PLAYWRIGHT, 'test', `--project=${project}`, '--reporter=json', '--list'];
  const { skipped } = await withReport(
    (report) =>
      run(process.execPath, list, {
        stdio: 'ignore',
        env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      }),
    playwrightTally,
  );
  return skipped;
}

/** @param {import('./test-runtimes.mjs').Runtime} runtime */
const reasonOf = (runtime) => ('reason' in runtime ? runtime.reason : null);

/**
 * @typedef {object} Suite
 * @property {() => string | null} obstacle why it cannot run here, in plain words
 * @property {() => Promise<number>} count
 * @property {(args: string[]) => Promise<Tally>} run
 */

/** @type {Record<string, Suite>} */
export const suites = {
  unit: { obstacle: () => null, count: async () => 0, run: runUnit },
  app: {
    obstacle: () => reasonOf(testElectron()) ?? missingTestDisplay(),
    count: () => countTests('app'),
    run: (args) => runPlaywright('app', args, needsVirtualDisplay),
  },
  web: {
    obstacle: () => reasonOf(testBrowser()),
    count: () => countTests('web'),
    run: (args) => runPlaywright('web', args, false),
  },
};
