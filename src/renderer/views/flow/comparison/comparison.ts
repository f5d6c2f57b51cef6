// What a report of a run at a provider shows of each of its steps. Pure.

import type { ProviderReport, ReportedStep } from '../../../../scenario/reports/read-report.ts';
import { pluralize } from '../../../ui/short-forms.ts';
import type { Tone } from '../../../ui/tone.ts';

/** One value of two answers; null where an answer does not have it. */
export interface ComparedRow {
  readonly what: string;
  readonly ours: string | null;
  readonly theirs: string | null;
}

export interface ShownStep extends ReportedStep {
  /** The scenario that it belongs to. */
  readonly scenario: string;
  /** Its number in the scenario, from 1. */
  readonly number: number;
  readonly place: string;
}

export const stepsOf = ({ scenarios }: ProviderReport): readonly ShownStep[] =>
  scenarios.flatMap(({ name, file, steps }) =>
    steps.map((step, index) => ({
      ...step,
      scenario: name,
      number: index + 1,
      place: `${file}:${step.line}:${step.column}`,
    })),
  );

/** Whether answers of a sandbox are in the report; without them, it has what the scenario expects. */
export const isComparison = ({ scenarios }: ProviderReport): boolean =>
  scenarios.some(({ steps }) => steps.some(({ compared }) => compared !== undefined));

export function rowsOf({ compared, failure }: ReportedStep): readonly ComparedRow[] {
  if (compared !== undefined) {
    return compared.map(({ what, sandbox, provider }) => ({
      what,
      ours: sandbox,
      theirs: provider,
    }));
  }
  const differences = failure?.differences ?? [];
  return differences.map(({ what, expected, got }) => ({ what, ours: expected, theirs: got }));
}

export const differs = ({ ours, theirs }: ComparedRow): boolean => ours !== theirs;

/** The result of a step in a word or two. */
export function resultOf(step: ReportedStep): { readonly tone: Tone; readonly words: string } {
  if (step.verdict === 'skipped') return { tone: 'muted', words: 'skipped' };
  if (step.verdict === 'passed') {
    return { tone: 'ok', words: step.compared === undefined ? 'as expected' : 'same' };
  }
  const count = rowsOf(step).filter(differs).length;
  if (count === 0) return { tone: 'bad', words: 'failed' };
  return { tone: 'warn', words: pluralize(count, 'difference') };
}

/** The whole report in one sentence. */
export function summaryOf(report: ProviderReport): string {
  const steps = stepsOf(report);
  const count = (verdict: ReportedStep['verdict']) =>
    steps.filter((step) => step.verdict === verdict).length;
  const same = isComparison(report) ? 'as in the sandbox' : 'as expected';
  return `${pluralize(steps.length, 'step')}: ${count('passed')} ${same}, ${count('failed')} different, ${count('skipped')} skipped`;
}
