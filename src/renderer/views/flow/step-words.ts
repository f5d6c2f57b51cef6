// The seven steps in words.

import type { Settings } from '../../../control/schemas.ts';
import type { StepId } from './flow-state.ts';

export const STEP_TITLES: Record<StepId, string> = {
  client: 'Client',
  code: 'Issue a code',
  exchange: 'Exchange the code',
  token: 'Read the token',
  refresh: 'Refresh',
  api: 'Call an API with it',
  hammer: 'Hammer until throttled',
};

const HINTS: Record<Exclude<StepId, 'hammer'>, string> = {
  client: 'Pick a client or register one',
  code: 'A user signs in at /authorize',
  exchange: 'JSON over POST /oauth/token',
  token: 'Claims, signature, remaining life',
  refresh: 'A form over POST /oauth/token',
  api: 'GET /userinfo, the token as Bearer',
};

/** What the step will do, until it has been done. */
export function hintOf(id: StepId, throttle: Settings['throttle'] | undefined): string {
  if (id !== 'hammer') return HINTS[id];
  if (throttle === undefined) return 'Refreshes until 429';
  const { limit, window_seconds, mode } = throttle;
  if (mode === 'off') return 'Throttling is off';
  const bound = `${limit.toLocaleString('en')} per ${window_seconds} s for this token and IP`;
  return mode === 'observe' ? `${bound}, observe only` : bound;
}
