// The actions that change the sandbox itself: its clock and its fault rules.

import type { FaultDraft } from '../../control/fault-schemas.ts';
import { clockPatchSchema } from '../../control/schemas/server.ts';
import { z } from '../../control/zod.ts';
import { given, text, type Action } from './action.ts';

const clockMove = clockPatchSchema.check(
  z.describe('Moves, freezes, sets or resets the sandbox clock.'),
);

export const clock: Action<z.input<typeof clockMove>> = {
  schema: clockMove,
  answer: 'none',
  provides: () => [],
  title: ({ advance_seconds, frozen, now }) => {
    if (advance_seconds !== undefined) return `advance the clock by ${advance_seconds} s`;
    if (frozen !== undefined) return frozen ? 'freeze the clock' : 'resume the clock';
    return now === undefined ? 'reset the clock' : `set the clock to ${now}`;
  },
  perform: async (change, { sandbox }) => {
    await sandbox.control.clock.update(given(change));
    return null;
  },
};

const faultOrder = z
  .union([text, z.looseObject({ preset: z.optional(z.string()) })], {
    error: 'must be the id of a preset, or a fault rule',
  })
  .check(z.describe('Adds a fault rule, like POST /faults: the id of a preset, or a rule.'));

export const fault: Action<string | FaultDraft> = {
  schema: faultOrder as Action<string | FaultDraft>['schema'],
  answer: 'none',
  provides: () => [],
  title: (rule) => {
    const name = typeof rule === 'string' ? rule : (rule.preset ?? rule.name ?? 'a rule');
    return `add the fault ${name}`;
  },
  perform: async (rule, { sandbox, variables }) => {
    const draft: FaultDraft = typeof rule === 'string' ? { preset: rule } : rule;
    await sandbox.control.faults.create(variables.filled(draft));
    return null;
  },
};
