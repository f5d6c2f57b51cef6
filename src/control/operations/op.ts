// What every operation is made of: its words and the errors that it may answer with.

import { oc } from '@orpc/contract';
import { described } from '../../core/records/described.ts';
import { z } from '../../core/records/zod.ts';

const problem = z.optional(z.object({ field: z.optional(z.string()) }));

/** The errors any operation may answer with (docs/control-api.md): `{code, message, field?}`. */
export const errors = {
  invalid: { status: 422, data: problem },
  not_found: { status: 404, data: problem },
  conflict: { status: 409, data: problem },
  /** More than are taken at the same time: viewers, waits or calls. */
  too_many: { status: 429, data: problem },
} as const;

/** What an operation says of itself beside the summary and the description of its route. */
export interface OperationMeta {
  /** A body to send, as an example. */
  readonly example?: object;
  /** An answer, as an example, where none of its record will do. */
  readonly example_answer?: object;
  /** When it answers 409, as a sentence. */
  readonly conflict?: string;
}

export const op = oc.$meta<OperationMeta>({}).errors(errors);

/** Of a list of records that has a bound. */
export const FULL = 'The maximum number of these records is reached.';

/** What it accepts is typed as what a caller should give: the whole record is validated later. */
export const typed = <T>(schema: z.core.$ZodType) => schema as unknown as z.ZodMiniType<T, T>;

export const idKey = z.object({
  id: described(z.string(), 'Identifier of the record, safe in a path.'),
});
