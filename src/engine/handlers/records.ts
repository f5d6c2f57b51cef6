// The operations shared by all lists of records: registered and saved ones, and fault rules.

import type { z } from 'zod/mini';
import type { Collection } from '../../core/registry/lists.ts';
import type { TokenService } from '../../core/service.ts';
import { conflict, existing, invalid } from './control-error.ts';
import { placeSchema } from '../../control/schemas.ts';
import { mergePatch } from '../../core/records/merge-patch.ts';
import { pageOf, type PageRequest } from './page.ts';
import { IN_WORDS, problemsOf, within } from '../../core/records/problems.ts';

interface RecordsDefinition<T> {
  /** The kind of record, in messages. */
  readonly name: string;
  /** The member that identifies a record, in errors. */
  readonly key: string;
  readonly keyOf: (record: T) => string;
  readonly collection: Pick<
    Collection<T>,
    'bounds' | 'get' | 'hasRoomFor' | 'list' | 'put' | 'remove'
  >;
  readonly schema: z.ZodMiniType<T>;
  /** Checks rules that the schema cannot. @throws ORPCError */
  readonly check?: (record: T) => void;
}

/** @param path of the data in errors @throws ORPCError naming every problem */
export function validate<T>(schema: z.ZodMiniType<T>, data: unknown, path = ''): T {
  const result = schema.safeParse(data, IN_WORDS);
  if (result.success) return result.data;
  throw invalid(within(path, problemsOf(result.error.issues, data)));
}

const isOfName = ({ code }: z.core.$ZodIssue) => code === 'unrecognized_keys';

/**
 * Returns a record with a patch applied (RFC 7396).
 * @param merge applies the patch, with the last parameter of `mergePatch`: a removed member is not in the record, but
 *   must have a known name as well
 * @param path of the data in errors @throws ORPCError naming every problem
 */
export function patched<T>(
  schema: z.ZodMiniType<T>,
  merge: (keepNames?: boolean) => unknown,
  path = '',
): T {
  const [merged, named] = [merge(), merge(true)];
  const { success, data, error } = schema.safeParse(merged, IN_WORDS);
  const { issues = [] } = schema.safeParse(named, IN_WORDS).error ?? {};
  const problems = [
    ...problemsOf(error?.issues.filter((issue) => !isOfName(issue)) ?? [], merged),
    ...problemsOf(issues.filter(isOfName), named),
  ];
  if (success && problems.length === 0) return data;
  throw invalid(within(path, problems));
}

const MIB = 1024 * 1024;

/** Returns the operations on one list of records. */
export function recordsOf<T>(definition: RecordsDefinition<T>) {
  const { name, key, keyOf, collection, schema, check } = definition;
  const read = (id: string): T => existing(collection.get(id), name, id);
  const store = (record: T, position?: number): T => {
    if (!collection.hasRoomFor(record)) {
      const { entries, bytes } = collection.bounds;
      throw conflict(
        `another ${name} cannot be added: a workspace can have at most ${entries}, with ${bytes / MIB} MiB in total`,
      );
    }
    check?.(record);
    collection.put(record, position);
    return record;
  };
  /** @throws ORPCError `conflict` if there is a record with its key */
  const insert = (record: T, position?: number): T => {
    const id = keyOf(record);
    if (collection.get(id) !== undefined) throw conflict(`the ${name} "${id}" already exists`, key);
    return store(record, position);
  };
  return {
    list: (request: PageRequest) => pageOf(collection.list().reverse(), request, keyOf),
    read,
    put: (data: unknown): T => store(validate(schema, data)),
    add: (data: unknown): T => insert(validate(schema, data)),
    create: ({ position: place, ...draft }: Readonly<Record<string, unknown>>): T => {
      const { position } = validate(placeSchema, mergePatch({}, { position: place }));
      return insert(
        patched(schema, (keepNames) => mergePatch({}, draft, keepNames)),
        position,
      );
    },
    /** @param patch merged into the record (RFC 7396); null resets a member to its default */
    update: (id: string, patch: unknown): T =>
      store(patched(schema, (keepNames) => mergePatch(read(id), patch, keepNames))),
    remove: (id: string): void => {
      read(id);
      collection.remove(id);
    },
  };
}

/** @throws ORPCError `conflict` if a client would have a default audience that no longer exists */
export function checkNoDefault(
  audience: string,
  { clients }: TokenService['registry'],
  field?: string,
): void {
  const user = clients.list().find((client) => client.default_audience === audience);
  if (user === undefined) return;
  const message = `"${audience}" is the default audience of the client "${user.client_id}"`;
  throw conflict(message, field);
}
