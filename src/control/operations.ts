// What the contract's operations are made of: the errors that any of them may answer with, and those that
// every kind of record has alike.

import { oc } from '@orpc/contract';
import { z } from '../core/records/zod.ts';
import { listOf, pageSchema } from './schemas.ts';

const problem = z.optional(z.object({ field: z.optional(z.string()) }));

/** The errors any operation may answer with (control.md): `{code, message, field?}`. */
export const errors = {
  invalid: { status: 422, data: problem },
  not_found: { status: 404, data: problem },
  conflict: { status: 409, data: problem },
  /** More than are taken at the same time: viewers, waits or calls. */
  too_many: { status: 429, data: problem },
} as const;

export const op = oc.errors(errors);

/** What it lets through is typed as what a caller should give: the whole record is judged later. */
export const typed = <T>(schema: z.core.$ZodType) => schema as unknown as z.ZodMiniType<T, T>;

/** A record's members for a merge patch (RFC 7396): null puts a member back to its default. */
const patchOf = <T extends Record<string, unknown>, K extends string>(key: K) =>
  typed<{ [P in K]: string } & { [P in Exclude<keyof T, K>]?: T[P] | null | undefined }>(
    z.looseObject({ [key]: z.string() }),
  );

/** A record to create: members left out take their defaults, a secret is generated. */
const draft = <T, K extends keyof T>() => typed<Partial<T> & Pick<T, K>>(z.looseObject({}));

/** Create, read, update and delete for one kind of record. */
export const records = <
  T extends Record<string, unknown>,
  K extends keyof T & string,
  R extends keyof T,
>(
  path: `/${string}`,
  noun: string,
  key: K,
  schema: z.core.$ZodType<T>,
) => {
  const one = `${path}/{${key}}` as const;
  const byKey = typed<{ [P in K]: string }>(z.object({ [key]: z.string() }));
  return {
    list: op
      .route({ method: 'GET', path, summary: `List ${path.slice(1)}` })
      .input(pageSchema)
      .output(listOf(schema)),
    create: op
      .route({ method: 'POST', path, successStatus: 201, summary: `Add ${noun}` })
      .input(draft<T, R>())
      .output(schema),
    get: op
      .route({ method: 'GET', path: one, summary: `Read ${noun}` })
      .input(byKey)
      .output(schema),
    update: op
      .route({ method: 'PATCH', path: one, summary: `Change ${noun} (merge patch)` })
      .input(patchOf<T, K>(key))
      .output(schema),
    remove: op
      .route({ method: 'DELETE', path: one, successStatus: 204, summary: `Delete ${noun}` })
      .input(byKey),
  };
};
