// The operations shared by clients, users and audiences.

import type { z } from 'zod/mini';
import type { Collection } from '../../core/registry/lists.ts';
import type { TokenService } from '../../core/service.ts';
import { conflict, invalid, notFound } from './control-error.ts';
import { placeSchema } from '../../control/schemas.ts';
import { mergePatch } from '../../core/records/merge-patch.ts';
import { type Page, pageOf, type PageRequest } from './page.ts';
import { IN_WORDS, problemsOf } from '../../core/records/problems.ts';

export interface ResourceDefinition<T> {
  readonly name: string;
  readonly key: keyof T & string;
  readonly collection: Collection<T>;
  readonly schema: z.ZodMiniType<T>;
  /** Checks rules that the schema cannot. @throws ORPCError */
  readonly check?: (record: T) => void;
}

export function validate<T>(schema: z.ZodMiniType<T>, data: unknown): T {
  const result = schema.safeParse(data, IN_WORDS);
  if (result.success) return result.data;
  throw invalid(problemsOf(result.error.issues, data));
}

const MIB = 1024 * 1024;

const keyOf = <T>(definition: ResourceDefinition<T>, record: T) => String(record[definition.key]);

export function listRecords<T>(definition: ResourceDefinition<T>, request: PageRequest): Page<T> {
  return pageOf(definition.collection.list().reverse(), request, (record) =>
    keyOf(definition, record),
  );
}

export function readRecord<T>(definition: ResourceDefinition<T>, key: string): T {
  const record = definition.collection.get(key);
  if (record === undefined) throw notFound(definition.name, key);
  return record;
}

/** @throws ORPCError `conflict` if the list has reached its limit of entries or bytes */
function checkRoom<T>({ name, collection }: ResourceDefinition<T>, record: T): void {
  if (collection.hasRoomFor(record)) return;
  const { entries, bytes } = collection.bounds;
  throw conflict(
    `another ${name} cannot be added: a workspace can have at most ${entries}, with ${bytes / MIB} MiB in total`,
  );
}

export function createRecord<T>(definition: ResourceDefinition<T>, draft: unknown): T {
  const { position, ...members } = validate(placeSchema, mergePatch({}, draft));
  const record = validate(definition.schema, members);
  const key = keyOf(definition, record);
  if (definition.collection.get(key) !== undefined) {
    throw conflict(`the ${definition.name} "${key}" already exists`, definition.key);
  }
  checkRoom(definition, record);
  definition.check?.(record);
  definition.collection.put(record, position);
  return record;
}

/** @param patch merged into the record (RFC 7396); null resets a member to its default */
export function updateRecord<T>(definition: ResourceDefinition<T>, key: string, patch: unknown): T {
  const record = validate(definition.schema, mergePatch(readRecord(definition, key), patch));
  checkRoom(definition, record);
  definition.check?.(record);
  definition.collection.put(record);
  return record;
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

export function removeRecord<T>(definition: ResourceDefinition<T>, key: string): void {
  readRecord(definition, key);
  definition.collection.remove(key);
}
