import type { ReactNode } from 'react';
import table from '../table.module.css';
import type { Sorting } from './arrange.ts';
import { useColumnWidths, widthStyle } from './column-widths.ts';
import { ColumnHeads, type Column } from './ColumnHeads.tsx';

interface GridTableProps<K extends string> {
  /** Under which the widths are remembered. */
  readonly name: string;
  readonly columns: readonly Column<K>[];
  readonly sorting: Sorting<K> | null;
  readonly onSort: (by: K) => void;
  /** How wide it is at least. */
  readonly className: string | undefined;
  /** Its rows. */
  readonly children: ReactNode;
}

/** A table whose columns sort, and can be made wider. */
export function GridTable<K extends string>(props: GridTableProps<K>) {
  const { name, columns, sorting, onSort, className, children } = props;
  return (
    <table
      className={`${table.table} ${table.grid} ${className}`}
      style={widthStyle(useColumnWidths(name))}
    >
      <thead>
        <tr>
          <ColumnHeads table={name} columns={columns} as="th" sorting={sorting} onSort={onSort} />
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
