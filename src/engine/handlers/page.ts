// Pages of lists, newest first, with an opaque cursor or the number of a record.

import { invalidField } from './control-error.ts';

export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
}

export interface Page<T> {
  items: T[];
  next: string | null;
}

const encode = (key: string) => Buffer.from(key).toString('base64url');
const decode = (cursor: string) => Buffer.from(cursor, 'base64url').toString();

const LOST = 'is no longer a position in the list; start again without it';

function startOf<T>(items: readonly T[], after: string, keyOf: (item: T) => string): number {
  const key = decode(after);
  const index = items.findIndex((item) => keyOf(item) === key);
  if (index < 0) throw invalidField('after', LOST);
  return index + 1;
}

/** Returns a page of a list whose records keep their positions. @param items newest first */
export function pageOf<T>(
  items: readonly T[],
  { limit, after }: PageRequest,
  keyOf: (item: T) => string,
): Page<T> {
  return cut(items, after === undefined ? 0 : startOf(items, after, keyOf), limit, keyOf);
}

/** Returns a page of a list that changes: the records after a position in descending order. */
export function pageBelow<T>(
  items: readonly T[],
  { limit, after }: PageRequest,
  placeOf: (item: T) => string,
): Page<T> {
  const place = after === undefined ? null : decode(after);
  const start = place === null ? 0 : items.findIndex((item) => placeOf(item) < place);
  return cut(items, start < 0 ? items.length : start, limit, placeOf);
}

const NUMBER = /^\d{1,15}$/;

/** Returns the number below which the page begins. @throws ORPCError for a text that is no number */
export function numberAfter(after: string | undefined): number {
  if (after === undefined) return Number.POSITIVE_INFINITY;
  if (NUMBER.test(after)) return Number(after);
  throw invalidField('after', 'must be next of the previous response');
}

/** Returns a page of numbered records. @param found those of the page, and at least one more if there is one */
export function pageByNumber<T extends { readonly seq: number }>(
  found: readonly T[],
  limit: number,
): Page<T> {
  const last = found.length > limit ? found[limit - 1] : undefined;
  return { items: found.slice(0, limit), next: last === undefined ? null : String(last.seq) };
}

function cut<T>(
  items: readonly T[],
  start: number,
  limit: number,
  keyOf: (item: T) => string,
): Page<T> {
  const page = items.slice(start, start + limit);
  const last = page.at(-1);
  const more = start + limit < items.length;
  return { items: page, next: more && last !== undefined ? encode(keyOf(last)) : null };
}
