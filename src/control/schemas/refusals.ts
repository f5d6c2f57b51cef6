// The reasons why requests are rejected, with the places and responses of each.

import { described, z } from '../../core/records/zod.ts';
import { CHECK_IDS, EVALUATING_ENDPOINTS } from '../../core/records/trace-ids.ts';
import { GRANT_TYPES } from '../../core/records/enumerations.ts';
import { section, string, stringOrNull } from './values.ts';

const status = described(z.int(), 'Status of the response; 0 without a response.');
const error = stringOrNull(
  'The error code in the response; null if the response does not show the rejection.',
);

const wireSchema = z.object({
  status,
  error,
  description: stringOrNull(
    'The error_description, in general words if it depends on the request; null for none.',
  ),
});

const refusalPlaceSchema = z.object({
  endpoint: described(
    z.nullable(z.enum(EVALUATING_ENDPOINTS)),
    'The endpoint that rejects the request; null for all paths, or for all that are not listed.',
  ),
  grants: described(
    z.nullable(z.array(z.enum(GRANT_TYPES))),
    'At the token endpoint, the grants with which this can happen; null for all grants.',
  ),
  delivery: described(
    z.enum(['json', 'page', 'redirect', 'none']),
    'How the client is informed: in a JSON body, on a page for the user, by a redirect to the app (303 after a POST), or not at all, as for a token that introspection does not know.',
  ),
  rule: string('The rule of the check that fails.'),
  section,
  rfc6749: described(wireSchema, 'The response in the dialect rfc6749, without a provider shape.'),
  auth0: described(wireSchema, 'The response in the dialect auth0, without a provider shape.'),
  now: described(
    z.object({ status, error }),
    'The response in the current dialect and provider shape of the sandbox.',
  ),
});

export const refusalSchema = z.object({
  id: string(
    'Identifier of the cause, as in `why.reason` of an exchange. docs/reference/causes.md describes each one.',
  ),
  check: described(z.enum(CHECK_IDS), 'The check that fails.'),
  summary: string('The cause, in one sentence.'),
  usual_cause: string('The usual cause in an app, in one sentence.'),
  advice: stringOrNull('How to fix it; null if there is no advice.'),
  places: described(
    z.array(refusalPlaceSchema),
    'The places where it can happen, with the responses there.',
  ),
});

export type Refusal = z.infer<typeof refusalSchema>;
export type RefusalPlace = Refusal['places'][number];
