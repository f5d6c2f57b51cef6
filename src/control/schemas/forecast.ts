// What would happen to a request that is not sent.

import { EFFECT_KINDS } from '../../core/records/trace-ids.ts';
import { described, z } from '../../core/records/zod.ts';
import { exchangeSchema, sendRequestSchema } from './exchanges.ts';
import { whole } from './values.ts';

const { secrets: _secrets, ...composed } = sendRequestSchema.shape;

export const evaluateRequestSchema = z.strictObject({
  ...composed,
  credentials: described(
    z._default(z.record(z.string(), z.string()), {}),
    'Records by name: {{name}} in the body or in a header stands for the value of the credential with that id under /tokens, or of the device with that user code.',
  ),
  ip: described(
    z._default(z.string(), '127.0.0.1'),
    'The address that the request would come from, which throttling counts.',
  ),
});

/** A token that would be issued, without value or id: both are decided when it is. */
const foreseenTokenSchema = z.object({
  kind: described(z.enum(['access_token', 'refresh_token', 'id_token']), 'What would be issued.'),
  audience: described(z.nullable(z.string()), 'The API that it is for; null for a refresh token.'),
  scope: described(z.string(), 'Its scope; empty for none.'),
  expires_in: described(whole, 'Its lifetime in seconds.'),
});

const effectSchema = z.object({
  kind: described(z.enum(EFFECT_KINDS), 'What would be changed.'),
  id: described(
    z.nullable(z.string()),
    'The counter, credential, lineage or device (by its user code) that would change; null for none.',
  ),
  text: described(z.string(), 'The effect, in one sentence.'),
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
  reason: described(
    z.nullable(z.string()),
    'Identifier of the cause, as `why.reason` has it; null if the request is not rejected and no token found unknown or inactive.',
  ),
  body: described(
    z.string(),
    'The body of the response, redacted. A fault that changes the normal response is not applied.',
  ),
  fault: described(
    fault,
    'The fault rule that would apply. With `when` instead, the request is not evaluated: trace and effects are empty.',
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
    'What else would change, in order; also where the request is rejected.',
  ),
});

export type EvaluateRequest = z.input<typeof evaluateRequestSchema>;
/** As it is read, with its defaults. */
export type ComposedRequest = z.output<typeof evaluateRequestSchema>;
export type Forecast = z.infer<typeof forecastSchema>;
