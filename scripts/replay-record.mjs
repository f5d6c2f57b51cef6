// `npm run replay:record [-- --only NAME] [-- --documents]`: records test/replay/corpus again, from the current
// sources. Read the diff before you commit it: it shows what changes for clients.

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
