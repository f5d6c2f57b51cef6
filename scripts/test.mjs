// `npm test [-- unit|app|web [runner's arguments]]`. The last line counts over all runners.

import { runSuites } from './run-suites.mjs';
import { suites } from './suites.mjs';
import { tallyLine } from './tally.mjs';

const [name, ...args] = process.argv.slice(2);
if (name !== undefined && !(name in suites)) {
  console.error(`There is no suite ${name}: choose one of ${Object.keys(suites).join(', ')}.`);
  process.exit(2);
}
const tally = await runSuites(name === undefined ? Object.keys(suites) : [name], args);
console.log(`\n${tallyLine(tally)}`);
process.exitCode = tally.failed > 0 ? 1 : 0;
