// `npm run check`: everything that must hold before a change is handed in. It does not stop at the first
// failure; a failed static check counts as one more failure in the last line.

import { npm, runQuietly } from './run.mjs';
import { runSuites } from './run-suites.mjs';
import { suites } from './suites.mjs';
import { tallyLine } from './tally.mjs';

/** @param {string} check @returns {Promise<string | null>} its name, if it failed */
async function failing(check) {
  const { command, args, shell } = npm(['run', check]);
  const { code, output } = await runQuietly(command, args, { shell });
  console.log(`\n== ${check}\n${output.trim()}`);
  return code === 0 ? null : check;
}

/** One after the other. @param {string[]} checks */
async function lane(checks) {
  const failed = [];
  for (const check of checks) failed.push(await failing(check));
  return failed;
}

// Side by side, as linting takes as long as all others.
const lanes = await Promise.all([lane(['lint']), lane(['typecheck', 'format', 'clauses'])]);
const failed = lanes.flat().filter((check) => check !== null);
const tally = await runSuites(Object.keys(suites));
if (failed.length > 0) console.log(`\nFailed checks besides tests: ${failed.join(', ')}.`);
const total = { ...tally, failed: tally.failed + failed.length };
console.log(`\n${tallyLine(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;
