// Results as JSON, for programs. The report of a run at a provider can be read and shown. Unknown members are
// ignored, because a newer version may write more. All content is shown, so each list has a limit.

import type { ScenarioResult } from '../runner/run-steps.ts';
import { z } from '../../control/zod.ts';
import { IN_WORDS, problemsOf } from '../../core/records/problems.ts';
import { readPlacedJson } from '../../core/records/json-text.ts';

export function totalsOf(results: readonly ScenarioResult[]) {
  const count = (wanted: ScenarioResult['verdict']) =>
    results.filter(({ verdict }) => verdict === wanted).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

/** @param against the issuer of the provider; null for a sandbox */
export function jsonReport(
  results: readonly ScenarioResult[],
  version: string,
  against: string | null,
): string {
  const provider = against === null ? {} : { against };
  const report = { version, ...provider, totals: totalsOf(results), scenarios: results };
  return `${JSON.stringify(report, null, 2)}\n`;
}

const text = z.string('must be a string');
const orNull = z.nullable(text);
const whole = z.int('must be a whole number');
const verdict = z.enum(['passed', 'failed', 'skipped'], 'must be passed, failed or skipped');
const object = 'must be a JSON object';

/** Limit of one list, because each entry is an element of the page. */
const MOST_ENTRIES = 2000;
/** Limit of all scenarios together. */
const MOST_STEPS = 5000;

const listOf = <T extends z.core.$ZodType>(entry: T) =>
  z
    .array(entry, 'must be an array')
    .check(z.maxLength(MOST_ENTRIES, `must have at most ${MOST_ENTRIES} entries`));

const difference = z.object({ what: text, expected: text, got: text }, object);
const comparedValue = z.object({ what: text, sandbox: orNull, provider: orNull }, object);

const step = z.object(
  {
    title: text,
    verdict,
    line: whole,
    column: whole,
    failure: z.nullable(z.object({ message: text, differences: listOf(difference) }, object)),
    why_skipped: z.optional(text),
    compared: z.optional(listOf(comparedValue)),
  },
  object,
);

const scenario = z.object({ file: text, name: text, verdict, steps: listOf(step) }, object);

const scenarios = listOf(scenario).check(
  z.refine(
    (all) => all.reduce((sum, { steps }) => sum + steps.length, 0) <= MOST_STEPS,
    `must have at most ${MOST_STEPS} steps in all`,
  ),
);

const report = z.object({ against: text, scenarios }, object);

export type ProviderReport = z.infer<typeof report>;
export type ReportedStep = z.infer<typeof step>;

/** Returns the report, or every problem with its position. */
export function readProviderReport(
  source: string,
): ProviderReport | { readonly problems: readonly string[] } {
  const { value, problems: ofText, placeOf } = readPlacedJson(source);
  const { error, data } = report.safeParse(value, IN_WORDS);
  const found = value === undefined ? ofText : problemsOf(error?.issues ?? [], value);
  if (data !== undefined) return data;
  const problems = found.map(({ path, message }) => {
    const { line, column } = placeOf(path);
    return [`${line}:${column}`, path, message].filter((part) => part !== '').join(' ');
  });
  return { problems };
}
