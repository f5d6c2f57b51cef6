// Results as JUnit XML, for CI servers: each scenario is a suite, each step a case. `grantbench exec` writes its own
// suites with it.

import type { ScenarioResult, StepResult } from '../runner/run-steps.ts';
import { diffOf, placeOf } from './tap.ts';

function caseOf(file: string, classname: string, step: StepResult, index: number): JunitCase {
  const { title, failure, why_skipped } = step;
  const about = failure?.about ? `About this cause: ${failure.about}` : null;
  const text = [placeOf(file, step), failure?.exchange ?? null, about, ...diffOf(step)];
  return {
    classname,
    name: `${index + 1}. ${title}`,
    failure:
      failure === null
        ? null
        : { message: failure.message, text: text.filter((one) => one !== null).join('\n') },
    skipped: why_skipped ?? null,
    output: '',
  };
}

export function junitReport(results: readonly ScenarioResult[]): string {
  const names = results.map(({ name }) => name);
  const suites = results.map(({ file, name, duration_ms, steps }) => {
    const suite = `${name} (${file})`;
    // CI servers take cases with the same class and name for one.
    const classname = names.indexOf(name) === names.lastIndexOf(name) ? name : suite;
    const cases = steps.map((step, index) => caseOf(file, classname, step, index));
    return { name: suite, duration_ms, cases, output: '' };
  });
  return junitDocument(suites);
}

export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  /** null if the case passed. */
  readonly failure: { readonly message: string; readonly text: string } | null;
  /** Why the case was skipped; null if it was not. */
  readonly skipped: string | null;
  readonly output: string;
}

interface JunitSuite {
  readonly name: string;
  /** null if it was not measured. */
  readonly duration_ms: number | null;
  readonly cases: readonly JunitCase[];
  readonly output: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** XML 1.0 forbids most control characters and lone surrogates, even escaped. */
const xml = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, '?')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

function failureXml(failure: JunitCase['failure']): string {
  if (failure === null) return '';
  const { message, text } = failure;
  const open = `<failure message="${xml(message)}"`;
  return text === '' ? `${open}/>` : `${open}>${xml(text)}</failure>`;
}

const output = (text: string) => (text === '' ? '' : `<system-out>${xml(text)}</system-out>`);

const skippedXml = (why: JunitCase['skipped']) =>
  why === null ? '' : `<skipped message="${xml(why)}"/>`;

function caseXml({ name, classname, failure, skipped, output: text }: JunitCase): string {
  const parts = [failureXml(failure), skippedXml(skipped), output(text)];
  return `    <testcase classname="${xml(classname)}" name="${xml(name)}">${parts.join('')}</testcase>`;
}

function counts(cases: readonly JunitCase[], duration_ms: number | null): string {
  const failures = cases.filter(({ failure }) => failure !== null).length;
  const skipped = cases.filter((one) => one.skipped !== null).length;
  const time = duration_ms === null ? '' : ` time="${(duration_ms / 1000).toFixed(3)}"`;
  return `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"${time}`;
}

function suiteXml({ name, cases, duration_ms, output: text }: JunitSuite): string {
  const lines = [
    `  <testsuite name="${xml(name)}" ${counts(cases, duration_ms)}>`,
    ...cases.map(caseXml),
    ...(text === '' ? [] : [`    ${output(text)}`]),
    '  </testsuite>',
  ];
  return lines.join('\n');
}

export function junitDocument(suites: readonly JunitSuite[]): string {
  const cases = suites.flatMap((suite) => suite.cases);
  const measured = suites.flatMap((suite) => suite.duration_ms ?? []);
  const duration_ms = measured.length === 0 ? null : measured.reduce((sum, one) => sum + one, 0);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts(cases, duration_ms)}>
${suites.map(suiteXml).join('\n')}
</testsuites>
`;
}
