// The steps that can be broken on purpose, and the mistakes offered at each.

import type { StepId } from './flow-state.ts';
import type { Mistake } from './mistake.ts';
import { API_MISTAKES } from './mistakes-api.ts';
import { AUTHORIZE_MISTAKES } from './mistakes-authorize.ts';
import { EXCHANGE_MISTAKES } from './mistakes-exchange.ts';
import { REFRESH_MISTAKES } from './mistakes-refresh.ts';

export const MISTAKES = {
  code: AUTHORIZE_MISTAKES,
  exchange: EXCHANGE_MISTAKES,
  refresh: REFRESH_MISTAKES,
  api: API_MISTAKES,
} as const;

export type BreakableStep = keyof typeof MISTAKES;

export const isBreakable = (step: StepId): step is BreakableStep => step in MISTAKES;

/** The mistake of that id; null when the step has none such. */
export function findMistake(step: BreakableStep, id: string): Mistake | null {
  const all: readonly Mistake[] = MISTAKES[step].flatMap(({ mistakes }) => [...mistakes]);
  return all.find((mistake) => mistake.id === id) ?? null;
}
