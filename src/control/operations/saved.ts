// Flows and requests saved by name in the workspace. Flows are saved as scenarios.

import { z } from '../../core/records/zod.ts';
import * as s from '../schemas.ts';
import { FULL, op, typed } from './op.ts';
import { string } from '../schemas/values.ts';

const named = z.object({ name: string('The name of the saved record.') });

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
    list: op(
      `GET ${path}`,
      `List saved ${kind}s`,
      `Returns the ${kind}s saved in the workspace, newest first.`,
    )
      .input(s.pageSchema)
      .output(s.listOf(schema)),
    get: op(`GET ${one}`, `Read a saved ${kind}`, words.get).input(named).output(schema),
    put: op(
      `PUT ${one}`,
      `Save a ${kind}, or replace the one with this name`,
      `${words.put} ${SECRETS}`,
    )
      .meta({ example: words.put_example, conflict: CONFLICT })
      // Accepts any object: the whole record is validated, and the problems of all members are reported.
      .input(typed<Put>(z.looseObject(named.shape)))
      .output(schema),
    remove: op(
      `DELETE ${one}`,
      `Delete a saved ${kind}`,
      `Deletes the ${kind} from the workspace.`,
      204,
    ).input(named),
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
