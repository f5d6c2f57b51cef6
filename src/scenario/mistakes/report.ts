// The results of deliberate mistakes as data for programs, and as those of scenarios, whose reports are written already:
// each place is a scenario, each of its mistakes a step.

import type { ScenarioResult, StepResult } from '../runner/run.ts';
import { PLACES } from './index.ts';
import type { MistakeResult } from './run.ts';

/** The expected or actual response in a few words. */
export function expectedWords({ expected }: Pick<MistakeResult, 'expected'>): string {
  return expected === 'accepted' ? 'accepted' : `rejected: ${expected}`;
}

export function actualWords({ actual }: Pick<MistakeResult, 'actual'>): string {
  if (actual === null) return 'not sent';
  const { status, error, reason } = actual;
  const answer = error === null ? String(status) : `${status} ${error}`;
  return reason === null ? answer : `${answer} (${reason})`;
}

function stepOf(result: MistakeResult): StepResult {
  const { id, title, passed, skipped } = result;
  const at = { title: `${id}: ${title}`, line: 1, column: 1 };
  if (skipped !== null) {
    return { ...at, verdict: 'skipped', failure: null, why_skipped: skipped.replace(/\.$/, '') };
  }
  if (passed) return { ...at, verdict: 'passed', failure: null };
  const difference = {
    what: 'response',
    expected: expectedWords(result),
    got: actualWords(result),
  };
  const message = `The response is not the expected one (${result.section}).`;
  return {
    ...at,
    verdict: 'failed',
    failure: { message, differences: [difference], exchange: null },
  };
}

export const asScenarios = (results: readonly MistakeResult[]): readonly ScenarioResult[] =>
  PLACES.flatMap(({ id, title }) => {
    const steps = results.filter(({ step }) => step === id).map(stepOf);
    if (steps.length === 0) return [];
    const failed = steps.some(({ verdict }) => verdict === 'failed');
    const verdict = failed ? ('failed' as const) : ('passed' as const);
    return [{ file: id, name: title, verdict, duration_ms: 0, steps }];
  });

export function totalsOf(results: readonly MistakeResult[]) {
  const skipped = results.filter((result) => result.skipped !== null).length;
  const passed = results.filter((result) => result.passed).length;
  return { passed, failed: results.length - passed - skipped, skipped };
}

export const mistakesJson = (results: readonly MistakeResult[], version: string): string =>
  `${JSON.stringify({ version, totals: totalsOf(results), mistakes: results }, null, 2)}\n`;
