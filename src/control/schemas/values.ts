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

/** Makes a kind of member: what it is called with says what the member means. No two members share a schema. */
const member =
  <T extends z.core.$ZodType>(make: () => T) =>
  (words: string): T =>
    described(make(), words);

export const string = member(() => z.string());
export const stringOrNull = member(() => z.nullable(z.string()));
export const optionalString = member(() => z.optional(z.string()));
export const integer = member(() => whole);
export const integerOrNull = member(() => z.nullable(whole));
export const boolean = member(() => z.boolean());
export const moment = member(() => at);
export const momentOrNull = member(() => z.nullable(at));

export const client_id = string('Identifier of the client (RFC 7591).');
export const section = string(
  'The source of the rule: a section of an RFC, of docs/specification.md or of docs/behaviour.md.',
);

/** Newest first; `after` takes `next` of the previous response. */
export const pageSchema = z.strictObject({
  limit: described(z._default(count(1, 1000), 100), 'Maximum number of records to return.'),
  after: optionalString('The value of next in the previous response.'),
});

export const listOf = <T extends z.core.SomeType>(item: T) =>
  z.object({
    items: described(z.array(item), 'The records of this page.'),
    next: stringOrNull('The value of after for the next page; null at the end of the list.'),
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
