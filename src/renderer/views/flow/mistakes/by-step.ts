// The steps that can be broken on purpose, and the mistakes offered at each.

import type { StepId } from '../flow-steps.ts';
import type { Mistake } from './mistake.ts';
import { API_MISTAKES } from './api.ts';
import { BEARER_MISTAKES } from './assertion.ts';
import { AUTHORIZE_MISTAKES } from './authorize.ts';
import { DEVICE_MISTAKES, POLL_MISTAKES, USER_CODE_MISTAKES } from './device.ts';
import { EXCHANGE_MISTAKES } from './exchange.ts';
import { PASSWORD_MISTAKES } from './password.ts';
import { REFRESH_MISTAKES } from './refresh.ts';
import { SWAP_MISTAKES } from './token-exchange.ts';

export const MISTAKES = {
  code: AUTHORIZE_MISTAKES,
  exchange: EXCHANGE_MISTAKES,
  device: DEVICE_MISTAKES,
  decide: USER_CODE_MISTAKES,
  poll: POLL_MISTAKES,
  password: PASSWORD_MISTAKES,
  swap: SWAP_MISTAKES,
  bearer: BEARER_MISTAKES,
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
