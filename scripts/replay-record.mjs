// `npm run replay:record [-- --only NAME] [-- --documents]`: records test/replay/corpus anew, from the build
// as it is now. Read the difference before it is committed: it is what changes for the outside.

import { parseArgs } from 'node:util';
import { packageFile, run } from './run.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    documents: { type: 'boolean', default: false },
  },
});
process.exitCode = await run(
  process.execPath,
  [packageFile('vitest', 'vitest.mjs'), 'run', '--testTimeout=0', 'test/replay/replay.test.ts'],
  { env: { ...process.env, REPLAY_RECORD: JSON.stringify(values) } },
);
