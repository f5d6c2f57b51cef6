// Fault injection rules, in the order in which they are tried.

import * as f from '../fault-schemas.ts';
import * as s from '../schemas.ts';
import { FULL, op, records } from './op.ts';

const common = records<f.FaultState, 'id', never>(
  '/faults',
  { one: 'a fault rule', many: 'fault rules' },
  'id',
  f.faultStateSchema,
  {
    list: 'Fault rules in the order in which they are tried.',
    get: 'One fault rule with its counts since start or reset.',
    create: 'Adds a rule after the others, from a preset or with `when` and `effect`.',
    create_example: { preset: 'throttled_twice' },
    create_conflict: `A fault rule with this id already exists. ${FULL}`,
    update: 'Applies a merge patch (RFC 7396). A changed rule restarts the count of its `times`.',
    update_example: { enabled: false },
    remove: 'Deletes the rule. Requests that only this rule matched get normal responses again.',
  },
);

export const faults = {
  ...common,
  create: op
    .route({
      ...common.create['~orpc'].route,
      summary: 'Add a fault rule as the last one, from a preset if one is given',
    })
    .meta(common.create['~orpc'].meta)
    .input(f.newFaultSchema)
    .output(f.faultStateSchema),
  move: op
    .route({
      method: 'POST',
      path: '/faults/{id}/move',
      summary: 'Move a fault rule',
      description:
        'Moves a rule to another position. The first matching rule applies, so the order matters.',
    })
    .meta({ example: { position: 0 } })
    .input(f.moveFaultSchema)
    .output(f.faultStateSchema),
  removeAll: op.route({
    method: 'DELETE',
    path: '/faults',
    successStatus: 204,
    summary: 'Delete all fault rules',
    description: 'Deletes all rules. No faults are active afterwards.',
  }),
  presets: op
    .route({
      method: 'GET',
      path: '/fault-presets',
      summary: 'List fault presets',
      description: 'Returns the most common failures, each as a rule to start from.',
    })
    .output(s.listOf(f.faultPresetSchema)),
};
