// The corpus replayed: every session does again what was recorded, and every answer, control view and
// stored document must be told the same. REPLAY_PROSE=1 compares prose as well.

import { describe, expect, test } from 'vitest';
import { outcomeDifferences } from './compare.ts';
import { readSession, sessionNames } from './corpus-files.ts';
import { record, type RecordOptions } from './record.ts';
import { runSession } from './run-session.ts';

const { REPLAY_RECORD, REPLAY_PROSE } = process.env;
const names = await sessionNames();

/** Differs from the one that sessions are recorded with: nothing may depend on it. */
const SEED = 3;

async function replay(name: string): Promise<string[]> {
  const { title, sandbox, steps: recorded } = await readSession(name);
  const steps = recorded.map(({ outcome: _, ...step }) => step);
  const outcomes = await runSession({ title, sandbox, steps }, { seed: SEED });
  return recorded.flatMap((step, index) =>
    outcomeDifferences(step.outcome, outcomes[index] ?? {}, REPLAY_PROSE === '1').map(
      (line) => `step ${index + 1} "${step.name}": ${line}`,
    ),
  );
}

if (REPLAY_RECORD === undefined) {
  describe('what was recorded is told again by', () => {
    test.each(names)('%s', async (name) => {
      expect(await replay(name)).toEqual([]);
    });
  });
} else {
  test('the corpus is recorded anew', async () => {
    // eslint-disable-next-line no-console -- the command says what it wrote
    console.log(await record(JSON.parse(REPLAY_RECORD) as RecordOptions));
  });
}
