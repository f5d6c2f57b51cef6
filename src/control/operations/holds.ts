// Held exchanges: someone follows a rule, looks at what it holds, and decides.

import * as s from '../schemas.ts';
import { eventsOf, op } from './op.ts';

const path = '/holds';
const GONE = 'The exchange is not held any more: its time is over, or someone else has decided.';
const place = `${path}/{number}` as const;

export const holds = {
  list: op
    .route({
      method: 'GET',
      path,
      summary: 'List held exchanges',
      description: 'Returns the exchanges that are held now, oldest first.',
    })
    .output(s.listOf(s.heldSchema)),
  start: op
    .route({
      method: 'POST',
      path,
      summary: 'Hold exchanges of an app',
      description:
        'Holds the exchanges that the rule matches, and sends a server-sent event with what it holds, now and at each change. The rule exists only as long as the client follows these events. Then, as at a reset, what it still holds is released unchanged. The events end when `times` is used up and nothing is held.',
    })
    .meta({
      example: { match: { path: '/oauth/token' }, times: 1 },
      conflict: 'There are too many rules.',
    })
    .input(s.holdRuleSchema)
    .output(eventsOf(s.holdEventSchema)),
  get: op
    .route({
      method: 'GET',
      path: place,
      summary: 'Read a held exchange',
      description:
        'Returns the exchange with what would happen to its request, or with the response that waits.',
    })
    .meta({ conflict: GONE })
    .input(s.heldKeySchema)
    .output(s.heldDetailSchema),
  forecast: op
    .route({
      method: 'POST',
      path: `${place}/forecast`,
      summary: 'Forecast a held request with edits',
      description: 'Returns what would happen if the request were released with these edits.',
    })
    .meta({
      example: { request: [{ member: 'code_verifier', do: 'remove' }] },
      conflict: GONE,
    })
    .input(s.forecastHeldSchema)
    .output(s.heldForecastSchema),
  release: op
    .route({
      method: 'POST',
      path: `${place}/release`,
      successStatus: 204,
      summary: 'Release a held exchange, with edits if given',
      description:
        'Evaluates the request, or sends the response that waits. Edits of a response never undo what the evaluation consumed or issued.',
    })
    .meta({
      example: { request: [{ member: 'code_verifier', do: 'remove' }] },
      conflict: GONE,
    })
    .input(s.releaseSchema),
  releaseAll: op.route({
    method: 'POST',
    path: `${path}/release`,
    successStatus: 204,
    summary: 'Release all held exchanges unchanged',
    description: 'Releases them at the same time, in the order in which they were held.',
  }),
  answer: op
    .route({
      method: 'POST',
      path: `${place}/answer`,
      successStatus: 204,
      summary: 'Send the response for a refusal',
      description:
        'Sends the response that the endpoint returns for a refusal. A request is not evaluated; a response is replaced.',
    })
    .meta({ example: { reason: 'code_expired' }, conflict: GONE })
    .input(s.answerHeldSchema),
  drop: op
    .route({
      method: 'POST',
      path: `${place}/drop`,
      successStatus: 204,
      summary: 'Close the connection of a held exchange',
      description: 'Sends no response. A request is not evaluated.',
    })
    .meta({ example: {}, conflict: GONE })
    .input(s.dropHeldSchema),
};
