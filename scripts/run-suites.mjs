import { buildIfStale } from './build.mjs';
import { run, runQuietly } from './run.mjs';
import { suites } from './suites.mjs';
import { sum, tallyOf } from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

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
