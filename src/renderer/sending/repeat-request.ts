// Performs a step many times over real HTTP, in parallel or at a rate. It reports the progress and can be stopped; a view
// shows it.

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

export interface RepetitionOrder {
  readonly repeat: Repeat;
  /** Returns the step that is repeated and its run. Called once, before the first request is sent. */
  readonly prepare: () => Promise<{ readonly step: ScenarioStep; readonly run: Run }>;
  /** Called with each response; false ends the repetition. */
  readonly onAnswer?: RepeatOptions['onAnswer'];
  /** Called at the start, with each change, and with the end. */
  readonly onProgress?: (repeated: Repeated) => void;
  /** Stops sending, and abandons pending requests. */
  readonly signal: AbortSignal;
}

const repeatedOf = (repeat: Repeat): Repeated => ({
  goal: paceOf(repeat).count,
  tally: NO_ANSWERS,
  took_ms: 0,
  state: 'running',
  error: null,
});

/** Resolves when no request is pending. Never rejects. */
export async function repeatRequest(order: RepetitionOrder): Promise<Repeated> {
  const { repeat, prepare, onAnswer, onProgress, signal } = order;
  let repeated = repeatedOf(repeat);
  const show = (change: Partial<Repeated>) => {
    repeated = { ...repeated, ...change };
    onProgress?.(repeated);
  };
  show({});
  try {
    const { step, run } = await prepare();
    const began = performance.now();
    await repeatStep({ ...step, repeat }, run, {
      onProgress: (tally) => show({ tally, took_ms: performance.now() - began }),
      signal,
      ...(onAnswer === undefined ? {} : { onAnswer }),
    });
    show({ state: signal.aborted ? 'stopped' : 'done' });
  } catch (error) {
    show({ state: 'failed', error });
  }
  return repeated;
}

export const outcomeWords = ({
  status,
  error,
}: Pick<Outcome<unknown>, 'status' | 'error'>): string =>
  error === null ? String(status) : `${status} ${error}`;
