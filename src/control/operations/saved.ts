// Flows and requests saved by name in the workspace. Flows are saved as scenarios.

import { described, z } from '../../core/records/zod.ts';
import * as s from '../schemas.ts';
import { FULL, op, typed } from './op.ts';

const named = z.object({ name: described(z.string(), 'The name of the saved record.') });

const CONFLICT = `The name exists and replace is false. ${FULL}`;
const SECRETS = 'Returns 422 if it contains a secret of this sandbox.';

/** Accepts any object: the whole record is validated, and the problems of all members are reported. */
const record = <T extends { readonly name: string }>() => typed<T>(z.looseObject(named.shape));

export const savedFlows = {
  list: op
    .route({
      method: 'GET',
      path: '/saved-flows',
      summary: 'List saved flows',
      description: 'Returns the flows saved in the workspace, newest first.',
    })
    .input(s.pageSchema)
    .output(s.listOf(s.savedFlowSchema)),
  get: op
    .route({
      method: 'GET',
      path: '/saved-flows/{name}',
      summary: 'Read a saved flow',
      description: 'Returns one saved flow. `grantbench run` can run its `scenario`.',
    })
    .input(named)
    .output(s.savedFlowSchema),
  put: op
    .route({
      method: 'PUT',
      path: '/saved-flows/{name}',
      summary: 'Save a flow, or replace the one with this name',
      description: `Saves a scenario in the workspace under this name, which also becomes the scenario's name. ${SECRETS}`,
    })
    .meta({
      example: {
        scenario: {
          format: 'grantbench-scenario',
          version: 1,
          name: 'Checkout',
          steps: [{ issue_code: {} }, { token: { grant: 'authorization_code' } }],
        },
      },
      conflict: CONFLICT,
    })
    .input(record<s.PutFlow>())
    .output(s.savedFlowSchema),
  remove: op
    .route({
      method: 'DELETE',
      path: '/saved-flows/{name}',
      successStatus: 204,
      summary: 'Delete a saved flow',
      description: 'Deletes the flow from the workspace.',
    })
    .input(named),
};

export const savedRequests = {
  list: op
    .route({
      method: 'GET',
      path: '/saved-requests',
      summary: 'List saved requests',
      description: 'Returns the requests saved in the workspace, newest first.',
    })
    .input(s.pageSchema)
    .output(s.listOf(s.savedRequestSchema)),
  get: op
    .route({
      method: 'GET',
      path: '/saved-requests/{name}',
      summary: 'Read a saved request',
      description: 'Returns one saved request, which contains no credentials.',
    })
    .input(named)
    .output(s.savedRequestSchema),
  put: op
    .route({
      method: 'PUT',
      path: '/saved-requests/{name}',
      summary: 'Save a request, or replace the one with this name',
      description: `Saves a request in the workspace under this name. ${SECRETS}`,
    })
    .meta({
      example: {
        client_id: 'demo-app',
        method: 'POST',
        path: '/oauth/token',
        headers: [['Content-Type', 'application/x-www-form-urlencoded']],
        body: 'grant_type=refresh_token&refresh_token=',
      },
      conflict: CONFLICT,
    })
    .input(record<s.PutRequest>())
    .output(s.savedRequestSchema),
  remove: op
    .route({
      method: 'DELETE',
      path: '/saved-requests/{name}',
      successStatus: 204,
      summary: 'Delete a saved request',
      description: 'Deletes the request from the workspace.',
    })
    .input(named),
};
