// What a step of a scenario expects of its response, and what it saves of it for later steps.

import { z } from '../control/zod.ts';
import { expectedSchema } from './matchers.ts';

const text = z.string('must be a string');
const object = 'must be a JSON object';

const expected = (description: string) => z.optional(expectedSchema).check(z.describe(description));
const words = z.array(text, 'must be an array');

/** What a step compares. */
export const expectation = z
  .strictObject(
    {
      status: expected('HTTP status; 0 if the connection was closed without a response.'),
      error: expected(
        'The member `error` of the body or the parameter of the redirect; null for none.',
      ),
      body: expected('The body as JSON, or as text if it is not JSON.'),
      headers: z
        .optional(z.record(z.string(), expectedSchema, object))
        .check(z.describe('Headers by name, each as one string.')),
      redirect: expected('The parameters of the redirect URI in the Location header.'),
      claims: expected('The claims of the access_token in this response.'),
      retry_after: expected('The seconds in Retry-After, as a number.'),
      failed_check: expected('`id` of the check that failed in the trace; null for none.'),
      cause: expected('The cause of the rejection, as in the trace.'),
      deviations: z
        .optional(words)
        .check(z.describe('The `id`s of the deviations: exactly these.')),
      advisories: z
        .optional(words)
        .check(z.describe('The kinds of the advisories: exactly these.')),
      statuses: expected(
        'How many responses had each HTTP status, where repeat is an object: {"200": 30, "429": 10}.',
      ),
    },
    object,
  )
  .check(z.describe('The expected result of the step. Only the members given are compared.'));

const NAME_RULE = 'must be a name of letters, digits and _';

/** What a step saves for later steps: paths into its response by the name of the variable. */
export const saved = z
  .record(
    z.string().check(z.regex(/^[A-Za-z_]\w*$/)),
    text.check(
      z.regex(
        /^(status|(body|headers|redirect|claims)(\.[^.]+){0,32})$/,
        'must be status, or a path below body, headers, redirect or claims: body.access_token',
      ),
    ),
    { error: ({ code }) => (code === 'invalid_key' ? NAME_RULE : object) },
  )
  .check(
    z.describe('Saves values of the response for later steps: {"first": "body.access_token"}.'),
  );
