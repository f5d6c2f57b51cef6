// Which records of a list are shown, and in what order.

import { useState } from 'react';

export interface Sorting<K extends string = string> {
  readonly key: K;
  readonly descending: boolean;
}

/** The value that a column is sorted by. */
type Rank = string | number;

const compare = (a: Rank, b: Rank): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), 'en', { numeric: true, sensitivity: 'base' });

/** The records that contain all words of the text. */
export function filtered<T>(
  records: readonly T[],
  text: string,
  textOf: (record: T) => string,
): readonly T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return records;
  return records.filter((record) => {
    const found = textOf(record).toLowerCase();
    return words.every((word) => found.includes(word));
  });
}

/** Sorts stably; without a sorting, the order stays. */
export function sortedBy<T, K extends string>(
  records: readonly T[],
  sorting: Sorting<K> | null,
  ranks: Readonly<Record<K, (record: T) => Rank>>,
): readonly T[] {
  if (sorting === null) return records;
  const rank = ranks[sorting.key];
  const sign = sorting.descending ? -1 : 1;
  return records.toSorted((a, b) => sign * compare(rank(a), rank(b)));
}

/** The sorting after a click on a heading: ascending, descending, then none. */
export function nextSorting<K extends string>(now: Sorting<K> | null, key: K): Sorting<K> | null {
  if (now?.key !== key) return { key, descending: false };
  return now.descending ? null : { key, descending: true };
}

/** @param ranks the value that each sortable column is sorted by */
export function useSorting<T, K extends string>(
  ranks: Readonly<Record<K, (record: T) => string | number>>,
) {
  const [sorting, setSorting] = useState<Sorting<K> | null>(null);
  return {
    heads: { sorting, onSort: (by: K) => setSorting((now) => nextSorting(now, by)) },
    sorted: (records: readonly T[]) => sortedBy(records, sorting, ranks),
  };
}
