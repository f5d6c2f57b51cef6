// Changes the steps of a scenario for a provider: what they send, and which expectations apply.

import type { ParsedScenario } from '../parse.ts';
import type { Expectation, ScenarioStep } from '../schema.ts';

/** Expectations of the trace, which only a sandbox has. */
const OF_THE_TRACE = ['failed_check', 'cause', 'reason', 'deviations', 'advisories'] as const;
/** After a browser sign-in, only the redirect is known. */
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

/** Keeps only the expectations that a provider can meet. */
export const asExpectedOfProvider = (step: ScenarioStep): ScenarioStep =>
  step.expect === undefined ? step : { ...step, expect: observable(step) };

/** Removes the expectations, because responses are compared instead. */
export function withoutExpectation({ expect: _expect, ...step }: ScenarioStep): ScenarioStep {
  return step;
}

/** Removes the client and user of a step, because the run's are used at a provider. */
export function forProvider(step: ScenarioStep): ScenarioStep {
  const { token, authorize, authorize_device, request, ...rest } = step;
  const anonymous = <T extends object>(order: T): T => without(order, ['client', 'user']) as T;
  if (token) return { ...rest, token: anonymous(token) };
  if (authorize) return { ...rest, authorize: anonymous(authorize) };
  if (authorize_device) return { ...rest, authorize_device: anonymous(authorize_device) };
  return request ? { ...rest, request: anonymous(request) } : step;
}

export const withChangedSteps = (
  parsed: ParsedScenario,
  change: (step: ScenarioStep) => ScenarioStep,
): ParsedScenario => ({
  ...parsed,
  scenario: { ...parsed.scenario, steps: parsed.scenario.steps.map(change) },
});

/** Returns the scenario with only the steps at these indexes, from 0. */
export const withSteps = (parsed: ParsedScenario, sent: readonly number[]): ParsedScenario => ({
  ...parsed,
  scenario: { ...parsed.scenario, steps: sent.map((index) => parsed.scenario.steps[index] ?? {}) },
  placeOfStep: (index) => parsed.placeOfStep(sent[index] ?? 0),
});
