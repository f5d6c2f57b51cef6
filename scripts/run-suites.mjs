import { buildIfStale } from './build-if-stale.mjs';
import { suites } from './suites.mjs';
import { sum } from './tally.mjs';

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
  const failed = process.env['CI'] === 'true' ? count : 0;
  console.log(`${failed > 0 ? 'Failed' : 'Skipped'}: ${obstacle}.`);
  return { passed: 0, failed, skipped: count - failed };
}

/**
 * Builds, then runs the suites one after the other.
 *
 * @param {string[]} names
 * @param {string[]} [args] passed on to the runner
 * @returns {Promise<Tally>}
 */
export async function runSuites(names, args = []) {
  if (!buildIfStale()) return { passed: 0, failed: 1, skipped: 0 };
  const tallies = [];
  for (const name of names) tallies.push(await runSuite(name, args));
  return sum(tallies);
}
