// Every reason for which a request is rejected, with where and how it is answered.

import { described, z } from '../../core/records/zod.ts';
import { CHECK_IDS } from '../../core/records/trace-ids.ts';
import { GRANT_TYPES } from '../../core/records/enumerations.ts';

/** Those that evaluate requests. */
export const EVALUATING_ENDPOINTS = [
  'authorize',
  'device',
  'device_authorization',
  'introspect',
  'logout',
  'par',
  'register',
  'revoke',
  'token',
  'userinfo',
] as const;

const status = described(z.int(), 'Status of the response.');
const error = described(
  z.nullable(z.string()),
  'The error code in the response; null where the response does not tell of the rejection.',
);

const wireSchema = z.object({
  status,
  error,
  description: described(
    z.nullable(z.string()),
    'The error_description, in general words where it depends on the request; null for none.',
  ),
});

const refusalPlaceSchema = z.object({
  endpoint: described(
    z.nullable(z.enum(EVALUATING_ENDPOINTS)),
    'The endpoint that rejects the request; null for any path, or any other than those listed.',
  ),
  grants: described(
    z.nullable(z.array(z.enum(GRANT_TYPES))),
    'At the token endpoint, the grants with which this can happen; null if the grant does not matter.',
  ),
  delivery: described(
    z.enum(['json', 'page', 'redirect', 'none']),
    'How the client is told: in a JSON body, on a page for the person at the browser, by a redirect to the app (with 303 where the request was posted), or not at all, as for a token that is unknown to introspection.',
  ),
  rule: described(z.string(), 'The rule of the check that fails.'),
  section: described(z.string(), 'The section of the standard or document that has the rule.'),
  rfc6749: described(wireSchema, 'The response in the default dialect, without a provider shape.'),
  auth0: described(wireSchema, 'The response in the dialect auth0, without a provider shape.'),
  now: described(
    z.object({ status, error }),
    'The response with the current dialect and provider shape of the sandbox.',
  ),
});

export const refusalSchema = z.object({
  id: described(z.string(), 'Identifier of the cause, as `why.reason` of an exchange has it.'),
  check: described(z.enum(CHECK_IDS), 'The check that fails.'),
  summary: described(z.string(), 'The cause, in one sentence.'),
  usual_cause: described(z.string(), 'What in an app usually leads to it, in one sentence.'),
  advice: described(z.nullable(z.string()), 'What to do about it; null if nothing can be advised.'),
  places: described(z.array(refusalPlaceSchema), 'Where it can happen, and how it is answered.'),
});

export type Refusal = z.infer<typeof refusalSchema>;
export type RefusalPlace = Refusal['places'][number];
