// A view's items besides the keys of its records: `new:` begins one, `copy:<key>` duplicates one. A
// record whose key begins so stays reachable, since keys are looked up first.

export const NEW_ITEM = 'new:';
export const copyItem = (key: string): string => `copy:${key}`;

interface Drafts<T, D> {
  readonly keyOf: (record: T) => string;
  readonly begun: () => D;
  readonly copied: (record: T) => D;
}

/** What the editor begins with at this item; null when the item is a record, or nothing at all. */
export function draftFor<T, D>(
  item: string | null,
  records: readonly T[],
  { keyOf, begun, copied }: Drafts<T, D>,
): (() => D) | null {
  if (item === null || records.some((record) => keyOf(record) === item)) return null;
  if (item === NEW_ITEM) return begun;
  const source = records.find((record) => copyItem(keyOf(record)) === item);
  return source === undefined ? null : () => copied(source);
}
