import type { Sorting } from './arrange.ts';
import { ColumnHandle } from './ColumnHandle.tsx';
import { SortName } from './SortName.tsx';

export interface Column<K extends string = never> {
  readonly id: string;
  readonly name: string;
  readonly className: string | undefined;
  /** What a press on its name sorts by; left out where it sorts by nothing. */
  readonly sortsBy?: K;
  /** Whether the name is only read out. */
  readonly unseen?: boolean;
}

interface ColumnHeadsProps<K extends string> {
  /** Under which name the widths are remembered. */
  readonly table: string;
  readonly columns: readonly Column<K>[];
  /** Cells of a table, or of a grid that is none. */
  readonly as: 'th' | 'span';
  readonly sorting?: Sorting<K> | null;
  readonly onSort?: (by: K) => void;
}

const orderOf = (sorting: Sorting | null) => {
  if (sorting === null) return 'none';
  return sorting.descending ? 'descending' : 'ascending';
};

/** The headings of a grid; each but the last, which takes what is left, can be made wider. */
export function ColumnHeads<K extends string = never>(props: ColumnHeadsProps<K>) {
  const { table, columns, as: Cell, sorting = null, onSort } = props;
  const role = Cell === 'th' ? { scope: 'col' } : { role: 'columnheader' };
  return columns.map(({ id, name, className, sortsBy, unseen }, index) => {
    const current = sorting !== null && sorting.key === sortsBy ? sorting : null;
    const sorts = sortsBy === undefined ? {} : ({ 'aria-sort': orderOf(current) } as const);
    return (
      <Cell key={id} {...role} aria-label={name} className={className} {...sorts}>
        {sortsBy === undefined ? (
          <span className={unseen === true ? 'visually-hidden' : undefined}>{name}</span>
        ) : (
          <SortName name={name} sorting={current} onPress={() => onSort?.(sortsBy)} />
        )}
        {index < columns.length - 1 && (
          <ColumnHandle table={table} column={id} title={name} first={index === 0} />
        )}
      </Cell>
    );
  });
}
