// Runs one scenario in the given sandbox (scenario-sandbox.ts), up to the first step whose response is not as expected. Each step
// is a request or a control operation; values of earlier responses are variables of later steps, and secrets are
// redacted in all results.

import { membersOf } from '../../json.ts';
import type { Exchange } from '../../control/schemas.ts';
import { type Difference, differencesOf, saveValues } from '../comparison.ts';
import type { ParsedScenario } from '../parse.ts';
import type { ScenarioStep } from '../schema.ts';
import type { Answer } from '../actions/answer.ts';
import { createRun } from './create-run.ts';
import { repeatStep, type RepeatOptions, type Tally } from './repeat.ts';
import type { ScenarioSandbox } from './scenario-sandbox.ts';
import { titleOf } from '../actions/index.ts';
import type { Run } from '../actions/action.ts';
import { MissingValueError, type Variables } from '../actions/variables.ts';
import { causeEntry } from '../../control/names.ts';
import { createKnownValues } from '../../redact/known-values.ts';
import { createRedactor } from '../../redact/redactor.ts';

/**
 * Redacts the secrets of a run in its results: replaces known secrets with their names, and hides other text that
 * looks like a code or token. Steps add secrets while they run.
 */
export function createRunRedactor(
  { secrets }: Pick<Variables, 'secrets'>,
  { clients, users }: Pick<ScenarioSandbox, 'clients' | 'users'>,
) {
  const known = createKnownValues();
  const { words } = createRedactor({ known, isIssued: () => false });
  const named = new Set<string>();
  for (const { client_secret } of clients) {
    if (client_secret !== null) known.add(client_secret, '[client_secret]');
  }
  for (const { password } of users) {
    if (password !== null) known.add(password, '[password]');
  }
  return (text: string): string => {
    for (const [value, name] of secrets()) {
      if (!named.has(value)) known.add(value, `[${name}]`);
      named.add(value);
    }
    return words(text);
  };
}

export interface StepResult {
  readonly title: string;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  /** The position of the step in its file; absent if no file contains it. */
  readonly line?: number;
  readonly column?: number;
  readonly failure: StepFailure | null;
  /** The reason why the step was skipped. */
  readonly why_skipped?: string;
  /** All compared values of this step, if a provider is compared with a sandbox. */
  readonly compared?: readonly ComparedValue[];
}

/** A value of both responses, without secrets; null if a response does not have it. */
export interface ComparedValue {
  /** The path of the value, such as `body.expires_in`. */
  readonly what: string;
  readonly sandbox: string | null;
  readonly provider: string | null;
}

export interface StepFailure {
  readonly message: string;
  readonly differences: readonly Difference[];
  /** The request, its response and the cause; at a provider, only the response; null if nothing was sent. */
  readonly exchange: string | null;
  /** Where the documentation describes the cause of a rejection; null without a cause. */
  readonly about: string | null;
}

export interface ScenarioResult {
  readonly file: string;
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  /** null if it was not measured. */
  readonly duration_ms: number | null;
  readonly steps: readonly StepResult[];
}

/** Errors of control and missing values are results of a step; others are errors of the runner. */
function messageOf(error: unknown): string {
  const expected =
    error instanceof MissingValueError || (error instanceof Error && 'code' in error);
  if (!expected) throw error;
  return error.message;
}

const responseText = ({ status, error }: Pick<Exchange, 'status' | 'error'>): string =>
  [status === 0 ? 'got no response' : `got ${status}`, error]
    .filter((text) => text !== null)
    .join(' ');

function causeText({ why }: Exchange): string | null {
  if (why === null || why.detail === null) return why?.summary ?? null;
  return `${why.summary.replace(/\.$/, '')}: ${why.detail}`;
}

function exchangeText(exchange: Exchange): string {
  const { number, method, path, fault } = exchange;
  const reasons = [
    fault === null ? null : `injected fault: ${fault.what}`,
    causeText(exchange),
  ].filter((text) => text !== null);
  const head = `exchange ${number}: ${method} ${path.split('?')[0]} ${responseText(exchange)}`;
  return [head, reasons.join(' ')].filter((text) => text !== '').join(': ');
}

/** Describes the response to a failed step; a provider records no exchange. */
function exchangeOf({ exchange, status, error }: Answer): string | null {
  if (exchange !== null) return exchangeText(exchange);
  return status === undefined ? null : responseText({ status, error });
}

function resultOf(step: ScenarioStep, answer: Answer, run: Run): Difference[] {
  const { expect = {}, save = {} } = step;
  const missing = saveValues(save, answer, run.variables);
  return [...differencesOf(expect, answer, run.variables), ...missing];
}

const pluralize = (count: number) =>
  count === 1
    ? '1 value differs from what was expected'
    : `${count} values differ from what was expected`;

interface StepRun {
  /** The last response, or the first unexpected one; null for an action without a response. */
  readonly answer: Answer | null;
  /** null if every response was as expected. */
  readonly failure: StepFailure | null;
}

