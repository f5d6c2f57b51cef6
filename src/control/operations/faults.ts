// Fault rules, in the order in which they are matched.

import * as f from '../fault-schemas.ts';
import * as s from '../schemas.ts';
import { FULL, op, records } from './op.ts';

const CREATED = 'Adds a rule after the existing ones, from a preset or with `when` and `effect`.';

const common = records<f.FaultState, 'id', never>(
  '/faults',
  { one: 'a fault rule', many: 'fault rules' },
  'id',
  f.faultStateSchema,
  {
    list: 'Returns fault rules in the order in which they are matched.',
    get: 'Returns one fault rule with its counts since the start or the last reset.',
    create: CREATED,
    create_example: { preset: 'throttled_twice' },
    create_conflict: `A fault rule with this id already exists. ${FULL}`,
    update: "Applies a merge patch (RFC 7396). A change resets the rule's count for `times`.",
    update_example: { enabled: false },
    remove: 'Deletes the rule. Requests that only it matched get normal responses again.',
  },
);

export const faults = {
  ...common,
  create: op(
    'POST /faults',
    'Add a fault rule after the others, from a preset if given',
    CREATED,
    201,
  )
    .meta(common.create['~orpc'].meta)
    .input(f.newFaultSchema)
    .output(f.faultStateSchema),
  move: op(
    'POST /faults/{id}/move',
    'Move a fault rule',
    'Moves a rule to another position. Only the first matching rule applies.',
  )
    .meta({ example: { position: 0 } })
    .input(f.moveFaultSchema)
    .output(f.faultStateSchema),
  removeAll: op(
    'DELETE /faults',
    'Delete all fault rules',
    'Deletes all rules, so that no faults are active.',
    204,
  ),
  presets: op(
    'GET /fault-presets',
    'List fault presets',
    'Returns common failures, each as a ready-made rule.',
  ).output(s.listOf(f.faultPresetSchema)),
};
