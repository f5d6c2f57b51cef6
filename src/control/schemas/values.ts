// The values that many answers and queries are made of.

import { described, z } from '../../core/records/zod.ts';

export const at = z.string();
export const whole = z.int().check(z.nonnegative());
/** A query parameter arrives as text; over the window's port it is a number already. */
export const count = (min: number, max: number) =>
  z.coerce.number<number>().check(z.int(), z.minimum(min), z.maximum(max));
export const flag = z._default(
  z.union([z.boolean(), z.stringbool()], 'must be true or false'),
  false,
);

/** Newest first; `after` takes the former answer's `next`. */
export const pageSchema = z.object({
  limit: described(z._default(count(1, 1000), 100), 'Maximum number of records to return.'),
  after: described(z.optional(z.string()), 'The member next of the previous response.'),
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
  secrets: described(flag, 'Whether codes, tokens and secrets are shown instead of redacted.'),
});

/** Beside the members of a record that is added. */
export const placeSchema = z.looseObject({
  position: described(
    z.optional(whole),
    'Its place in the order of registration, from 0; by default it is the last one.',
  ),
});
