// `npm test [-- unit|programs|growth|clients|app|web|package [runner's arguments]]`. The last line has the totals of
// all runners.

import { runSuites, suites, USUAL_LANES } from './suites.mjs';
import { tallyText } from './tally.mjs';

const [name, ...args] = process.argv.slice(2);
if (name !== undefined && !(name in suites)) {
  console.error(`There is no suite ${name}: choose one of ${Object.keys(suites).join(', ')}.`);
  process.exit(2);
}
const tally = await runSuites(name === undefined ? USUAL_LANES : [[name]], args);
console.log(tallyText(tally));
process.exitCode = tally.failed > 0 ? 1 : 0;
