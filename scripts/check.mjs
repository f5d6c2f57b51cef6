// `npm run check`: everything that must hold before a change is handed in. It does not stop at the first
// failure; a failed static check counts as one more failure in the last line.

import { join } from 'node:path';
import { npm, ROOT, run, runQuietly } from './run.mjs';
import { runSuites } from './run-suites.mjs';
import { sum, tallyLine } from './tally.mjs';

const ABUSE_MINUTES = '2';

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

/** Attacks on the built command line: one check. @returns {Promise<import('./tally.mjs').Tally>} */
async function abuse() {
  console.log('\n== abuse');
  const program = join(ROOT, 'test', 'abuse', 'main.mjs');
  const failed = await run(process.execPath, [program, '--minutes', ABUSE_MINUTES]);
  return { passed: failed === 0 ? 1 : 0, failed: failed === 0 ? 0 : 1, skipped: 0 };
}

// Side by side, as linting takes as long as all others.
const lanes = await Promise.all([lane(['lint']), lane(['typecheck', 'format', 'clauses'])]);
const failed = lanes.flat().filter((check) => check !== null);
const unit = await runSuites(['unit']);
const attacked = await abuse();
const tally = sum([unit, attacked, await runSuites(['app', 'web'])]);
if (failed.length > 0) console.log(`\nFailed checks besides tests: ${failed.join(', ')}.`);
const total = { ...tally, failed: tally.failed + failed.length };
console.log(`\n${tallyLine(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;
