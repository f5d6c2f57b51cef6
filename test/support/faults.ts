// Fault rules as in the control API, with a default for every member, and the presets.

import { faultSchema, type FaultPreset, type FaultState } from '../../src/control/fault-schemas.ts';
import { FAULT_PRESETS } from '../../src/core/faults/presets.ts';

/** A rule that answers every token request with 503. */
export function faultState(members: Partial<FaultState> = {}): FaultState {
  const rule = faultSchema.parse({
    id: 'down',
    when: 'instead',
    match: { path: '/oauth/token', method: 'POST' },
    effect: { kind: 'answer', status: 503 },
  });
  const times = members.times ?? null;
  return { ...rule, hits: 0, remaining: times, ...members };
}

export const PRESETS: readonly FaultPreset[] = FAULT_PRESETS.map(({ id, text, fault }) => {
  const { id: _id, ...rule } = faultSchema.parse({ id, ...fault });
  return { id, text, fault: rule };
});
