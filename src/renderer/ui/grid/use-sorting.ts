// By which column a person sorts a table.

import { useState } from 'react';
import { nextSorting, sortedBy, type Sorting } from './arrange.ts';

/** @param ranks what each column that sorts is sorted by */
export function useSorting<T, K extends string>(
  ranks: Readonly<Record<K, (record: T) => string | number>>,
) {
  const [sorting, setSorting] = useState<Sorting<K> | null>(null);
  return {
    heads: { sorting, onSort: (by: K) => setSorting((now) => nextSorting(now, by)) },
    sorted: (records: readonly T[]) => sortedBy(records, sorting, ranks),
  };
}
