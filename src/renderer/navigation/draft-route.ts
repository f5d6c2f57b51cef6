// Items of a view that are not keys of its records: `new:` starts a record, `copy:<key>` duplicates one. Records are
// looked up first, so a record with such a key can still be opened.

export const NEW_ITEM = 'new:';
export const copyItem = (key: string): string => `copy:${key}`;

interface Drafts<T, D> {
  readonly keyOf: (record: T) => string;
  readonly create: () => D;
  readonly duplicate: (record: T) => D;
}

/** Creates the draft for this item; null if the item is a record, or unknown. */
export function draftFor<T, D>(
  item: string | null,
  records: readonly T[],
  { keyOf, create, duplicate }: Drafts<T, D>,
): (() => D) | null {
  if (item === null || records.some((record) => keyOf(record) === item)) return null;
  if (item === NEW_ITEM) return create;
  const source = records.find((record) => copyItem(keyOf(record)) === item);
  return source === undefined ? null : () => duplicate(source);
}
