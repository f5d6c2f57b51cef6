// Results as JUnit XML, for the page of a CI server: each scenario a suite, each step a case.

import type { ScenarioResult, StepResult } from '../runner/run.ts';
import { junitDocument, type JunitCase } from './junit-xml.ts';
import { diffOf } from './tap.ts';

function caseOf(file: string, name: string, step: StepResult, index: number): JunitCase {
  const { title, line, column, failure, why_skipped } = step;
  const text = [`${file}:${line}:${column}`, failure?.exchange ?? null, ...diffOf(step)];
  return {
    classname: name,
    name: `${index + 1}. ${title}`,
    failure:
      failure === null
        ? null
        : { message: failure.message, text: text.filter((one) => one !== null).join('\n') },
    skipped: why_skipped ?? null,
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
