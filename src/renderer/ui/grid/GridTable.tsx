import { Button } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import {
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { flushSync } from 'react-dom';
import {
  LEAST_WIDTH,
  MOST_WIDTH,
  preferences,
  setColumnWidth,
  useColumnWidths,
  widthStyle,
} from '../preferences.ts';
import type { Sorting } from './arrange.ts';
import classes from './GridTable.module.css';
import table from './table.module.css';

interface GridTableProps<K extends string> {
  /** The key under which the column widths are stored. */
  readonly name: string;
  readonly columns: readonly Column<K>[];
  readonly sorting: Sorting<K> | null;
  readonly onSort: (by: K) => void;
  /** The minimum width in pixels. */
  readonly least: number;
  readonly children: ReactNode;
}

export function GridTable<K extends string>(props: GridTableProps<K>) {
  const { name, columns, sorting, onSort, least, children } = props;
  return (
    <table
      className={`${table.table} ${table.grid}`}
      style={{ ...widthStyle(useColumnWidths(name)), minWidth: least }}
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

const AT_ONCE = 100;

/** How many rows of a long table are drawn, and the button below it that draws more, and focuses the first of them. */
export function useShownRows() {
  const [shown, setShown] = useState(AT_ONCE);
  const showMore = ({ currentTarget }: MouseEvent) => {
    const rows = currentTarget.previousElementSibling?.getElementsByTagName('tr');
    const former = rows?.length ?? 0;
    flushSync(() => setShown(shown + AT_ONCE));
    rows?.[former]?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  };
  const more = (left: number) =>
    left > 0 && (
      <Button variant="subtle" onClick={showMore}>
        {`Show more (${left.toLocaleString('en')} left)`}
      </Button>
    );
  return { shown, more };
}

type Head = Pick<Column, 'name' | 'className' | 'unseen'>;

interface HeadsProps {
  readonly names: readonly (string | Head)[];
  /** Whether a last column has the buttons of each row. */
  readonly actions?: boolean;
}

/** The headings of a table that is neither sorted nor resized. */
export const Heads = ({ names, actions = false }: HeadsProps) => (
  <thead>
    <tr>
      {[...names, ...(actions ? [{ name: 'Actions', unseen: true }] : [])]
        .map((head): Head => (typeof head === 'string' ? { name: head } : head))
        .map(({ name, className, unseen = false }) => (
          <th key={name} scope="col" className={className}>
            {unseen ? <span className="visually-hidden">{name}</span> : name}
          </th>
        ))}
    </tr>
  </thead>
);

export interface Column<K extends string = never> {
  readonly id: string;
  readonly name: string;
  readonly className?: string | undefined;
  /** The initial width in CSS, if the column has one. */
  readonly width?: string;
  /** What a click on the name sorts by; absent if the column cannot be sorted. */
  readonly sortsBy?: K;
  /** Whether the name is only for screen readers. */
  readonly unseen?: boolean;
}

interface ColumnHeadsProps<K extends string> {
  /** The key under which the column widths are stored. */
  readonly table: string;
  readonly columns: readonly Column<K>[];
  /** `th` in a table, `span` in a grid of other elements. */
  readonly as: 'th' | 'span';
  readonly sorting?: Sorting<K> | null;
  readonly onSort?: (by: K) => void;
}

const orderOf = (sorting: Sorting | null) => {
  if (sorting === null) return 'none';
  return sorting.descending ? 'descending' : 'ascending';
};

/** The headings of a grid. All but the last, which takes the remaining width, can be resized. */
export function ColumnHeads<K extends string = never>(props: ColumnHeadsProps<K>) {
  const { table, columns, as: Cell, sorting = null, onSort } = props;
  const role = Cell === 'th' ? { scope: 'col' } : { role: 'columnheader' };
  return columns.map(({ id, name, className, width, sortsBy, unseen }, index) => {
    const current = sorting !== null && sorting.key === sortsBy ? sorting : null;
    const sorts = sortsBy === undefined ? {} : ({ 'aria-sort': orderOf(current) } as const);
    const style = Cell === 'th' ? { width: `var(--w-${id}, ${width ?? 'auto'})` } : undefined;
    return (
      <Cell key={id} {...role} aria-label={name} className={className} style={style} {...sorts}>
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

interface SortNameProps {
  readonly name: string;
  /** How this column is sorted; null if it is not. */
  readonly sorting: Sorting | null;
  readonly onPress: () => void;
}

function SortName({ name, sorting, onPress }: SortNameProps) {
  const Icon = sorting === null ? IconArrowsSort : sorting.descending ? IconArrowDown : IconArrowUp;
  return (
    <button type="button" className={classes.sort} onClick={onPress}>
      {name}
      <Icon aria-hidden="true" data-current={sorting !== null || undefined} />
    </button>
  );
}

const STEP_PX = 16;

const columnOf = (handle: HTMLElement): HTMLElement => handle.parentElement ?? handle;
const shownWidth = (handle: HTMLElement): number => columnOf(handle).getBoundingClientRect().width;

/** The handles of a table are a single tab stop; the arrow keys move between them. */
function handlesBeside(handle: HTMLElement): HTMLElement[] {
  const head = columnOf(handle).parentElement;
  const all = head?.querySelectorAll<HTMLElement>('[data-column-handle]') ?? [];
  return [...all].filter((one) => one.offsetParent !== null);
}

function focusNext(handle: HTMLElement, by: number): void {
  const all = handlesBeside(handle);
  const next = all[all.indexOf(handle) + by];
  if (next === undefined) return;
  all.forEach((one) => (one.tabIndex = one === next ? 0 : -1));
  next.focus();
}

interface ColumnHandleProps {
  readonly table: string;
  readonly column: string;
  readonly title: string;
  /** Whether Tab reaches this handle. */
  readonly first: boolean;
}

/**
 * The right edge of a column's heading. Dragging it, or the arrow keys, resize the column; a double click or Delete
 * resets its width. Must be inside a positioned element.
 */
function ColumnHandle({ table, column, title, first }: ColumnHandleProps) {
  const width = useColumnWidths(table)[column];
  const dragStart = useRef({ x: 0, width: 0 });

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    dragStart.current = { x: event.clientX, width: shownWidth(event.currentTarget) };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    setColumnWidth(table, column, dragStart.current.width + event.clientX - dragStart.current.x);
  };
  const reset = () => setColumnWidth(table, column, null);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const handle = event.currentTarget;
    const widen = (by: number) =>
      setColumnWidth(
        table,
        column,
        (preferences().columns[table]?.[column] ?? shownWidth(handle)) + by,
      );
    const keys: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => widen(-STEP_PX),
      ArrowRight: () => widen(STEP_PX),
      ArrowUp: () => focusNext(handle, -1),
      ArrowDown: () => focusNext(handle, 1),
      Delete: reset,
      Backspace: reset,
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={MOST_WIDTH}
      aria-valuenow={width ?? LEAST_WIDTH}
      aria-valuetext={width === undefined ? 'automatic' : `${width} pixels`}
      title="Drag to resize, double-click to reset"
      tabIndex={first ? 0 : -1}
      data-column-handle
      className={classes.handle}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onMouseDown={(event) => event.stopPropagation()}
      onDoubleClick={reset}
      onKeyDown={onKeyDown}
    />
  );
}
