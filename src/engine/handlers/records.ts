// Clients, users and audiences are kept alike: what their operations share.

import type { z } from 'zod/mini';
import type { Collection } from '../../core/registry/lists.ts';
import { conflict, invalid, notFound } from './control-error.ts';
import { mergePatch } from '../../core/records/merge-patch.ts';
import type { Page, PageRequest } from './page.ts';
import { pageOf } from './page.ts';
import { problemsOf } from '../../core/records/problems.ts';

export interface Noun<T> {
  readonly name: string;
  readonly key: keyof T & string;
  readonly collection: Collection<T>;
  readonly schema: z.ZodMiniType<T>;
  /** What the schema cannot know. @throws ORPCError */
  readonly check?: (record: T) => void;
}

export function validate<T>(schema: z.ZodMiniType<T>, data: unknown): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw invalid(problemsOf(result.error.issues, data));
}

const MIB = 1024 * 1024;

const keyOf = <T>(noun: Noun<T>, record: T) => String(record[noun.key]);

export function listRecords<T>(noun: Noun<T>, request: PageRequest): Page<T> {
  return pageOf(noun.collection.list().reverse(), request, (record) => keyOf(noun, record));
}

export function readRecord<T>(noun: Noun<T>, key: string): T {
  const record = noun.collection.get(key);
  if (record === undefined) throw notFound(noun.name, key);
  return record;
}

/** @throws ORPCError `conflict` when the list is full, by its entries or by its bytes */
function checkRoom<T>({ name, collection }: Noun<T>, record: T): void {
  if (collection.hasRoomFor(record)) return;
  const { entries, bytes } = collection.bounds;
  throw conflict(
    `there is no room for another ${name}: a workspace holds ${entries} of them, and ${bytes / MIB} MiB`,
  );
}

export function createRecord<T>(noun: Noun<T>, draft: unknown): T {
  const record = validate(noun.schema, mergePatch({}, draft));
  const key = keyOf(noun, record);
  if (noun.collection.get(key) !== undefined) {
    throw conflict(`there is a ${noun.name} "${key}" already`, noun.key);
  }
  checkRoom(noun, record);
  noun.check?.(record);
  noun.collection.put(record);
  return record;
}

/** @param patch merged into the record (RFC 7396); null puts a member back to its default */
export function updateRecord<T>(noun: Noun<T>, key: string, patch: unknown): T {
  const record = validate(noun.schema, mergePatch(readRecord(noun, key), patch));
  checkRoom(noun, record);
  noun.check?.(record);
  noun.collection.put(record);
  return record;
}

export function removeRecord<T>(noun: Noun<T>, key: string): void {
  readRecord(noun, key);
  noun.collection.remove(key);
}
