// `npm run check`: all checks before a change is submitted. It does not stop at the first failure; a failed static
// check adds one failure to the last line.

import { join } from 'node:path';
import { npm, ROOT, runQuietly } from './run.mjs';
import { runSuites } from './suites.mjs';
import { failure, sum, tallyOf, tallyText } from './tally.mjs';

const ABUSE = ['--minutes', '2'];

/** @param {string} check @returns {Promise<import('./tally.mjs').Tally>} counts only a failure */
async function staticCheck(check) {
  const { command, args, shell } = npm(['run', check]);
  const { code, output } = await runQuietly(command, args, { shell });
  console.log(`\n== ${check}\n${output.trim()}`);
  return code === 0 ? tallyOf({}) : tallyOf({ failed: 1, failures: [`npm run ${check}`] });
}

/** Runs checks one after the other. @param {string[]} checks */
async function lane(checks) {
  const tallies = [];
  for (const check of checks) tallies.push(await staticCheck(check));
  return sum(tallies);
}

/** Runs the attacks on the built command line as one check. @returns {Promise<import('./tally.mjs').Tally>} */
async function abuse() {
  console.log('\n== abuse');
  const program = join(ROOT, 'test', 'abuse', 'main.mjs');
  const { code, output } = await runQuietly(process.execPath, [program, ...ABUSE]);
  console.log(output.trim());
  if (code === 0) return tallyOf({ passed: 1 });
  const found = output.indexOf('\nFOUND');
  return tallyOf({ failed: 1, failures: [failure('npm run abuse', output.slice(found + 1))] });
}

// Concurrently, because linting takes as long as all others.
const checked = await Promise.all([lane(['lint']), lane(['typecheck', 'format', 'clauses'])]);
const tested = await runSuites([
  ['app', 'clients', 'web'],
  ['programs', 'unit', 'growth'],
]);
// Not beside the suites: to starved attacks, a slow server looks like one that hangs.
const last = await Promise.all([abuse(), runSuites([['package']])]);
const tally = sum([...checked, tested, ...last]);
console.log(tallyText(tally));
process.exitCode = tally.failed > 0 ? 1 : 0;
