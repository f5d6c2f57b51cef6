import { ColumnHandle } from './ColumnHandle.tsx';

export interface Column {
  readonly id: string;
  readonly name: string;
  readonly className: string | undefined;
}

interface ColumnHeadsProps {
  /** Under which name the widths are remembered. */
  readonly table: string;
  readonly columns: readonly Column[];
  /** Cells of a table, or of a grid that is none. */
  readonly as: 'th' | 'span';
}

/** The headings of a grid; each but the last, which takes what is left, can be made wider. */
export function ColumnHeads({ table, columns, as: Cell }: ColumnHeadsProps) {
  const role = Cell === 'th' ? { scope: 'col' } : { role: 'columnheader' };
  return columns.map(({ id, name, className }, index) => (
    <Cell key={id} {...role} aria-label={name} className={className}>
      {name}
      {index < columns.length - 1 && (
        <ColumnHandle table={table} column={id} title={name} first={index === 0} />
      )}
    </Cell>
  ));
}
