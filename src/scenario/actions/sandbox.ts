// The actions that change the sandbox itself: its clock, its fault rules, and what it holds.

import type { FaultDraft } from '../../control/fault-schemas.ts';
import { holdRuleSchema } from '../../control/schemas/holds.ts';
import { clockPatchSchema } from '../../control/schemas/server.ts';
import { z } from '../../control/zod.ts';
import { described } from '../../core/records/zod.ts';
import { given, type Action } from './action.ts';
import { oneOf, optional, strictRecord, text, whole } from './members.ts';

const clockMove = described(clockPatchSchema, 'Moves, freezes, sets or resets the sandbox clock.');

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

const faultOrder = described(
  z.union([text, z.looseObject({ preset: z.optional(z.string()) })], {
    error: 'must be the id of a preset, or a fault rule',
  }),
  'Adds a fault rule, like POST /faults: the id of a preset, or a rule.',
);

export const fault: Action<string | FaultDraft> = {
  schema: faultOrder as Action<string | FaultDraft>['schema'],
  answer: 'none',
  provides: () => [],
  title: (rule) => {
    const name = typeof rule === 'string' ? rule : (rule.preset ?? rule.name);
    return name === undefined ? 'add a fault rule' : `add the fault ${name}`;
  },
  perform: async (rule, { sandbox, variables }) => {
    const draft: FaultDraft = typeof rule === 'string' ? { preset: rule } : rule;
    await sandbox.control.faults.create(variables.filled(draft));
    return null;
  },
};

const { match, release_after_ms } = holdRuleSchema.shape;

const holdOrder = strictRecord(
  {
    requests: optional(whole(1, 64), 'How many requests of later steps are held; 1 by default.'),
    at: optional(
      oneOf(['request', 'response']),
      'Held before the evaluation, which is the default, or before the response is sent.',
    ),
    match: optional(match, 'Which requests are held, as in a fault rule.'),
    meanwhile: optional(clockMove, 'Changes the clock while they are held.'),
    release_after_ms: optional(
      release_after_ms,
      'Milliseconds until they are released anyway; 10000 by default.',
    ),
  },
  'Holds the next requests of later steps until all have arrived, then releases them at the same time. Send that many in parallel: see repeat.',
);

const HELD_MS = 10_000;

export const hold: Action<z.input<typeof holdOrder>> = {
  schema: holdOrder,
  answer: 'none',
  provides: () => [],
  title: ({ requests = 1 }) =>
    `hold the next ${requests === 1 ? 'request' : `${requests} requests`}`,
  perform: async ({ requests = 1, meanwhile, release_after_ms: limit = HELD_MS, ...rule }, run) => {
    const { clock: sandboxClock, holds } = run.sandbox.control;
    const limits = { times: requests, release_after_ms: limit, sent_by: 'scenario' as const };
    const events = await holds.start({ ...given(rule), ...limits });
    const releaseAll = async () => {
      for await (const { held } of events) {
        if (held.length < requests) continue;
        if (meanwhile !== undefined) await sandboxClock.update(given(meanwhile));
        await Promise.all(held.map(({ number }) => holds.release({ number })));
      }
    };
    // What cannot be released is released at its time limit, and when the sandbox closes.
    void releaseAll().catch(() => undefined);
    return null;
  },
};