/** The number of responses with each status, and 0 for an expected one that none has. */
const statusesOf = (
  { outcomes }: Tally<Answer>,
  { expect = {} }: ScenarioStep,
): Record<string, number> => {
  const expected = Object.keys(membersOf(expect.statuses)).filter((name) => /^\d+$/.test(name));
  const counts: Record<string, number> = Object.fromEntries(expected.map((name) => [name, 0]));
  for (const { status, count } of outcomes) counts[status] = (counts[status] ?? 0) + count;
  return counts;
};

async function runStep(
  step: ScenarioStep,
  run: Run,
  options: RepeatOptions = {},
): Promise<StepRun> {
  const { repeat = 1 } = step;
  const failed: StepRun[] = [];
  const failureOf = (answer: Answer, place: number): StepRun | null => {
    const differences = resultOf(step, answer, run);
    if (differences.length === 0) return null;
    const which =
      typeof repeat === 'object' || repeat === 1 ? '' : ` in repetition ${place} of ${repeat}`;
    const exchange = exchangeOf(answer);
    const why = answer.exchange?.why ?? null;
    const about = why === null ? null : `docs/${causeEntry(why.reason)}`;
    const message = `${pluralize(differences.length)}${which}`;
    return { answer, failure: { message, differences, exchange, about } };
  };
  try {
    const { tally, last } = await repeatStep(step, run, {
      ...options,
      onAnswer: (answer, place) => {
        const found = typeof repeat === 'number' ? failureOf(answer, place) : null;
        if (found !== null) failed.push(found);
        return (options.onAnswer?.(answer, place) ?? true) && found === null;
      },
    });
    const [first] = failed;
    if (first !== undefined) return first;
    if (typeof repeat === 'number' || last === null) return { answer: last, failure: null };
    const counted = { ...last, statuses: statusesOf(tally, step) };
    return failureOf(counted, tally.sent) ?? { answer: counted, failure: null };
  } catch (error) {
    return {
      answer: null,
      failure: { message: messageOf(error), differences: [], exchange: null, about: null },
    };
  }
}

export function redacted(failure: StepFailure, hide: (text: string) => string): StepFailure {
  const { message, differences, exchange, about } = failure;
  return {
    message: hide(message),
    differences: differences.map(({ what, expected, got }) => ({
      what,
      expected: hide(expected),
      got: hide(got),
    })),
    exchange: exchange === null ? null : hide(exchange),
    about,
  };
}

const skipped = (why_skipped: string) =>
  ({ verdict: 'skipped', failure: null, why_skipped }) as const;

const placedTitle = (parsed: ParsedScenario, index: number) => ({
  title: titleOf(parsed.scenario.steps[index] ?? {}),
  ...parsed.placeOfStep(index),
});

async function runSteps(
  parsed: ParsedScenario,
  sandbox: ScenarioSandbox,
): Promise<readonly StepResult[]> {
  const run = createRun(sandbox);
  const hide = createRunRedactor(run.variables, sandbox);
  const results: StepResult[] = [];
  let failed = false;
  for (const [index, step] of parsed.scenario.steps.entries()) {
    const { title, ...where } = placedTitle(parsed, index);
    const at = { title: hide(title), ...where };
    if (!failed) sandbox.onStep?.(index);
    const failure = failed ? null : (await runStep(step, run)).failure;
    if (failure !== null) {
      results.push({ ...at, verdict: 'failed', failure: redacted(failure, hide) });
      failed = true;
    } else if (failed) results.push({ ...at, ...skipped('an earlier step failed') });
    else results.push({ ...at, verdict: 'passed', failure: null });
  }
  return results;
}

export const verdictOf = (steps: readonly StepResult[]) =>
  steps.some(({ verdict }) => verdict === 'failed') ? 'failed' : 'passed';

/** @param openSandbox returns the sandbox, which is closed after the scenario */
export async function runScenario(
  file: string,
  parsed: ParsedScenario,
  openSandbox: () => Promise<ScenarioSandbox>,
): Promise<ScenarioResult> {
  const begun = performance.now();
  const sandbox = await openSandbox();
  try {
    const steps = await runSteps(parsed, sandbox);
    return {
      file,
      name: parsed.scenario.name,
      verdict: verdictOf(steps),
      duration_ms: Math.round(performance.now() - begun),
      steps,
    };
  } finally {
    await sandbox.close();
  }
}

export const SCENARIO_SKIPPED = 'an earlier scenario failed';

export const skippedScenario = (file: string, parsed: ParsedScenario): ScenarioResult => ({
  file,
  name: parsed.scenario.name,
  verdict: 'skipped',
  duration_ms: 0,
  steps: parsed.scenario.steps.map((_, index) => ({
    ...placedTitle(parsed, index),
    ...skipped(SCENARIO_SKIPPED),
  })),
});
