// `npm run check`: everything that must hold before a change is handed in. It does not stop at the first
// failure; a failed static check counts as one more failure in the last line.

import { npm, run } from './run.mjs';
import { runSuites } from './run-suites.mjs';
import { suites } from './suites.mjs';
import { tallyLine } from './tally.mjs';

const failed = [];
for (const check of ['typecheck', 'format', 'lint', 'clauses']) {
  const { command, args, shell } = npm(['run', check]);
  if ((await run(command, args, { shell })) !== 0) failed.push(check);
}
const tally = await runSuites(Object.keys(suites));
if (failed.length > 0) console.log(`\nFailed checks besides tests: ${failed.join(', ')}.`);
const total = { ...tally, failed: tally.failed + failed.length };
console.log(`\n${tallyLine(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;
