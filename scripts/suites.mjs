// The test suites, each with its runner and the reason why it cannot run here.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDebianLike } from './debian.mjs';
import { hasPinnedPackages } from './pinned-packages.mjs';
import { isOnPath, packageFile, ROOT, run } from './run.mjs';
import { playwrightTally, vitestTally } from './tally.mjs';
import {
  missingTestDisplay,
  needsVirtualDisplay,
  testBrowser,
  testElectron,
} from './test-runtimes.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

const PLAYWRIGHT = packageFile('@playwright/test', 'cli.js');
/** The folder in which the client libraries are pinned. */
export const CLIENTS = join(ROOT, 'test', 'clients');
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

/** @param {string[]} projects as vitest.config.ts names them @param {string[]} args @param {typeof run} launch */
function runVitest(projects, args, launch) {
  const start = (/** @type {string} */ report) =>
    launch(process.execPath, [
      packageFile('vitest', 'vitest.mjs'),
      'run',
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ]);
  return withReport(start, vitestTally);
}

/** @param {string} project @param {string[]} args @param {typeof run} launch @param {boolean} virtualDisplay */
function runPlaywright(project, args, launch, virtualDisplay = false) {
  const test = [PLAYWRIGHT, 'test', `--project=${project}`, '--reporter=list,json', ...args];
  const start = (/** @type {string} */ report) => {
    const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    return virtualDisplay
      ? launch('xvfb-run', [...SCREEN, process.execPath, ...test], { env })
      : launch(process.execPath, test, { env });
  };
  return withReport(start, playwrightTally);
}

/** Returns the number of tests in a project. @param {string} project */
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

/** @returns {string | null} why packages cannot be installed here, or null */
function packageObstacle() {
  if (!isDebianLike || process.arch !== 'x64' || !isOnPath('apt-get'))
    return 'a .deb can be installed on Debian and its kin on x64 only';
  if (process.getuid?.() !== 0) return 'only root can install a package';
  if (existsSync('/usr/lib/grantbench'))
    return 'a package of grantbench is installed here, and would be replaced';
  return isOnPath('Xvfb') ? null : 'there is no Xvfb; `npm run setup:test` sees to it';
}

/**
 * @typedef {object} Suite
 * @property {boolean} [isOptional] whether it may be skipped where all tests must run
 * @property {() => string | null} obstacle why the suite cannot run here, or null
 * @property {() => Promise<number>} count
 * @property {(args: string[], launch: typeof run) => Promise<Tally>} run
 */

/** @param {string[]} projects @returns {Suite} */
const ofVitest = (projects) => ({
  obstacle: () => null,
  count: async () => 0,
  run: (args, launch) => runVitest(projects, args, launch),
});

/** @type {Record<string, Suite>} */
export const suites = {
  unit: ofVitest(['unit', 'page']),
  programs: ofVitest(['programs']),
  growth: ofVitest(['growth']),
  clients: {
    ...ofVitest(['clients']),
    obstacle: () =>
      hasPinnedPackages(CLIENTS)
        ? null
        : 'the packages of test/clients are not installed; `npm run setup:test` sees to it',
  },
  app: {
    obstacle: () => reasonOf(testElectron()) ?? missingTestDisplay(),
    count: () => countTests('app'),
    run: (args, launch) => runPlaywright('app', args, launch, needsVirtualDisplay),
  },
  package: {
    isOptional: true,
    obstacle: packageObstacle,
    count: () => countTests('package'),
    run: (args, launch) => runPlaywright('package', args, launch),
  },
  web: {
    obstacle: () => reasonOf(testBrowser()),
    count: () => countTests('web'),
    run: (args, launch) => runPlaywright('web', args, launch),
  },
};

/**
 * The suites of `npm test`, in two concurrent lanes. Each begins with the suite that leaves a processor idle at times and
 * ends with one that does not. Only `npm run check` measures growth, and runs client libraries of other languages, which are
 * large to install.
 */
export const USUAL_LANES = [
  ['app', 'web'],
  ['programs', 'unit'],
];
