// Fault injection rules, in the order in which they are tried.

import * as f from '../fault-schemas.ts';
import * as s from '../schemas.ts';
import { FULL, op } from './op.ts';
import { records } from './records.ts';

const common = records<f.FaultState, 'id', never>(
  '/faults',
  'a fault rule',
  'id',
  f.faultStateSchema,
  {
    list: 'Fault rules in the order in which they are tried.',
    get: 'One fault rule with its counts in this run.',
    create: 'Adds a rule after the others: of a preset, or with `when` and `effect`.',
    create_example: { preset: 'throttled_twice' },
    create_conflict: `There is a fault rule with this id already. ${FULL}`,
    update: 'A merge patch (RFC 7396); a changed rule starts to count its `times` again.',
    update_example: { enabled: false },
    remove: 'Requests that only this rule matched get normal responses again.',
  },
);

export const faults = {
  ...common,
  create: op
    .route({
      ...common.create['~orpc'].route,
      summary: 'Add a fault rule as the last one, of a preset if one is named',
    })
    .meta(common.create['~orpc'].meta)
    .input(f.newFaultSchema)
    .output(f.faultStateSchema),
  move: op
    .route({
      method: 'POST',
      path: '/faults/{id}/move',
      summary: 'Move a fault rule',
      description: 'The first rule that matches applies, so their order matters.',
    })
    .meta({ example: { position: 0 } })
    .input(f.moveFaultSchema)
    .output(f.faultStateSchema),
  removeAll: op.route({
    method: 'DELETE',
    path: '/faults',
    successStatus: 204,
    summary: 'Delete all fault rules',
    description: 'No faults are active any more.',
  }),
  presets: op
    .route({
      method: 'GET',
      path: '/fault-presets',
      summary: 'List ready-made fault rules',
      description: 'The failures met most often, each as a rule to start from.',
    })
    .output(s.listOf(f.faultPresetSchema)),
};
