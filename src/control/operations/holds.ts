// Held exchanges: someone follows a rule, looks at what it holds, and decides.

import * as s from '../schemas.ts';
import { eventsOf, op } from './op.ts';

const path = '/holds';
const GONE = 'The exchange is no longer held: its time is over, or someone else has decided.';
const place = `${path}/{number}` as const;

export const holds = {
  list: op(
    `GET ${path}`,
    'List held exchanges',
    'Returns the exchanges that are held now, oldest first.',
  ).output(s.listOf(s.heldSchema)),
  start: op(
    `POST ${path}`,
    'Hold exchanges of an app',
    'Holds the exchanges that the rule matches, and sends a server-sent event with what it holds, now and at each change. The rule exists only as long as the client follows these events. Then, as at a reset, what it still holds is released unchanged. The events end when `times` is used up and nothing is held.',
  )
    .meta({
      example: { match: { path: '/oauth/token' }, times: 1 },
      conflict: 'There are too many rules.',
    })
    .input(s.holdRuleSchema)
    .output(eventsOf(s.holdEventSchema)),
  get: op(
    `GET ${place}`,
    'Read a held exchange',
    'Returns the exchange with what would happen to its request, or with the response that waits.',
  )
    .meta({ conflict: GONE })
    .input(s.heldKeySchema)
    .output(s.heldDetailSchema),
  forecast: op(
    `POST ${place}/forecast`,
    'Forecast a held request with edits',
    'Returns what would happen if the request were released with these edits.',
  )
    .meta({
      example: { request: [{ member: 'code_verifier', do: 'remove' }] },
      conflict: GONE,
    })
    .input(s.forecastHeldSchema)
    .output(s.heldForecastSchema),
  release: op(
    `POST ${place}/release`,
    'Release a held exchange, with edits if given',
    'Evaluates the request, or sends the response that waits. Edits of a response never undo what the evaluation consumed or issued.',
    204,
  )
    .meta({
      example: { request: [{ member: 'code_verifier', do: 'remove' }] },
      conflict: GONE,
    })
    .input(s.releaseSchema),
  releaseAll: op(
    `POST ${path}/release`,
    'Release all held exchanges unchanged',
    'Releases them at the same time, in the order in which they were held.',
    204,
  ),
  answer: op(
    `POST ${place}/answer`,
    'Send the response for a refusal',
    'Sends the response that the endpoint returns for a refusal. A request is not evaluated; a response is replaced.',
    204,
  )
    .meta({ example: { reason: 'code_expired' }, conflict: GONE })
    .input(s.answerHeldSchema),
  drop: op(
    `POST ${place}/drop`,
    'Close the connection of a held exchange',
    'Sends no response. A request is not evaluated.',
    204,
  )
    .meta({ example: {}, conflict: GONE })
    .input(s.dropHeldSchema),
};
