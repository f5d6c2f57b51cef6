// The results of scenarios as a document: TAP, JUnit for the page of a CI server, JSON for programs.

import type { ScenarioResult, StepResult } from '../running/run-scenario.ts';
import { junitDocument, type JunitCase } from './junit.ts';
import { diffOf, tapHead, tapOf } from './tap.ts';

export function totalsOf(results: readonly ScenarioResult[]) {
  const count = (wanted: ScenarioResult['verdict']) =>
    results.filter(({ verdict }) => verdict === wanted).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

export const jsonReport = (results: readonly ScenarioResult[], version: string): string =>
  `${JSON.stringify({ version, totals: totalsOf(results), scenarios: results }, null, 2)}\n`;

export const tapReport = (results: readonly ScenarioResult[]): string =>
  [tapHead(results.length), ...results.map((result, index) => tapOf(index + 1, result))].join('');

function caseOf(file: string, name: string, step: StepResult, index: number): JunitCase {
  const { title, verdict, line, column, failure } = step;
  const text = [`${file}:${line}:${column}`, failure?.exchange ?? null, ...diffOf(step)];
  return {
    classname: name,
    name: `${index + 1}. ${title}`,
    failure:
      failure === null
        ? null
        : { message: failure.message, text: text.filter((one) => one !== null).join('\n') },
    skipped: verdict === 'skipped',
    output: '',
  };
}

export const junitReport = (results: readonly ScenarioResult[]): string =>
  junitDocument(
    results.map(({ file, name, duration_ms, steps }) => ({
      name: `${name} (${file})`,
      duration_ms,
      cases: steps.map((step, index) => caseOf(file, name, step, index)),
      output: '',
    })),
  );
