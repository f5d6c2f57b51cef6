// What a provider answered, as the result of a scenario: held against what the scenario expects, or against the answers
// of a sandbox. In the second, what is expected is what the sandbox answered.

import type { Difference } from '../comparison/values.ts';
import type { ParsedScenario } from '../reader/parse.ts';
import type { ComparedValue, ScenarioResult, StepFailure, StepResult } from '../runner/run.ts';
import type { HttpAnswer } from '../runner/sandbox.ts';
import { titleOf } from '../actions/index.ts';
import type { Plan } from './plan.ts';
import { profileOf, type Profile } from './profile.ts';

/** One run of the steps that were sent, with the last answer to each of them. */
interface AnsweredRun {
  readonly result: ScenarioResult;
  readonly answers: ReadonlyMap<number, HttpAnswer>;
}

type Hide = (text: string) => string;

interface BothRuns {
  readonly sandbox: AnsweredRun;
  readonly provider: AnsweredRun;
  /** Redacts the secrets of the run, which a provider may repeat in its answers. */
  readonly hide: Hide;
  /** The same in names of members, which may look like a token when they are long. */
  readonly hideInName: Hide;
}

const NOTHING = 'nothing';

/** Each entry that one of them has. */
export function valuesOf(sandbox: Profile, provider: Profile): ComparedValue[] {
  const all = [...sandbox.keys(), ...[...provider.keys()].filter((what) => !sandbox.has(what))];
  return all.map((what) => ({
    what,
    sandbox: sandbox.get(what) ?? null,
    provider: provider.get(what) ?? null,
  }));
}

/** One for each entry that only one of them has, or that they describe differently. */
export const differencesIn = (values: readonly ComparedValue[]): Difference[] =>
  values
    .filter(({ sandbox, provider }) => sandbox !== provider)
    .map(({ what, sandbox, provider }) => ({
      what,
      expected: sandbox ?? NOTHING,
      got: provider ?? NOTHING,
    }));

const differ = (count: number) =>
  count === 1 ? "1 value differs from the sandbox's" : `${count} values differ from the sandbox's`;

const redirects = ({ headers }: HttpAnswer) => headers['location'] !== undefined;

/** Empty where one of them has not answered. */
function compared(at: number, isSignIn: boolean, runs: BothRuns): ComparedValue[] {
  const [ours, theirs] = [runs.sandbox.answers.get(at), runs.provider.answers.get(at)];
  if (ours === undefined || theirs === undefined) return [];
  const redirectOnly = isSignIn && redirects(ours) && redirects(theirs);
  const values = valuesOf(profileOf(ours, redirectOnly), profileOf(theirs, redirectOnly));
  return values.map(({ what, sandbox, provider }) => ({
    what: runs.hideInName(what),
    sandbox,
    provider: provider === null ? null : runs.hide(provider),
  }));
}

function differing(values: readonly ComparedValue[]): StepFailure | null {
  const differences = differencesIn(values);
  if (differences.length === 0) return null;
  return { message: differ(differences.length), differences, exchange: null };
}

/** A step that one of them could not be asked at all, in its words. */
function endOf(at: number, { sandbox, provider }: BothRuns): StepFailure | null {
  const there = provider.result.steps[at]?.failure ?? null;
  if (there !== null) return { ...there, message: `At the provider: ${there.message}` };
  const here = sandbox.result.steps[at]?.failure ?? null;
  return here === null ? null : { ...here, message: `In the sandbox: ${here.message}` };
}

function comparedStep(at: number, isSignIn: boolean, runs: BothRuns): StepResult | undefined {
  const [ours, theirs] = [runs.sandbox.result.steps[at], runs.provider.result.steps[at]];
  const unsent = [theirs, ours].find((step) => step?.verdict === 'skipped');
  if (ours === undefined || unsent !== undefined) return unsent;
  const values = compared(at, isSignIn, runs);
  // Differences first: they say why an answer had no value to go on with.
  const failure = differing(values) ?? endOf(at, runs);
  return { ...ours, verdict: failure === null ? 'passed' : 'failed', failure, compared: values };
}

/** A failure in which no secret of the scenario is shown, whatever of it was expected. */
const withoutSecrets = (failure: StepFailure, hide: Hide): StepFailure => ({
  ...failure,
  message: hide(failure.message),
  differences: failure.differences.map(({ what, expected, got }) => ({
    what,
    expected: hide(expected),
    got: hide(got),
  })),
});

function hiddenStep(step: StepResult | undefined, hide: Hide): StepResult | undefined {
  if (step === undefined) return undefined;
  const { title, failure } = step;
  const hidden = failure === null ? null : withoutSecrets(failure, hide);
  return { ...step, title: hide(title), failure: hidden };
}

/** All steps of the scenario: those that were sent, in their order, and between them those that were not. */
function withSkipped(
  parsed: ParsedScenario,
  plan: Plan,
  hide: Hide,
  resultAt: (at: number, index: number) => StepResult | undefined,
): readonly StepResult[] {
  return parsed.scenario.steps.map((step, index) => {
    const sent = resultAt(plan.sent.indexOf(index), index);
    if (sent !== undefined) return sent;
    const why_skipped = plan.skipped.get(index) ?? '';
    const at = { title: hide(titleOf(step)), ...parsed.placeOfStep(index) };
    return { ...at, verdict: 'skipped', failure: null, why_skipped };
  });
}

/** Failed where a step has, and where none was sent. */
const verdictOf = (steps: readonly StepResult[], { sent }: Plan) =>
  sent.length > 0 && steps.every(({ verdict }) => verdict !== 'failed') ? 'passed' : 'failed';

/**
 * @param provider the run of the steps that were sent, as they are expected
 * @param hide redacts the secrets of the scenario
 */
export function expectedResult(
  parsed: ParsedScenario,
  plan: Plan,
  provider: ScenarioResult,
  hide: Hide,
): ScenarioResult {
  const steps = withSkipped(parsed, plan, hide, (at) => hiddenStep(provider.steps[at], hide));
  return { ...provider, verdict: verdictOf(steps, plan), steps };
}

/** @param hide redacts the secrets of the scenario in the titles of steps that were not sent */
export function comparisonResult(
  parsed: ParsedScenario,
  plan: Plan,
  runs: BothRuns,
  hide: Hide,
): ScenarioResult {
  const steps = withSkipped(parsed, plan, hide, (at, index) =>
    comparedStep(at, parsed.scenario.steps[index]?.authorize !== undefined, runs),
  );
  const { provider, sandbox } = runs;
  return {
    ...provider.result,
    verdict: verdictOf(steps, plan),
    duration_ms: sandbox.result.duration_ms + provider.result.duration_ms,
    steps,
  };
}
