// Results as TAP 14: each scenario is a subtest with its steps; a failed step has a block with the differences.

import { SCENARIO_SKIPPED, type ScenarioResult, type StepResult } from '../runner/run-steps.ts';

/** Longer values are truncated. */
const LONGEST = 400;

const shortened = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** A description must neither end its line nor begin a directive. */
const described = (text: string) =>
  text.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ').replace(/[\\#]/g, (sign) => `\\${sign}`);

/** Returns a line of the diff. Its text was received over HTTP, so control characters are replaced. */
const line = (sign: string, text: string) =>
  `${sign}${shortened(text).replace(/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, '?')}`;

/** Returns a double-quoted YAML scalar; a JSON string is one. */
const quoted = (text: string) => JSON.stringify(shortened(text));

/** Returns the differences in the format of `diff -u`. */
export function diffOf({ failure }: StepResult): readonly string[] {
  const differences = failure?.differences ?? [];
  if (differences.length === 0) return [];
  return [
    '--- expected',
    '+++ actual',
    ...differences.flatMap(({ what, expected, got }) => [
      line('@@ ', `${what} @@`),
      line('-', expected),
      line('+', got),
    ]),
  ];
}

/** Returns where the step begins; null if no file contains it. */
export const placeOf = (file: string, { line: row, column }: StepResult): string | null =>
  row === undefined ? null : `${file}:${row}:${column}`;

function block(file: string, step: StepResult): string[] {
  const { failure } = step;
  if (failure === null) return [];
  const place = placeOf(file, step);
  const diff = diffOf(step);
  return [
    '---',
    `message: ${quoted(failure.message)}`,
    ...(place === null ? [] : [`at: ${quoted(place)}`]),
    ...(failure.exchange === null ? [] : [`exchange: ${quoted(failure.exchange)}`]),
    ...(failure.about === null ? [] : [`about: ${quoted(failure.about)}`]),
    ...(diff.length === 0 ? [] : ['diff: |', ...diff.map((text) => `  ${text}`)]),
    '...',
  ].map((text) => `  ${text}`);
}

function point(number: number, step: StepResult): string {
  const { verdict, title, why_skipped = '' } = step;
  const skipped = verdict === 'skipped' ? ` # SKIP ${described(why_skipped)}` : '';
  return `${verdict === 'failed' ? 'not ok' : 'ok'} ${number} - ${described(title)}${skipped}`;
}

export const tapHead = (scenarios: number): string => `TAP version 14\n1..${scenarios}\n`;

/** @param number of the scenario, from 1 */
export function tapOf(number: number, result: ScenarioResult): string {
  const { file, name, verdict, duration_ms, steps } = result;
  if (verdict === 'skipped') {
    return `ok ${number} - ${described(name)} # SKIP ${SCENARIO_SKIPPED}\n`;
  }
  const time = duration_ms === null ? '' : ` # time=${duration_ms}ms`;
  const points = steps.flatMap((step, index) => [point(index + 1, step), ...block(file, step)]);
  const lines = [
    `# Subtest: ${described(name)}`,
    ...[`1..${steps.length}`, ...points].map((text) => `    ${text}`),
    `${verdict === 'failed' ? 'not ok' : 'ok'} ${number} - ${described(name)}${time}`,
  ];
  return `${lines.join('\n')}\n`;
}

export const tapReport = (results: readonly ScenarioResult[]): string =>
  [tapHead(results.length), ...results.map((result, index) => tapOf(index + 1, result))].join('');
