// The schemas of members that several actions share.

import type { z as core } from 'zod/mini';
import { z } from '../../control/zod.ts';
import { described } from '../../core/records/zod.ts';

export const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);
export const text = z.string('must be a string');
export const whole = (min: number, max: number) =>
  z
    .int('must be a whole number')
    .check(z.minimum(min, `must be at least ${min}`), z.maximum(max, `must be at most ${max}`));
export const object = 'must be a JSON object';
export const record = <T extends core.core.SomeType>(value: T) =>
  z.record(z.string(), value, object);

/** A member that may be omitted. */
export const optional = <T extends core.core.$ZodType>(schema: T, description: string) =>
  described(z.optional(schema), description);
/** An object without other members than these. */
export const strictRecord = <T extends core.core.$ZodLooseShape>(shape: T, description: string) =>
  described(z.strictObject(shape, object), description);

/** Members that replace those that the step would send; null omits a member. */
export const parameters = record(
  z.union([text, z.array(text), z.null()], 'must be a string, an array of strings, or null'),
);
export const headers = described(record(text), 'Headers to send, by name.');
export const query = described(parameters, 'Parameters to send in the query string.');
export const client = described(
  text,
  'The client_id of a client of this workspace; the first client by default.',
);
export const user = described(text, 'The sub of the user who signs in; the first user by default.');
export const client_auth = optional(
  oneOf(['body', 'basic', 'client_secret_jwt', 'private_key_jwt', 'none']),
  "How the client authenticates: with client_id and client_secret in the body (the default) or in the header, with an assertion signed with the secret or with the run's key (RFC 7523 2.2), or not at all.",
);
export const access_token_expires_in = described(
  whole(1, 315_360_000),
  'Lifetime of the access token in seconds; that of the client by default.',
);
export const pkce = described(
  oneOf(['S256', 'plain']),
  'Creates a code_verifier and sends its challenge (RFC 7636); the next code exchange then sends {{code_verifier}}.',
);
