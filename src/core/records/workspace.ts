// The schema of the whole workspace document.

import { described, z } from './zod.ts';
import { FAULT_BOUNDS, RECORD_BOUNDS, SAVED_BOUNDS } from './bounds.ts';
import { apiSchema } from './api.ts';
import { faultSchema } from './fault.ts';
import { checkRecordSchema, savedFlowSchema, savedRequestSchema } from './saved.ts';
import { shapeSchema } from './shape.ts';
import {
  boundedList,
  listOf,
  rulesBetweenRecords,
  usualMembers as usual,
} from './usual-workspace.ts';

export const workspaceSchema = z
  .strictObject({
    version: usual.version,
    name: usual.name,
    settings: usual.settings,
    shape: described(
      z.optional(shapeSchema),
      'The shape of the provider to imitate; omitted for none.',
    ),
    audiences: usual.audiences,
    apis: described(
      z.optional(boundedList(apiSchema, RECORD_BOUNDS.apis)),
      'The protected APIs that the sandbox serves; omitted for none.',
    ),
    clients: usual.clients,
    users: usual.users,
    faults: described(
      listOf(faultSchema, FAULT_BOUNDS),
      'Fault rules, in the order in which they are compared with a request.',
    ),
    keys: usual.keys,
    saved_flows: described(
      z.optional(boundedList(savedFlowSchema, SAVED_BOUNDS.flows)),
      'Flows that were saved by name, as scenarios without secrets; omitted for none.',
    ),
    saved_requests: described(
      z.optional(boundedList(savedRequestSchema, SAVED_BOUNDS.requests)),
      'Requests that were saved by name, without secrets; omitted for none.',
    ),
    client_checks: described(
      z.optional(boundedList(checkRecordSchema, SAVED_BOUNDS.checks)),
      'What client checks have shown, oldest first; omitted for none.',
    ),
  })
  .check(rulesBetweenRecords);
