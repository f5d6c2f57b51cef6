// Runs one scenario in a sandbox of its own, up to the first step that does not come out as expected.

import type { ScenarioStep } from '../../control/scenario-schema.ts';
import type { Exchange } from '../../control/schemas.ts';
import type { ReadScenario } from '../../engine/scenario/read-scenario.ts';
import type { Answer } from './answer.ts';
import { createBench, type Bench } from './bench.ts';
import type { Difference } from './compare.ts';
import { differencesOf, keep } from './expectations.ts';
import { redactor } from './redacted.ts';
import { doStep } from './steps.ts';
import { titleOf } from './title.ts';
import { UnmetError } from './variables.ts';

export interface StepResult {
  readonly title: string;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  /** Where the step begins in its file. */
  readonly line: number;
  readonly column: number;
  readonly failure: StepFailure | null;
}

export interface StepFailure {
  /** In one sentence. */
  readonly message: string;
  readonly differences: readonly Difference[];
  /** What was asked and answered, and why; null when nothing was sent. */
  readonly exchange: string | null;
}

export interface ScenarioResult {
  readonly file: string;
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  readonly duration_ms: number;
  readonly steps: readonly StepResult[];
}

/** Of control, or of a step without what it needs: told, and no fault of ours. */
function messageOf(error: unknown): string {
  const expected = error instanceof UnmetError || (error instanceof Error && 'code' in error);
  if (!expected) throw error;
  return error.message;
}

function exchangeText(exchange: Exchange): string {
  const { number, method, path, status, error, why, fault } = exchange;
  const answer = status === 0 ? 'got no answer' : `was answered ${status}`;
  const told = [
    fault === null ? null : `a fault on demand: ${fault.what}`,
    why?.summary,
    why?.detail,
  ]
    .filter((text) => text !== null && text !== undefined)
    .join(' ');
  const head = [`exchange ${number}: ${method} ${path.split('?')[0]} ${answer}`, error]
    .filter((text) => text !== null)
    .join(' ');
  return told === '' ? head : `${head}: ${told}`;
}

function resultOf(step: ScenarioStep, answer: Answer | null, bench: Bench): Difference[] {
  if (answer === null) return [];
  const { expect = {}, save = {} } = step;
  const missing = keep(save, answer, bench.variables);
  return [...differencesOf(expect, answer, bench.variables), ...missing];
}

const counted = (count: number) =>
  count === 1 ? '1 value is not as expected' : `${count} values are not as expected`;

/** null when it came out as expected, every time. */
async function failureOf(step: ScenarioStep, bench: Bench): Promise<StepFailure | null> {
  const { repeat = 1 } = step;
  for (let time = 1; time <= repeat; time += 1) {
    try {
      const answer = await doStep(step, bench);
      const differences = resultOf(step, answer, bench);
      if (differences.length === 0) continue;
      const which = repeat === 1 ? '' : ` at time ${time} of ${repeat}`;
      const exchange = answer?.exchange ? exchangeText(answer.exchange) : null;
      return { message: `${counted(differences.length)}${which}`, differences, exchange };
    } catch (error) {
      return { message: messageOf(error), differences: [], exchange: null };
    }
  }
  return null;
}

function redacted({ message, differences, exchange }: StepFailure, hide: (text: string) => string) {
  return {
    message: hide(message),
    differences: differences.map(({ what, expected, got }) => ({
      what,
      expected: hide(expected),
      got: hide(got),
    })),
    exchange: exchange === null ? null : hide(exchange),
  };
}

const place = (read: ReadScenario, index: number) => ({
  title: titleOf(read.scenario.steps[index] ?? {}),
  ...read.placeOfStep(index),
});

async function runSteps(read: ReadScenario, bench: Bench): Promise<StepResult[]> {
  const secrets = read.workspace.clients.flatMap(({ client_secret }) => client_secret ?? []);
  const hide = redactor(bench.variables, secrets);
  const results: StepResult[] = [];
  let failed = false;
  for (const [index, step] of read.scenario.steps.entries()) {
    const { title, ...where } = place(read, index);
    const at = { title: hide(title), ...where };
    const failure = failed ? null : await failureOf(step, bench);
    if (failure !== null) {
      results.push({ ...at, verdict: 'failed', failure: redacted(failure, hide) });
      failed = true;
    } else results.push({ ...at, verdict: failed ? 'skipped' : 'passed', failure: null });
  }
  return results;
}

export async function runScenario(
  file: string,
  read: ReadScenario,
  version: string,
): Promise<ScenarioResult> {
  const begun = performance.now();
  const bench = await createBench(read, version);
  try {
    const steps = await runSteps(read, bench);
    return {
      file,
      name: read.scenario.name,
      verdict: steps.some(({ verdict }) => verdict === 'failed') ? 'failed' : 'passed',
      duration_ms: Math.round(performance.now() - begun),
      steps,
    };
  } finally {
    await bench.close();
  }
}

/** One that was not run, as an earlier one had failed. */
export const skippedScenario = (file: string, read: ReadScenario): ScenarioResult => ({
  file,
  name: read.scenario.name,
  verdict: 'skipped',
  duration_ms: 0,
  steps: read.scenario.steps.map((_, index) => ({
    ...place(read, index),
    verdict: 'skipped',
    failure: null,
  })),
});
