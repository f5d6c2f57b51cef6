// Results as JSON, for programs.

import type { ScenarioResult } from '../runner/run.ts';

export function totalsOf(results: readonly ScenarioResult[]) {
  const count = (wanted: ScenarioResult['verdict']) =>
    results.filter(({ verdict }) => verdict === wanted).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

export const jsonReport = (results: readonly ScenarioResult[], version: string): string =>
  `${JSON.stringify({ version, totals: totalsOf(results), scenarios: results }, null, 2)}\n`;
