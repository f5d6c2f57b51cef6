// The state of a run of mistakes, and the results of replays, also in words. Pure.

import type { ProviderReport } from '../../../scenario/reports/json.ts';
import type { WalkStepId } from '../../../scenario/walks.ts';
import { pluralize } from '../../../words.ts';

/** The expected and the actual response to a deliberate mistake. */
export interface Verdict {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  /** The status and the error: `400 invalid_grant`. */
  readonly expected: string;
  readonly actual: string;
  readonly passed: boolean;
}

/** The result of one mistake: its verdict and message, or why it was not tried. */
export type MistakeResult = { readonly id: string; readonly title: string } & (
  | { readonly verdict: Verdict; readonly event: number }
  | { readonly verdict: null; readonly reason: string }
);

export interface MistakeRun {
  readonly step: WalkStepId;
  readonly total: number;
  /** The results so far, in the order of the menu. */
  readonly results: readonly MistakeResult[];
  readonly state: 'running' | 'stopped' | 'done';
  /** Whether the table of results is open. */
  readonly shown: boolean;
}

/** `27 of 28 answered as expected · 3 not tried · stopped after 31 of 44` */
export function runInWords({ results, total, state }: MistakeRun): string {
  const tried = results.filter(({ verdict }) => verdict !== null);
  const passed = tried.filter(({ verdict }) => verdict?.passed === true);
  const untried = results.length - tried.length;
  const parts = [`${passed.length} of ${tried.length} answered as expected`];
  if (untried > 0) parts.push(`${untried} not tried`);
  if (state === 'stopped') parts.push(`stopped after ${results.length} of ${total}`);
  return parts.join(' · ');
}

/** The result of a scenario, which ends at the first step whose response is not as expected. */
export interface Replayed {
  readonly name: string;
  readonly steps: number;
  /** null when all of them passed. */
  readonly failure: ReplayFailure | null;
}

interface ReplayFailure {
  /** From 1. */
  readonly step: number;
  readonly title: string;
  readonly message: string;
  /** One line each. */
  readonly differences: readonly string[];
}

/** A scenario that cannot be run here, and why. */
export interface Unreadable {
  readonly name: string;
  readonly problems: readonly string[];
  /** What the user wanted to do with it. */
  readonly use: 'run here' | 'shown';
}

export interface OpenedComparison {
  /** The name of the file. */
  readonly name: string;
  readonly report: ProviderReport;
}

export function replayInWords({ steps, failure }: Replayed): string {
  if (failure === null) return `${pluralize(steps, 'step')}, all as expected.`;
  const { step, title, message } = failure;
  const left = steps - step;
  const rest =
    left === 0 ? '' : ` ${pluralize(left, 'later step')} ${left === 1 ? 'was' : 'were'} not run.`;
  return `it stopped at step ${step} of ${steps}, ${title}: ${message}.${rest}`;
}
