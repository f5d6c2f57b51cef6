// Forecasts: what would happen to a request, without sending it.

import { EFFECT_KINDS } from '../../core/records/trace-ids.ts';
import { described, z } from '../../core/records/zod.ts';
import { exchangeSchema, sendRequestSchema } from './exchanges.ts';
import { integer, string, stringOrNull } from './values.ts';

const { secrets: _secrets, ...composed } = sendRequestSchema.shape;

export const evaluateRequestSchema = z.strictObject({
  ...composed,
  credentials: described(
    z._default(z.record(z.string(), z.string()), {}),
    'Ids by name: {{name}} in the body or a header is replaced with the value of the credential with that id under /tokens, or of the device with that user code.',
  ),
  ip: described(
    z._default(z.string(), '127.0.0.1'),
    'The client address of the request, which throttling counts.',
  ),
});

/** A token that would be issued. It has neither value nor id before it is issued. */
const foreseenTokenSchema = z.object({
  kind: described(
    z.enum(['access_token', 'refresh_token', 'id_token']),
    'The kind of credential that would be issued.',
  ),
  audience: stringOrNull('The API that the token is for; null for a refresh token.'),
  scope: string('The scope; empty for none.'),
  expires_in: integer('The lifetime in seconds.'),
});

const effectSchema = z.object({
  kind: described(z.enum(EFFECT_KINDS), 'The kind of change.'),
  id: stringOrNull(
    'Identifier of the counter, credential, lineage or device (user code) that would change; null for none.',
  ),
  text: string('The effect, in one sentence.'),
});

const {
  status,
  error,
  fault,
  grant_type,
  client_id,
  profile,
  lineage_id,
  credential_id,
  trace,
  why,
  deviation_notes,
  advisory_notes,
} = exchangeSchema.shape;

export const forecastSchema = z.object({
  status,
  error,
  reason: stringOrNull(
    'Identifier of the cause, as in `why.reason`; null if the request would be accepted and its token is active.',
  ),
  body: string(
    'The body of the response, redacted. Faults that change the normal response are not applied.',
  ),
  fault: described(
    fault,
    'The fault rule that would apply. If its `when` is instead, the request is not evaluated, and trace and effects are empty.',
  ),
  grant_type,
  client_id,
  profile,
  lineage_id,
  credential_id,
  trace,
  why,
  deviation_notes,
  advisory_notes,
  issued: described(z.array(foreseenTokenSchema), 'The tokens that would be issued, in order.'),
  effects: described(
    z.array(effectSchema),
    'The other changes in order, also of a rejected request.',
  ),
});

export type EvaluateRequest = z.input<typeof evaluateRequestSchema>;
/** The parsed input, with defaults. */
export type ComposedRequest = z.output<typeof evaluateRequestSchema>;
export type Forecast = z.infer<typeof forecastSchema>;
