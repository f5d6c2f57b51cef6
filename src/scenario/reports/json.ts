// Results as JSON, for programs.

import type { ScenarioResult } from '../runner/run.ts';

export function totalsOf(results: readonly ScenarioResult[]) {
  const count = (wanted: ScenarioResult['verdict']) =>
    results.filter(({ verdict }) => verdict === wanted).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

/** @param against the issuer of the provider that answered; null where it was a sandbox */
export function jsonReport(
  results: readonly ScenarioResult[],
  version: string,
  against: string | null,
): string {
  const provider = against === null ? {} : { against };
  const report = { version, ...provider, totals: totalsOf(results), scenarios: results };
  return `${JSON.stringify(report, null, 2)}\n`;
}
