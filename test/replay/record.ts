// Records the corpus: runs every session twice with different random numbers, and writes the files only if both
// results are equal.

import { outcomeDifferences } from './compare.ts';
import { readSession, sessionNames, stepsOf, writeSessions } from './corpus-files.ts';
import type { RecordedSession, Session } from './document.ts';
import { runSession } from './run-session.ts';

async function recordOne(session: Session, leave: boolean): Promise<RecordedSession> {
  const outcomes = await runSession(session, { seed: 1, leave });
  const again = await runSession(session, { seed: 2 });
  const steps = session.steps.map((step, index) => {
    const outcome = JSON.parse(JSON.stringify(outcomes[index] ?? {})) as (typeof outcomes)[number];
    const differing = outcomeDifferences(outcome, again[index] ?? {}, true);
    if (differing.length > 0) {
      const place = `${session.title}, step "${step.name}"`;
      throw new Error(`${place} tells something else each time:\n  ${differing.join('\n  ')}`);
    }
    return { ...step, outcome };
  });
  return { ...session, steps };
}

export interface RecordOptions {
  /** Also writes the documents of sessions, which otherwise stay those of an earlier build. */
  readonly documents: boolean;
  /** Records only sessions whose name contains this text. */
  readonly only: string;
}

/** @throws Error naming every session that could not be recorded, without writing any file */
export async function record({ documents, only }: RecordOptions): Promise<string> {
  const recorded = new Map<string, RecordedSession>();
  const problems: string[] = [];
  for (const name of await sessionNames()) {
    const session = await readSession(name);
    try {
      recorded.set(
        name,
        name.includes(only) ? await recordOne(stepsOf(session), documents) : session,
      );
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await writeSessions(recorded);
  const steps = [...recorded.values()].flatMap((session) => session.steps);
  const exchanges = steps.flatMap(({ outcome }) => outcome.exchanges ?? []).length;
  const calls = steps.filter((step) => 'control' in step).length;
  return `${recorded.size} sessions, ${exchanges} exchanges, ${calls} control requests`;
}
