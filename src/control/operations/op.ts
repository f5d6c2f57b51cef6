// The parts of every operation: its descriptions and errors; and create, read, update and delete, which are the same
// for every kind of record.

import { eventIterator, oc, type Schema } from '@orpc/contract';
import { z } from '../../core/records/zod.ts';
import { listOf, pageSchema, type placeSchema } from '../schemas.ts';
import { string } from '../schemas/values.ts';

const problem = z.optional(z.object({ field: z.optional(z.string()) }));

/** The errors that any operation can return (docs/reference/control-api.md): `{code, message, field?}`. */
export const errors = {
  invalid: { status: 422, data: problem },
  not_found: { status: 404, data: problem },
  conflict: { status: 409, data: problem },
  /** More concurrent viewers, waits or calls than allowed. */
  too_many: { status: 429, data: problem },
} as const;

/** What an operation adds to the summary and description of its route. */
export interface OperationMeta {
  /** An example of a request body. */
  readonly example?: object;
  /** An example of a response, if the example of its record does not fit. */
  readonly example_answer?: object;
  /** A sentence that says when the response is 409. */
  readonly conflict?: string;
}

const base = oc.$meta<OperationMeta>({}).errors(errors);

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * An operation at a route of the REST API, without input and output.
 * @param route method and path
 * @param status of a success: 201 for a new record, 204 without a response body
 */
export function op(
  route: `${Method} /${string}`,
  summary: string,
  description: string,
  status: 200 | 201 | 204 = 200,
) {
  const [method, path] = route.split(' ') as [Method, `/${string}`];
  return base.route({ method, path, successStatus: status, summary, description });
}

/** The conflict of a list with a limit. */
export const FULL = 'The maximum number of these records is reached.';

/** Has the type that callers should pass, but accepts any object: the whole record is validated later. */
export const typed = <T>(schema: z.core.$ZodType) => schema as unknown as z.ZodMiniType<T, T>;

/** Declared explicitly, because the inferred type is a class of a library that callers need not know. */
export interface Events<T> extends AsyncGenerator<T, unknown, void> {
  return(value?: unknown): Promise<IteratorResult<T, unknown>>;
}

/** The output of an operation that sends events until the caller leaves. */
export const eventsOf = <T>(
  schema: z.ZodMiniType<T, T>,
): Schema<AsyncIteratorObject<T, unknown, void>, Events<T>> => eventIterator(schema);

export const idKey = z.object({
  id: string('Identifier of the record; safe in a path.'),
});

/** The descriptions of one kind of record. */
interface RecordsWords {
  readonly list: string;
  readonly get: string;
  readonly create: string;
  readonly create_example: object;
  readonly create_conflict: string;
  readonly update: string;
  readonly update_example: object;
  readonly remove: string;
  readonly remove_conflict?: string;
}

/** A record's members for a merge patch (RFC 7396): null resets a member to its default. */
const patchOf = <T extends Record<string, unknown>, K extends string>(
  key: K,
  value: z.core.$ZodType,
) =>
  typed<{ [P in K]: string } & { [P in Exclude<keyof T, K>]?: T[P] | null | undefined }>(
    z.looseObject({ [key]: value }),
  );

/** A record to create: omitted members get their defaults, and a secret is generated. */
const draft = <T, K extends keyof T>() =>
  typed<Partial<T> & Pick<T, K> & z.infer<typeof placeSchema>>(z.looseObject({}));

interface RecordSchema<T> extends z.core.$ZodType<T> {
  readonly shape: Readonly<Record<string, z.core.$ZodType>>;
}

/** The key accepts any text; an unknown one finds no record. It has the description of the record's member. */
function keyOf(schema: z.core.$ZodType | undefined) {
  const words = schema && z.globalRegistry.get(schema)?.description;
  return string(words ?? '');
}

export const records = <
  T extends Record<string, unknown>,
  K extends keyof T & string,
  R extends keyof W,
  W extends Record<string, unknown> & Readonly<Record<K, unknown>> = T &
    Readonly<Record<K, unknown>>,
>(
  path: `/${string}`,
  name: { readonly one: string; readonly many: string },
  key: K,
  schema: RecordSchema<T>,
  words: RecordsWords,
) => {
  const one = `${path}/{${key}}` as const;
  const keySchema = keyOf(schema.shape[key]);
  const byKey = typed<{ [P in K]: string }>(z.object({ [key]: keySchema }));
  return {
    list: op(`GET ${path}`, `List ${name.many}`, words.list)
      .input(pageSchema)
      .output(listOf(schema)),
    create: op(`POST ${path}`, `Add ${name.one}`, words.create, 201)
      .meta({ example: words.create_example, conflict: words.create_conflict })
      .input(draft<W, R>())
      .output(schema),
    get: op(`GET ${one}`, `Read ${name.one}`, words.get).input(byKey).output(schema),
    update: op(`PATCH ${one}`, `Change ${name.one} (merge patch)`, words.update)
      .meta({ example: words.update_example })
      .input(patchOf<W, K>(key, keySchema))
      .output(schema),
    remove: op(`DELETE ${one}`, `Delete ${name.one}`, words.remove, 204)
      .meta(words.remove_conflict === undefined ? {} : { conflict: words.remove_conflict })
      .input(byKey),
  };
};
