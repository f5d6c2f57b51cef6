// Client checks: the server misbehaves in one way at an app's own login, and what the app does is observed.

import * as s from '../schemas.ts';
import { op } from './op.ts';

const path = '/client-checks';

export const clientChecks = {
  cases: op(
    `GET ${path}/cases`,
    'List the cases of a client check',
    'Returns every case in the order in which they are run.',
  ).output(s.listOf(s.clientCaseSchema)),
  get: op(
    `GET ${path}`,
    'Read the active case',
    'Returns the case that is active, and what the app did so far.',
  ).output(s.activeCheckSchema),
  start: op(
    `POST ${path}`,
    'Start a case',
    'Activates the misbehaviour of a case, which takes precedence over fault rules. A case is never saved, and ends at its time limit.',
  )
    .meta({
      example: { case: 'authorization-error-iss-other' },
      conflict: 'Another case is active.',
    })
    .input(s.startCheckSchema)
    .output(s.clientCheckSchema),
  update: op(
    `PATCH ${path}`,
    'Say whether the app shows the text of look_for',
    'Records the observation of a person or a test in the active case, which must have look_for.',
  )
    .meta({ example: { shown: false }, conflict: 'No case is active.' })
    .input(s.lookedSchema)
    .output(s.clientCheckSchema),
  end: op(
    `POST ${path}/end`,
    'End the active case',
    'Ends the misbehaviour and returns what the case shows. A refusal is confirmed by a good login afterwards: start and end good-login, then read the results.',
  )
    .meta({ example: { login: 'failed' }, conflict: 'No case is active.' })
    .input(s.endCheckSchema)
    .output(s.checkResultSchema),
  stop: op(
    `DELETE ${path}`,
    'Stop the active case without a result',
    'Ends the misbehaviour. Nothing is recorded.',
    204,
  ),
  results: op(
    `GET ${path}/results`,
    'List the results of client checks',
    'Returns the newest result of each case and client, in the order of the cases. The workspace keeps them.',
  ).output(s.listOf(s.checkResultSchema)),
  clear: op(
    `DELETE ${path}/results`,
    'Delete the results of client checks',
    'Deletes all results.',
    204,
  ),
};
