// Flows and requests saved by name in the workspace. Flows are saved as scenarios.

import { described, z } from '../../core/records/zod.ts';
import * as s from '../schemas.ts';
import { FULL, op, typed } from './op.ts';

const named = z.object({ name: described(z.string(), 'The name of the saved record.') });

const CONFLICT = `The name exists and replace is false. ${FULL}`;
const SECRETS = 'Returns 422 if it contains a secret of this sandbox.';

/** What differs between flows and requests. */
interface SavedWords {
  readonly get: string;
  readonly put: string;
  readonly put_example: object;
}

/** @param path of the list; the name of a record follows */
const saved = <Put extends { readonly name: string }, R extends z.core.$ZodType>(
  path: `/${string}`,
  kind: 'flow' | 'request',
  schema: R,
  words: SavedWords,
) => {
  const one = `${path}/{name}` as const;
  return {
    list: op
      .route({
        method: 'GET',
        path,
        summary: `List saved ${kind}s`,
        description: `Returns the ${kind}s saved in the workspace, newest first.`,
      })
      .input(s.pageSchema)
      .output(s.listOf(schema)),
    get: op
      .route({
        method: 'GET',
        path: one,
        summary: `Read a saved ${kind}`,
        description: words.get,
      })
      .input(named)
      .output(schema),
    put: op
      .route({
        method: 'PUT',
        path: one,
        summary: `Save a ${kind}, or replace the one with this name`,
        description: `${words.put} ${SECRETS}`,
      })
      .meta({ example: words.put_example, conflict: CONFLICT })
      // Accepts any object: the whole record is validated, and the problems of all members are reported.
      .input(typed<Put>(z.looseObject(named.shape)))
      .output(schema),
    remove: op
      .route({
        method: 'DELETE',
        path: one,
        successStatus: 204,
        summary: `Delete a saved ${kind}`,
        description: `Deletes the ${kind} from the workspace.`,
      })
      .input(named),
  };
};

export const savedFlows = saved<s.PutFlow, typeof s.savedFlowSchema>(
  '/saved-flows',
  'flow',
  s.savedFlowSchema,
  {
    get: 'Returns one saved flow. `grantbench run` can run its `scenario`.',
    put: "Saves a scenario in the workspace under this name, which also becomes the scenario's name.",
    put_example: {
      scenario: {
        format: 'grantbench-scenario',
        version: 1,
        name: 'Checkout',
        steps: [{ issue_code: {} }, { token: { grant: 'authorization_code' } }],
      },
    },
  },
);

export const savedRequests = saved<s.PutRequest, typeof s.savedRequestSchema>(
  '/saved-requests',
  'request',
  s.savedRequestSchema,
  {
    get: 'Returns one saved request, which contains no credentials.',
    put: 'Saves a request in the workspace under this name.',
    put_example: {
      client_id: 'demo-app',
      method: 'POST',
      path: '/oauth/token',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: 'grant_type=refresh_token&refresh_token=',
    },
  },
);
