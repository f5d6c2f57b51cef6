import { useHotkeys } from '@mantine/hooks';
import { memo, useCallback, useMemo, type MouseEvent, type ReactNode } from 'react';
import type { ExchangeSummary } from '../../../control/schemas.ts';
import { page } from '../../connection/state.ts';
import { ColumnHeads } from '../../ui/grid/GridTable.tsx';
import { useColumnWidths, widthStyle } from '../../ui/preferences.ts';
import { openRowMenu } from '../../ui/grid/row-menu.tsx';
import { useVirtualRows } from '../../ui/grid/rows.ts';
import { COLUMNS } from './columns.ts';
import { exchangeMenu } from './exchange-menu.ts';
import { focusGrid, GRID_ID, rowId } from './grid.ts';
import { handleRowKey, moveBy, orderOf, type Keyed, type Order } from './row-keys.ts';
import type { Rows } from './rows.ts';
import classes from './Table.module.css';
import { scrolled, selectedOnly, selectedTo, selectionToggled } from './traffic-state.ts';
import { changeTraffic, useTraffic } from './traffic-store.ts';
import { TrafficRow } from './TrafficRow.tsx';
import { useEndAhead, useNewestInSight, useShownRow } from './use-shown-row.ts';

/** Older exchanges are asked for this many rows before the end is in sight. */
const AHEAD = 40;
const HEAD_PLACE = 1;
const HEADS = COLUMNS.map(({ id, name }) => ({ id, name, className: classes[id] }));
/** More pinned rows scroll among themselves. */
const PINNED_IN_SIGHT = 5;

/** Rows above those that scroll: the heading and the pinned ones. */
export const headRowsOf = (pinned: number): number => 1 + Math.min(pinned, PINNED_IN_SIGHT);

function onScroll({ scrollTop }: HTMLElement): void {
  changeTraffic((state) => scrolled(state, scrollTop > 1, page.getState().exchanges));
}

/** A press on a row opens it, or makes it part of a selection. */
function usePress(rows: Rows, onOpen: (number: number) => void) {
  return useCallback(
    ({ number }: ExchangeSummary, event: MouseEvent) => {
      if (event.button !== 0) return;
      event.preventDefault();
      focusGrid();
      const toggles = event.ctrlKey || event.metaKey;
      changeTraffic((state) => {
        if (event.shiftKey) return selectedTo(state, rows, number);
        return toggles ? selectionToggled(state, number) : selectedOnly(state, number);
      });
      if (!event.shiftKey && !toggles) onOpen(number);
    },
    [rows, onOpen],
  );
}

/** The menu of the row under the mouse; by the keyboard, of the row that its keys are at. */
function openMenuOf(event: MouseEvent, order: Order, active: number | null): void {
  const under = event.target instanceof Element ? event.target.closest('[role="row"][id]') : null;
  const number = under === null ? active : Number(under.id.replace(/^.*-/, ''));
  if (number === null) return;
  const row = under ?? document.getElementById(rowId(number));
  const exchange = order.at(order.placeOf(number));
  if (row !== null && exchange !== undefined) openRowMenu(event, row, exchangeMenu(exchange));
}

interface TrafficTableProps {
  readonly rows: Rows;
  readonly open: number | null;
  readonly onOpen: (number: number) => void;
  readonly onEnter: () => void;
  readonly onClose: () => void;
  /** The end of the list is near. */
  readonly onEnd: () => void;
  /** What stands below the last row. */
  readonly end: ReactNode;
}

/** The heading and the pinned rows, which stay where they are while the others scroll. */
function FixedRows({ children: pinned }: { readonly children: readonly ReactNode[] }) {
  return (
    <div className={classes.top}>
      <div role="rowgroup">
        <div role="row" aria-rowindex={HEAD_PLACE} className={`${classes.row} ${classes.head}`}>
          <ColumnHeads table="traffic" columns={HEADS} as="span" />
        </div>
      </div>
      {pinned.length > 0 && (
        <div role="rowgroup" aria-label="Pinned" className={classes.pinned}>
          {pinned}
        </div>
      )}
    </div>
  );
}

function EndRow({ children }: { readonly children: ReactNode }) {
  return (
    <div role="rowgroup">
      <div role="row">
        <div role="gridcell" className={classes.end}>
          {children}
        </div>
      </div>
    </div>
  );
}

/** The list itself: newest on top, as many rows drawn as are in sight. */
export const TrafficTable = memo(function TrafficTable(all: TrafficTableProps) {
  const { rows, end, onEnd, ...props } = all;
  const pinned = useTraffic((state) => state.pinned);
  const active = useTraffic((state) => state.active);
  const selected = useTraffic((state) => state.selected);
  const widths = useColumnWidths('traffic');
  const head = headRowsOf(pinned.length);
  const virtual = useVirtualRows(rows.size, '--row-dense', head);
  const { scroller, indices, above, below } = virtual;
  const order = useMemo(() => orderOf(pinned, rows), [pinned, rows]);
  const press = usePress(rows, props.onOpen);
  const scrollTo = (place: number) => {
    if (place >= pinned.length) virtual.scrollTo(place - pinned.length);
  };
  const keyed: Keyed = { ...props, rows, order, scrollTo };
  useHotkeys([
    ['J', () => moveBy(keyed, 1)],
    ['K', () => moveBy(keyed, -1)],
  ]);
  useNewestInSight(scroller);
  useShownRow(props.open, rows, virtual.scrollTo);
  useEndAhead((indices.at(-1) ?? 0) >= rows.size - AHEAD, rows.size, onEnd);

  const drawn = [...pinned, ...indices.map((index) => rows.at(index))].some(
    (exchange) => exchange?.number === active,
  );
  const row = (exchange: ExchangeSummary, place: number, key: number) => (
    <TrafficRow
      key={key}
      exchange={exchange}
      place={HEAD_PLACE + 1 + place}
      active={exchange.number === active}
      selected={selected.has(exchange.number)}
      open={exchange.number === props.open}
      pinned={place < pinned.length}
      onPress={press}
    />
  );
  return (
    <div
      ref={scroller}
      id={GRID_ID}
      role="grid"
      className={classes.grid}
      style={widthStyle(widths)}
      data-sized={Object.keys(widths).length > 0 || undefined}
      aria-label="Exchanges"
      aria-multiselectable="true"
      aria-rowcount={HEAD_PLACE + order.size}
      aria-colcount={COLUMNS.length}
      aria-activedescendant={drawn && active !== null ? rowId(active) : undefined}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.target === event.currentTarget) handleRowKey(event, keyed);
      }}
      onContextMenu={(event) => openMenuOf(event, order, active)}
      onScroll={({ currentTarget }) => onScroll(currentTarget)}
    >
      <FixedRows>
        {pinned.map((exchange, place) => row(exchange, place, exchange.number))}
      </FixedRows>
      <div role="rowgroup" style={{ paddingTop: above, paddingBottom: below }}>
        {/* By place: under a flood the rows that are there are filled anew instead of made anew. */}
        {indices.map((index) => {
          const exchange = rows.at(index);
          return exchange && row(exchange, pinned.length + index, index);
        })}
      </div>
      <EndRow>{end}</EndRow>
    </div>
  );
});
