import { buildIfStale } from './build-if-stale.mjs';
import { suites } from './suites.mjs';
import { sum, tallyOf } from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

/** @param {string} name @param {string[]} args @returns {Promise<Tally>} */
async function runSuite(name, args) {
  const suite = suites[name];
  if (suite === undefined) throw new Error(`There is no suite ${name}.`);
  const obstacle = suite.obstacle();
  console.log(`\n== ${name} tests`);
  if (obstacle === null) return suite.run(args);
  const count = Math.max(1, await suite.count());
  // Where tests are meant to be complete, an absent runtime must not look like success.
  const failed = process.env['CI'] === 'true' && !suite.isOptional ? count : 0;
  console.log(`${failed > 0 ? 'Failed' : 'Skipped'}: ${obstacle}.`);
  const failures = failed > 0 ? [`${name} tests: ${obstacle}`] : [];
  return tallyOf({ failed, skipped: count - failed, failures });
}

/**
 * Builds, then runs the suites one after the other.
 *
 * @param {string[]} names
 * @param {string[]} [args] passed on to the runner
 * @returns {Promise<Tally>}
 */
export async function runSuites(names, args = []) {
  if (!buildIfStale()) return tallyOf({ failed: 1, failures: ['the build'] });
  const tallies = [];
  for (const name of names) tallies.push(await runSuite(name, args));
  return sum(tallies);
}
