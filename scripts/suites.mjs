// The test suites, each with its runner and the reason why it cannot run here, and their concurrent lanes.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale } from './build.mjs';
import { isDebianLike } from './debian.mjs';
import { hasPinnedPackages } from './pinned-packages.mjs';
import { isOnPath, packageFile, ROOT, run, runQuietly } from './run.mjs';
import { playwrightTally, sum, tallyOf, vitestTally } from './tally.mjs';
import {
  missingTestDisplay,
  needsVirtualDisplay,
  testBrowser,
  testElectron,
} from './test-runtimes.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

/** The folder in which the client libraries are pinned. */
export const CLIENTS = join(ROOT, 'test', 'clients');

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
 * @property {() => string | null} obstacle why the suite cannot run here, or null
 * @property {() => Promise<number>} count
 * @property {(args: string[], launch: typeof run) => Promise<Tally>} run
 * @property {boolean} [isOptional] whether it may be skipped where all tests must run
 */

/** @param {string[]} projects as vitest.config.ts names them @param {Suite['obstacle']} obstacle @returns {Suite} */
const ofVitest = (projects, obstacle = () => null) => ({
  obstacle,
  count: async () => 0,
  run: (args, launch) =>
    withReport(
      (report) =>
        launch(process.execPath, [
          packageFile('vitest', 'vitest.mjs'),
          'run',
          ...projects.map((project) => `--project=${project}`),
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${report}`,
          ...args,
        ]),
      vitestTally,
    ),
});

/**
 * @param {string} project as playwright.config.ts names it
 * @param {Suite['obstacle']} obstacle
 * @param {string[]} wrapper a command that runs the one after it
 * @returns {Suite}
 */
function ofPlaywright(project, obstacle, wrapper = []) {
  const test = [packageFile('@playwright/test', 'cli.js'), 'test', `--project=${project}`];
  /** @param {string[]} before @param {string[]} args @param {typeof run} launch */
  const start = (before, args, launch) =>
    withReport((report) => {
      const program = [...before, process.execPath, ...test, '--reporter=list,json', ...args];
      const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
      return launch(/** @type {string} */ (program[0]), program.slice(1), { env });
    }, playwrightTally);
  return {
    obstacle,
    count: async () => {
      const listed = await start([], ['--list'], (command, args, options) =>
        run(command, args, { ...options, stdio: 'ignore' }),
      );
      return listed.skipped;
    },
    run: (args, launch) => start(wrapper, args, launch),
  };
}

/** @type {Record<string, Suite>} */
export const suites = {
  unit: ofVitest(['unit', 'page']),
  programs: ofVitest(['programs']),
  growth: ofVitest(['growth']),
  clients: ofVitest(['clients'], () =>
    hasPinnedPackages(CLIENTS)
      ? null
      : 'the packages of test/clients are not installed; `npm run setup:test` sees to it',
  ),
  app: ofPlaywright(
    'app',
    () => reasonOf(testElectron()) ?? missingTestDisplay(),
    needsVirtualDisplay ? ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24'] : [],
  ),
  package: { ...ofPlaywright('package', packageObstacle), isOptional: true },
  web: ofPlaywright('web', () => reasonOf(testBrowser())),
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

/** @param {string} name @param {string[]} args @param {boolean} isLive @returns {Promise<Tally>} */
async function runSuite(name, args, isLive) {
  const suite = suites[name];
  if (suite === undefined) throw new Error(`There is no suite ${name}.`);
  const heading = `\n== ${name} tests`;
  const obstacle = suite.obstacle();
  if (obstacle === null) {
    if (isLive) console.log(heading);
    return suite.run(
      args,
      isLive
        ? run
        : async (...command) => {
            const { code, output } = await runQuietly(...command);
            console.log(`${heading}\n${output}`);
            return code;
          },
    );
  }
  const count = Math.max(1, await suite.count());
  // Where all tests must run, a missing runtime must not look like success.
  const failed = process.env['CI'] === 'true' && !suite.isOptional ? count : 0;
  console.log(`${heading}\n${failed > 0 ? 'Failed' : 'Skipped'}: ${obstacle}.`);
  const failures = failed > 0 ? [`${name} tests: ${obstacle}`] : [];
  return tallyOf({ failed, skipped: count - failed, failures });
}

/**
 * Builds, then runs the lanes concurrently, and the suites of each lane one after the other. The output of the first
 * lane is shown live, that of any other suite when it has ended.
 *
 * @param {string[][]} lanes names of suites
 * @param {string[]} [args] passed on to the runner
 * @returns {Promise<Tally>}
 */
export async function runSuites(lanes, args = []) {
  if (!(await buildIfStale())) return tallyOf({ failed: 1, failures: ['the build'] });
  const tallies = await Promise.all(
    lanes.map(async (names, lane) => {
      const found = [];
      for (const name of names) found.push(await runSuite(name, args, lane === 0));
      return sum(found);
    }),
  );
  return sum(tallies);
}
