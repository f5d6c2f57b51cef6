// Performs a step many times over real HTTP, in parallel or at a rate. It reports the progress and can be stopped; a view
// shows it.

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Run } from '../../scenario/actions/action.ts';
import type { Answer } from '../../scenario/actions/answer.ts';
import {
  NO_ANSWERS,
  paceOf,
  repeatStep,
  type Outcome,
  type Repeat,
  type RepeatOptions,
  type Tally,
} from '../../scenario/runner/repeat.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';

/** How often a request is sent, and how fast. */
export interface PaceForm {
  readonly times: number;
  readonly way: 'parallel' | 'rate';
  readonly parallel: number;
  readonly per_second: number;
}

export const FIRST_PACE: Omit<PaceForm, 'times'> = {
  way: 'parallel',
  parallel: 10,
  per_second: 10,
};

export const repeatOf = ({ times, way, parallel, per_second }: PaceForm): Repeat =>
  way === 'parallel' ? { times, parallel } : { times, per_second };

export interface Repeated {
  readonly goal: number;
  readonly tally: Tally<Answer>;
  /** Elapsed machine time. */
  readonly took_ms: number;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  readonly error: unknown;
}

export interface Repetition {
  readonly progress: StoreApi<Repeated>;
  /** Stops sending, and abandons pending requests. */
  readonly stop: () => void;
  /** Resolves when no request is pending. Never rejects. */
  readonly ended: Promise<Repeated>;
}

export interface RepetitionOrder {
  readonly repeat: Repeat;
  /** Returns the step that is repeated and its run. Called once, before the first request is sent. */
  readonly prepare: () => Promise<{ readonly step: ScenarioStep; readonly run: Run }>;
  /** Called with each response; false ends the repetition. */
  readonly onAnswer?: RepeatOptions['onAnswer'];
}

export const repeatedOf = (repeat: Repeat): Repeated => ({
  goal: paceOf(repeat).count,
  tally: NO_ANSWERS,
  took_ms: 0,
  state: 'running',
  error: null,
});

export function startRepetition({ repeat, prepare, onAnswer }: RepetitionOrder): Repetition {
  const ending = new AbortController();
  const { signal } = ending;
  const progress = createStore<Repeated>(() => repeatedOf(repeat));
  const work = async () => {
    const { step, run } = await prepare();
    const began = performance.now();
    const onProgress = (tally: Tally<Answer>) =>
      progress.setState({ tally, took_ms: performance.now() - began });
    await repeatStep({ ...step, repeat }, run, {
      onProgress,
      signal,
      ...(onAnswer === undefined ? {} : { onAnswer }),
    });
  };
  const ended = work()
    .then(
      () => progress.setState({ state: signal.aborted ? 'stopped' : 'done' }),
      (error: unknown) => progress.setState({ state: 'failed', error }),
    )
    .then(() => progress.getState());
  return { progress, stop: () => ending.abort(), ended };
}

export const outcomeWords = ({
  status,
  error,
}: Pick<Outcome<unknown>, 'status' | 'error'>): string =>
  error === null ? String(status) : `${status} ${error}`;
