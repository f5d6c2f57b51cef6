// What a run of all mistakes of a step knows, and every way it changes. Pure.

import type { BreakableStep } from './by-step.ts';
import type { Verdict } from './verdict.ts';

/** What became of one mistake: its verdict and message, or why it could not be tried. */
export type MistakeResult = { readonly id: string; readonly title: string } & (
  | { readonly verdict: Verdict; readonly event: number }
  | { readonly verdict: null; readonly reason: string }
);

export interface MistakeRun {
  readonly step: BreakableStep;
  /** How many were chosen. */
  readonly total: number;
  /** Of those tried so far, in the order of the menu. */
  readonly results: readonly MistakeResult[];
  readonly state: 'running' | 'stopping' | 'stopped' | 'done';
  /** Whether the table of results is open. */
  readonly shown: boolean;
}

export const startingRun = (step: BreakableStep, total: number): MistakeRun => ({
  step,
  total,
  results: [],
  state: 'running',
  shown: true,
});

export const withResult = (run: MistakeRun, result: MistakeResult): MistakeRun => ({
  ...run,
  results: [...run.results, result],
});

export const withEnd = (run: MistakeRun): MistakeRun => ({
  ...run,
  state: run.results.length < run.total ? 'stopped' : 'done',
});

export const isRunning = ({ state }: MistakeRun): boolean =>
  state === 'running' || state === 'stopping';

/** `27 of 28 answered as expected · 3 not tried · stopped after 31 of 44` */
export function runInWords({ results, total, state }: MistakeRun): string {
  const tried = results.filter(({ verdict }) => verdict !== null);
  const came = tried.filter(({ verdict }) => verdict?.came === true);
  const untried = results.length - tried.length;
  const parts = [`${came.length} of ${tried.length} answered as expected`];
  if (untried > 0) parts.push(`${untried} not tried`);
  if (state === 'stopped') parts.push(`stopped after ${results.length} of ${total}`);
  return parts.join(' · ');
}
