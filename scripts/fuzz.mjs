// `npm run fuzz [-- --times N] [-- --seed N]`: runs the property tests many times. The seed that is printed first
// reproduces a failure.

import { parseArgs } from 'node:util';
import { packageFile, run } from './run.mjs';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (/^\d{1,10}$/.test(value) && Number(value) > 0) continue;
  console.error(`--${name} must be a whole number above 0.`);
  process.exit(2);
}
console.log(`seed ${values.seed}, ${values.times} times the usual number of runs`);
process.exitCode = await run(
  process.execPath,
  [packageFile('vitest', 'vitest.mjs'), 'run', '--testTimeout=0', 'properties'],
  { env: { ...process.env, FUZZ_TIMES: values.times, FUZZ_SEED: values.seed } },
);
