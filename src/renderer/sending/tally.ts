// What came of many like requests: how often each answer, and the first of each to look at.

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
