// The values that many answers and queries are made of.

import { z } from '../../core/records/zod.ts';

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
  limit: z._default(count(1, 1000), 100),
  after: z.optional(z.string()),
});

export const listOf = <T extends z.core.SomeType>(item: T) =>
  z.object({ items: z.array(item), next: z.nullable(z.string()) });

export const secretsSchema = z.object({ secrets: flag });
