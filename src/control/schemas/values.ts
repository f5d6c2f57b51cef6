// Values that many responses and queries share.

import { described, z } from '../../core/records/zod.ts';

export const at = z.string();
export const whole = z.int().check(z.nonnegative());
/** A query parameter arrives as text; over the window's port it is already a number. */
export const count = (min: number, max: number) =>
  z.coerce.number<number>().check(z.int(), z.minimum(min), z.maximum(max));
export const flag = z._default(
  z.union([z.boolean(), z.stringbool()], 'must be true or false'),
  false,
);

export const client_id = described(z.string(), 'Identifier of the client (RFC 7591).');
export const section = described(
  z.string(),
  'The source of the rule: a section of an RFC, of docs/specification.md or of docs/behaviour.md.',
);

/** Newest first; `after` takes `next` of the previous response. */
export const pageSchema = z.object({
  limit: described(z._default(count(1, 1000), 100), 'Maximum number of records to return.'),
  after: described(z.optional(z.string()), 'The value of next in the previous response.'),
});

export const listOf = <T extends z.core.SomeType>(item: T) =>
  z.object({
    items: described(z.array(item), 'The records of this page.'),
    next: described(
      z.nullable(z.string()),
      'The value of after for the next page; null at the end of the list.',
    ),
  });

export const secretsSchema = z.object({
  secrets: described(
    flag,
    'Whether to return codes, tokens and secrets instead of redacting them.',
  ),
});

/** An additional member when a record is created. */
export const placeSchema = z.looseObject({
  position: described(
    z.optional(whole),
    'Its position in the order of registration, from 0; last by default.',
  ),
});
