// A step carried out many times over real HTTP, at once or at a rate: how far it is, and the way to stop it. What is
// shown of it is up to its view.

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

/** How often something is sent, and how fast. */
export interface PaceForm {
  readonly times: number;
  readonly way: 'parallel' | 'rate';
  readonly parallel: number;
  readonly per_second: number;
}

export const repeatOf = ({ times, way, parallel, per_second }: PaceForm): Repeat =>
  way === 'parallel' ? { times, parallel } : { times, per_second };

export interface Repeated {
  readonly goal: number;
  readonly tally: Tally<Answer>;
  /** By the stopwatch. */
  readonly took_ms: number;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  /** What it failed with. */
  readonly error: unknown;
}

export interface Repetition {
  readonly progress: StoreApi<Repeated>;
  /** Gives up what is under way. */
  readonly stop: () => void;
  /** Resolves when no request is under way any more; it does not reject. */
  readonly ended: Promise<Repeated>;
}

export interface RepetitionOrder {
  readonly repeat: Repeat;
  /** The step that is repeated, and its run, with what the step needs: called once, before the first is sent. */
  readonly prepare: () => Promise<{ readonly step: ScenarioStep; readonly run: Run }>;
  /** Called with each answer; false ends the repetition. */
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
