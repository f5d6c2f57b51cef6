// The steps of a scenario as they are sent to a provider, and what counts there of what they expect.

import type { ParsedScenario } from '../parse.ts';
import type { Expectation, ScenarioStep } from '../schema.ts';

/** These are read from the trace, which only a sandbox has. */
const OF_THE_TRACE = ['failed_check', 'cause', 'deviations', 'advisories'] as const;
/** Of a sign-in in a browser, nothing but the redirect is seen. */
const OF_A_REDIRECT: readonly string[] = ['error', 'redirect'];

const without = (members: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

function observable(step: ScenarioStep): Expectation {
  const expected = without(step.expect ?? {}, OF_THE_TRACE);
  if (step.authorize === undefined) return expected;
  return Object.fromEntries(
    Object.entries(expected).filter(([name]) => OF_A_REDIRECT.includes(name)),
  );
}

/** A step with those of its expectations that a provider can meet. */
export const asExpectedOfProvider = (step: ScenarioStep): ScenarioStep =>
  step.expect === undefined ? step : { ...step, expect: observable(step) };

/** A step of which nothing is expected: its answers are compared instead. */
export function withoutExpectation({ expect: _expect, ...step }: ScenarioStep): ScenarioStep {
  return step;
}

/** A step as it is sent to a provider: its client and its user are those of the run. */
export function forProvider(step: ScenarioStep): ScenarioStep {
  const { token, authorize, authorize_device, request, ...rest } = step;
  const anonymous = <T extends object>(order: T): T => without(order, ['client', 'user']) as T;
  if (token) return { ...rest, token: anonymous(token) };
  if (authorize) return { ...rest, authorize: anonymous(authorize) };
  if (authorize_device) return { ...rest, authorize_device: anonymous(authorize_device) };
  return request ? { ...rest, request: anonymous(request) } : step;
}

/** The same scenario with each of its steps changed. */
export const withChangedSteps = (
  parsed: ParsedScenario,
  change: (step: ScenarioStep) => ScenarioStep,
): ParsedScenario => ({
  ...parsed,
  scenario: { ...parsed.scenario, steps: parsed.scenario.steps.map(change) },
});

/** The scenario with none but the steps at these places, from 0. */
export const withSteps = (parsed: ParsedScenario, sent: readonly number[]): ParsedScenario => ({
  ...parsed,
  scenario: { ...parsed.scenario, steps: sent.map((index) => parsed.scenario.steps[index] ?? {}) },
  placeOfStep: (index) => parsed.placeOfStep(sent[index] ?? 0),
});
