// Client checks: the server misbehaves in one way at an app's own login, and what the app does is observed.

import * as s from '../schemas.ts';
import { op } from './op.ts';

const path = '/client-checks';

export const clientChecks = {
  cases: op
    .route({
      method: 'GET',
      path: `${path}/cases`,
      summary: 'List the cases of a client check',
      description: 'Returns every case in the order in which they are run.',
    })
    .output(s.listOf(s.clientCaseSchema)),
  get: op
    .route({
      method: 'GET',
      path,
      summary: 'Read the active case',
      description: 'Returns the case that is active, and what the app did so far.',
    })
    .output(s.activeCheckSchema),
  start: op
    .route({
      method: 'POST',
      path,
      summary: 'Start a case',
      description:
        'Activates the misbehaviour of a case, which takes precedence over fault rules. A case is never saved, and ends at its time limit.',
    })
    .meta({
      example: { case: 'authorization-error-iss-other' },
      conflict: 'Another case is active.',
    })
    .input(s.startCheckSchema)
    .output(s.clientCheckSchema),
  update: op
    .route({
      method: 'PATCH',
      path,
      summary: 'Say whether the app shows the text of look_for',
      description:
        'Records the observation of a person or a test in the active case, which must have look_for.',
    })
    .meta({ example: { shown: false }, conflict: 'No case is active.' })
    .input(s.lookedSchema)
    .output(s.clientCheckSchema),
  end: op
    .route({
      method: 'POST',
      path: `${path}/end`,
      summary: 'End the active case',
      description:
        'Ends the misbehaviour and returns what the case shows. A refusal is confirmed by a good login afterwards: start and end good-login, then read the results.',
    })
    .meta({ example: { login: 'failed' }, conflict: 'No case is active.' })
    .input(s.endCheckSchema)
    .output(s.checkResultSchema),
  stop: op.route({
    method: 'DELETE',
    path,
    successStatus: 204,
    summary: 'Stop the active case without a result',
    description: 'Ends the misbehaviour. Nothing is recorded.',
  }),
  results: op
    .route({
      method: 'GET',
      path: `${path}/results`,
      summary: 'List the results of client checks',
      description:
        'Returns the newest result of each case and client, in the order of the cases. The workspace keeps them.',
    })
    .output(s.listOf(s.checkResultSchema)),
  clear: op.route({
    method: 'DELETE',
    path: `${path}/results`,
    successStatus: 204,
    summary: 'Delete the results of client checks',
    description: 'Deletes all results.',
  }),
};
