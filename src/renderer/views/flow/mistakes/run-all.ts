// Sends the deliberate mistakes of a step one after the other.

import { problemOf } from '../../../connection/control.ts';
import { withoutCredentials } from '../flow-state.ts';
import { changeFlow, flow } from '../flow-store.ts';
import { alone } from '../run.ts';
import type { BreakableStep } from './by-step.ts';
import {
  startingRun,
  withEnd,
  withResult,
  type MistakeResult,
  type MistakeRun,
} from './mistake-run.ts';
import type { Mistake } from './mistake.ts';
import { makeMistake, materialOf } from './run.ts';
import type { Verdict } from './verdict.ts';

/** So many mistakes with one credential can be throttled: then the mistake is made with another one. */
async function makeUnthrottled(step: BreakableStep, mistake: Mistake): Promise<Verdict | null> {
  const verdict = await makeMistake(step, mistake);
  if (verdict === null || verdict.came || verdict.got.status !== 429) return verdict;
  changeFlow(withoutCredentials);
  return makeMistake(step, mistake);
}

async function resultOf(step: BreakableStep, mistake: Mistake): Promise<MistakeResult> {
  const { id, title } = mistake;
  const untried = (reason: string) => ({ id, title, verdict: null, reason });
  const blocked = mistake.blocked?.(materialOf(step)) ?? null;
  if (blocked !== null) return untried(blocked);
  const verdict = await makeUnthrottled(step, mistake);
  if (verdict === null) return untried('What it needs could not be had: see the steps before');
  return { id, title, verdict, event: flow.getState().events.at(-1)?.id ?? 0 };
}

function changeRun(how: (run: MistakeRun) => MistakeRun): void {
  changeFlow((state) =>
    state.mistake_run === null ? state : { ...state, mistake_run: how(state.mistake_run) },
  );
}

/** One after the other, each with its result in the table; what cannot be tried says why. */
export const runMistakes = (step: BreakableStep, mistakes: readonly Mistake[]): Promise<void> =>
  alone(step, async () => {
    changeFlow((state) => ({ ...state, mistake_run: startingRun(step, mistakes.length) }));
    for (const mistake of mistakes) {
      if (flow.getState().mistake_run?.state !== 'running') break;
      const result = await resultOf(step, mistake).catch((error: unknown) => ({
        id: mistake.id,
        title: mistake.title,
        verdict: null,
        reason: problemOf(error).message,
      }));
      changeRun((run) => withResult(run, result));
    }
    changeRun(withEnd);
  });

export const stopMistakes = (): void => changeRun((run) => ({ ...run, state: 'stopping' }));

export const showMistakes = (shown: boolean): void => changeRun((run) => ({ ...run, shown }));
