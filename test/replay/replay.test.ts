// Replays the corpus: the responses, control views and stored documents of every session must equal the recording.
// REPLAY_PROSE=1 also compares prose.

import { describe, expect, test } from 'vitest';
import { outcomeDifferences } from './compare.ts';
import { readSession, sessionNames, stepsOf } from './corpus-files.ts';
import { record, type RecordOptions } from './record.ts';
import { runSession } from './run-session.ts';

const { REPLAY_RECORD, REPLAY_PROSE } = process.env;
const names = await sessionNames();

/** Differs from the seed of the recording, because no result may depend on it. */
const SEED = 3;

async function replay(name: string): Promise<string[]> {
  const recorded = await readSession(name);
  const outcomes = await runSession(stepsOf(recorded), { seed: SEED });
  return recorded.steps.flatMap((step, index) =>
    outcomeDifferences(step.outcome, outcomes[index] ?? {}, REPLAY_PROSE === '1').map(
      (line) => `step ${index + 1} "${step.name}": ${line}`,
    ),
  );
}

if (REPLAY_RECORD === undefined) {
  describe('the replay equals the recording of', () => {
    test.each(names)('%s', async (name) => {
      expect(await replay(name)).toEqual([]);
    });
  });
} else {
  test('records the corpus', async () => {
    // oxlint-disable-next-line no-console -- the command prints what it wrote
    console.log(await record(JSON.parse(REPLAY_RECORD) as RecordOptions));
  });
}
