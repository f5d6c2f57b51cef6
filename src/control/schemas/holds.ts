// Held exchanges: the rule of a session, what is held, and what may be decided.

import { editsSchema } from '../../core/records/edit.ts';
import { holdRuleSchema, responseEditsSchema } from '../../core/records/hold.ts';
import { described, z } from '../../core/records/zod.ts';
import { exchangeSchema } from './exchanges.ts';
import { forecastSchema } from './forecast.ts';
import * as v from './values.ts';

export { holdRuleSchema };

const { number, method, path, endpoint, ip, grant_type, client_id } = exchangeSchema.shape;

export const heldSchema = z.object({
  number,
  at: described(
    z.enum(['request', 'response']),
    'request: it is not evaluated yet. response: it was evaluated, and its response waits.',
  ),
  method,
  path,
  ip,
  grant_type: described(grant_type, 'The grant of the request; null for none.'),
  client_id: described(client_id, 'The registered client of the request; null for none.'),
  endpoint,
  held_at: v.moment('When it was held, by the clock of the machine.'),
  seconds_left: v.integer('Seconds (machine time) until it is released unchanged.'),
  client_gone: v.boolean('Whether the client has closed the connection.'),
});

export const heldDetailSchema = z.object({
  ...heldSchema.shape,
  exchange: described(
    exchangeSchema,
    'The exchange so far. With at: response, it has the response that waits and the trace.',
  ),
  forecast: described(
    z.nullable(forecastSchema),
    'What would happen to the request; null after its evaluation, and for endpoints without forecasts.',
  ),
  id_token_claims: described(
    z.nullable(z.record(z.string(), z.unknown())),
    'The claims of the ID token in the response; null without one.',
  ),
  consequence: v.stringOrNull(
    'What the evaluation has changed, which no edit of the response undoes; null for nothing.',
  ),
});

export const holdEventSchema = z.object({
  held: described(z.array(heldSchema), 'What this session holds, oldest first.'),
});

export const heldKeySchema = z.object({
  number: described(v.count(1, Number.MAX_SAFE_INTEGER), 'Exchange number.'),
});

export const releaseSchema = z.strictObject({
  ...heldKeySchema.shape,
  request: described(
    z._default(editsSchema(0), []),
    'Edits of the fields of a request before its evaluation: those of a form or JSON body, or without a body those of the query.',
  ),
  response: described(z.optional(responseEditsSchema), 'Edits of a response that waits.'),
  hold_response: described(
    v.flag,
    'Whether the response to a request is held too, once it was evaluated.',
  ),
  step: described(v.flag, 'Whether the next request of an app is held, whichever it is.'),
});

export const forecastHeldSchema = z.strictObject({
  ...heldKeySchema.shape,
  request: releaseSchema.shape.request,
});

export const heldForecastSchema = z.object({
  forecast: described(
    z.nullable(forecastSchema),
    'What would happen to the request; null for an endpoint without forecasts.',
  ),
});

export const answerHeldSchema = z.strictObject({
  ...heldKeySchema.shape,
  reason: v.string(
    'Identifier of a refusal that the endpoint returns: see GET /refusals. If the app would get it in a redirect, it is redirected; but a submitted form can only be answered with a page.',
  ),
  step: releaseSchema.shape.step,
});

export const dropHeldSchema = z.strictObject({
  ...heldKeySchema.shape,
  step: releaseSchema.shape.step,
});

export type HoldRuleInput = z.input<typeof holdRuleSchema>;
export type Held = z.infer<typeof heldSchema>;
export type HeldDetail = z.infer<typeof heldDetailSchema>;
export type HoldEvent = z.infer<typeof holdEventSchema>;
export type ReleaseHeld = z.input<typeof releaseSchema>;
