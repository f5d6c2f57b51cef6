// The operations shared by clients, users and audiences.

import type { z } from 'zod/mini';
import type { Collection } from '../../core/registry/lists.ts';
import type { TokenService } from '../../core/service.ts';
import { conflict, invalid, notFound } from './control-error.ts';
import { placeSchema } from '../../control/schemas.ts';
import { mergePatch } from '../../core/records/merge-patch.ts';
import { pageOf, type PageRequest } from './page.ts';
import { IN_WORDS, problemsOf, within } from '../../core/records/problems.ts';

interface RecordsDefinition<T> {
  readonly name: string;
  readonly key: keyof T & string;
  readonly collection: Collection<T>;
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

const MIB = 1024 * 1024;

/** Returns the operations on one list of records. */
export function recordsOf<T>({ name, key, collection, schema, check }: RecordsDefinition<T>) {
  const keyOf = (record: T) => String(record[key]);
  const read = (id: string): T => {
    const record = collection.get(id);
    if (record === undefined) throw notFound(name, id);
    return record;
  };
  const put = (record: T, position?: number): T => {
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
  return {
    list: (request: PageRequest) => pageOf(collection.list().reverse(), request, keyOf),
    read,
    create: (draft: unknown): T => {
      const { position, ...members } = validate(placeSchema, mergePatch({}, draft));
      const record = validate(schema, members);
      const id = keyOf(record);
      if (collection.get(id) !== undefined)
        throw conflict(`the ${name} "${id}" already exists`, key);
      return put(record, position);
    },
    /** @param patch merged into the record (RFC 7396); null resets a member to its default */
    update: (id: string, patch: unknown): T => put(validate(schema, mergePatch(read(id), patch))),
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
