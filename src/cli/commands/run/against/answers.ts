// The last answer to each step of a run, as it was received.

import type { HttpAnswer, ScenarioSandbox } from '../../../../scenario/runner/sandbox.ts';

/** The same sandbox, with its answers noted by the place of the step. */
export function withAnswers(sandbox: ScenarioSandbox, answers: Map<number, HttpAnswer>) {
  let step = 0;
  const noting: ScenarioSandbox = {
    ...sandbox,
    onStep: (index) => {
      step = index;
      sandbox.onStep?.(index);
    },
    send: async (request) => {
      const answer = await sandbox.send(request);
      answers.set(step, answer);
      return answer;
    },
  };
  return noting;
}
