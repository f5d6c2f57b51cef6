// Repeats a step concurrently or at a rate until all requests are sent, a response ends it, or the user stops it; and
// counts the responses.

import { performStep } from '../actions/index.ts';
import type { Run } from '../actions/action.ts';
import type { Answer } from '../actions/answer.ts';
import { MOST_REPEATED } from '../defaults.ts';
import type { ScenarioStep } from '../schema.ts';
import { during } from './create-run.ts';

export interface Pace {
  readonly count: number;
  /** Maximum number of concurrent requests. */
  readonly parallel: number;
  /** Requests started per second; null for no limit. */
  readonly per_second: number | null;
}

interface BurstOptions<T> {
  readonly pace: Pace;
  readonly send: (signal: AbortSignal) => Promise<T>;
  /** Called with each response; false ends the repetition. */
  readonly onAnswer: (answer: T) => boolean;
  /** Called to show progress, at a rate that users can follow. */
  readonly onProgress: () => void;
  /** Ends the repetition and aborts requests in flight. */
  readonly signal: AbortSignal;
}

/** In machine time. */
const PROGRESS_EVERY_MS = 50;

/** Returns pauses that the signal ends. They share a listener, because Node warns of more than ten. */
function pausesUntil(signal: AbortSignal): (ms: number) => Promise<void> {
  const ends = new Set<() => void>();
  signal.addEventListener('abort', () => {
    for (const end of ends) end();
  });
  return (ms) =>
    new Promise((done) => {
      const end = () => {
        clearTimeout(timer);
        ends.delete(end);
        done();
      };
      const timer = setTimeout(end, ms);
      ends.add(end);
    });
}

/**
 * Resolves when no requests are in flight; aborted requests are not reported.
 * @throws the error of a request, after the others were aborted
 */
export async function burst<T>(options: BurstOptions<T>): Promise<void> {
  const { pace, send, onAnswer, onProgress, signal } = options;
  const ending = new AbortController();
  const over = AbortSignal.any([signal, ending.signal]);
  const isOver = () => over.aborted;
  const pause = pausesUntil(over);
  const began = performance.now();
  let taken = 0;
  let shown = began;
  const take = (answer: T) => {
    if (!onAnswer(answer)) ending.abort();
    if (performance.now() - shown < PROGRESS_EVERY_MS) return;
    shown = performance.now();
    onProgress();
  };
  const worker = async () => {
    while (taken < pace.count && !isOver()) {
      const place = taken;
      taken += 1;
      const due = pace.per_second === null ? 0 : (1000 * place) / pace.per_second;
      const early = due - (performance.now() - began);
      if (early > 0) await pause(early);
      if (isOver()) return;
      const answer = await send(over);
      if (isOver()) return;
      take(answer);
    }
  };
  const workers = Array.from({ length: Math.min(pace.parallel, pace.count) }, () =>
    worker().catch((error: unknown) => {
      if (isOver()) return;
      ending.abort();
      throw error;
    }),
  );
  const ends = await Promise.allSettled(workers);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason as unknown;
}

/** Responses of one kind. @template E the data kept of the first response */
export interface Outcome<E> {
  readonly status: number;
  readonly error: string | null;
  readonly count: number;
  readonly first: E;
}

export interface Tally<E> {
  readonly sent: number;
  /** Most frequent first. */
  readonly outcomes: readonly Outcome<E>[];
}

export const NO_ANSWERS: Tally<never> = { sent: 0, outcomes: [] };

/** Returns the tally with another response. */
export function withAnswer<E>(
  { sent, outcomes }: Tally<E>,
  { status, error }: Pick<Outcome<E>, 'status' | 'error'>,
  first: E,
): Tally<E> {
  const same = (outcome: Outcome<E>) => outcome.status === status && outcome.error === error;
  const known = outcomes.find(same);
  const counted: Outcome<E> =
    known === undefined ? { status, error, count: 1, first } : { ...known, count: known.count + 1 };
  const others = outcomes.filter((outcome) => !same(outcome));
  return { sent: sent + 1, outcomes: [...others, counted].sort((a, b) => b.count - a.count) };
}

export type Repeat = NonNullable<ScenarioStep['repeat']>;

export const paceOf = (repeat: Repeat): Pace =>
  typeof repeat === 'number'
    ? { count: repeat, parallel: 1, per_second: null }
    : {
        count: repeat.times,
        parallel: repeat.parallel ?? (repeat.per_second === undefined ? 1 : MOST_REPEATED.parallel),
        per_second: repeat.per_second ?? null,
      };

export interface RepeatOptions {
  /** Called with each response and its number, from 1; false ends the repetition. */
  readonly onAnswer?: (answer: Answer, place: number) => boolean;
  readonly onProgress?: (tally: Tally<Answer>) => void;
  readonly signal?: AbortSignal;
}

/**
 * Performs a step with its repetitions.
 * @returns the tally, and the last response; null for an action without a response
 * @throws the error of a repetition, after the others were aborted
 */
export async function repeatStep(
  step: ScenarioStep,
  run: Run,
  { onAnswer, onProgress, signal = new AbortController().signal }: RepeatOptions = {},
): Promise<{ readonly tally: Tally<Answer>; readonly last: Answer | null }> {
  const { repeat = 1 } = step;
  const until = typeof repeat === 'object' ? repeat.until : undefined;
  let tally: Tally<Answer> = NO_ANSWERS;
  let last: Answer | null = null;
  const sending = burst({
    pace: paceOf(repeat),
    send: (over) => performStep(step, during(run, over)),
    onAnswer: (answer) => {
      if (answer === null) return true;
      tally = withAnswer(tally, { status: answer.status ?? 0, error: answer.error }, answer);
      last = answer;
      const goesOn = onAnswer?.(answer, tally.sent) ?? true;
      return goesOn && answer.status !== until;
    },
    onProgress: () => onProgress?.(tally),
    signal,
  });
  await sending.finally(() => onProgress?.(tally));
  return { tally, last };
}
