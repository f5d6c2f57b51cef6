// The responses to the same request sent many times: how often each, and the first of each to look at.

import type { Exchange } from '../../control/schemas.ts';

export interface Outcome {
  readonly status: number;
  readonly error: string | null;
  readonly count: number;
  readonly first: Exchange;
}

export interface Tally {
  readonly sent: number;
  /** The most frequent first. */
  readonly outcomes: readonly Outcome[];
}

export const NO_ANSWERS: Tally = { sent: 0, outcomes: [] };

/** The same request many times, and how far it is. */
export interface Run {
  readonly goal: number;
  readonly tally: Tally;
  /** By the stopwatch. */
  readonly took_ms: number;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  /** What it failed with. */
  readonly message: string | null;
}

export const startedRun = (goal: number): Run => ({
  goal,
  tally: NO_ANSWERS,
  took_ms: 0,
  state: 'running',
  message: null,
});

export function withAnswer({ sent, outcomes }: Tally, exchange: Exchange): Tally {
  const { status, error } = exchange;
  const same = (outcome: Outcome) => outcome.status === status && outcome.error === error;
  const known = outcomes.find(same);
  const counted: Outcome =
    known === undefined
      ? { status, error, count: 1, first: exchange }
      : { ...known, count: known.count + 1 };
  const others = outcomes.filter((outcome) => !same(outcome));
  return { sent: sent + 1, outcomes: [...others, counted].sort((a, b) => b.count - a.count) };
}

export const outcomeWords = ({ status, error }: Pick<Outcome, 'status' | 'error'>): string =>
  error === null ? String(status) : `${status} ${error}`;
