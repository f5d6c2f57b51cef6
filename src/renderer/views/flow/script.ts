// What the person did in this walk, step by step, so that it can be done again: steps and mistakes, and
// the answer each came to.

import type { Came, Difference, FlowState, ScriptEntry, StepId } from './flow-state.ts';

/** Longer walks forget their beginning, as the diagram does. */
const MOST_ENTRIES = 200;

/** What the newest message of this step came to. */
export function cameOf({ events }: FlowState, step: StepId, since: number): Came | null {
  const event = events.findLast(
    ({ id, ...one }) => id >= since && one.kind === 'exchange' && one.step === step,
  );
  if (event?.kind !== 'exchange') return null;
  const { status, error } = event.exchange;
  return { status, error };
}

export function withEntry(state: FlowState, entry: ScriptEntry): FlowState {
  return { ...state, script: [...state.script, entry].slice(-MOST_ENTRIES) };
}

const sameAnswer = (a: Came | null, b: Came | null): boolean =>
  a === b || (a !== null && b !== null && a.status === b.status && a.error === b.error);

/** Where a replay went another way than the walk it repeats. */
export function differences(
  before: readonly ScriptEntry[],
  now: readonly ScriptEntry[],
): Difference[] {
  return before
    .map((entry, index) => ({ entry, now: now[index]?.came ?? null }))
    .filter(({ entry, now: came }) => !sameAnswer(entry.came, came));
}
