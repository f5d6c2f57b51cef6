import { Group } from '@mantine/core';
import {
  useEffect,
  type RefObject,
  type KeyboardEvent,
  memo,
  useCallback,
  useMemo,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { useHotkeys } from '@mantine/hooks';
import type { ExchangeSummary } from '../../../control/schemas.ts';
import { rowAfterKey, useVirtualRows } from '../../ui/grid/rows.ts';
import { page } from '../../connection/state.ts';
import { ColumnHeads } from '../../ui/grid/GridTable.tsx';
import { useColumnWidths, widthStyle } from '../../ui/preferences.ts';
import { openRowMenu } from '../../ui/grid/row-menu.tsx';
import { type Rows, allNumbers } from './rows.ts';
import {
  changeTraffic,
  scrolled,
  selectedOnly,
  selectedTo,
  selectionToggled,
  traffic,
  useTraffic,
  withSelection,
} from './traffic-state.ts';
import { exchangeMenu, loadOlder, togglePin } from './traffic-actions.ts';
import { COLUMNS, focusGrid, GRID_ID, rowId, TrafficRow } from './TrafficRow.tsx';
import classes from './Table.module.css';

/** Scrolls to the row of an exchange when it is opened, from wherever that happens. */
function useShownRow(open: number | null, rows: Rows, scrollTo: (index: number) => void): void {
  useEffect(() => {
    if (open === null) return;
    changeTraffic((state) => (state.active === open ? state : selectedOnly(state, open)));
    const index = rows.indexOf(open);
    if (index >= 0) scrollTo(index);
    // Not when rows move, only when another exchange is opened.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [open]);
}

/** Scrolls to the newest when the list follows again. */
function useNewestInSight(scroller: RefObject<HTMLElement | null>): void {
  const following = useTraffic((state) => state.held === null);
  useEffect(() => {
    if (following) scroller.current?.scrollTo({ top: 0 });
  }, [following, scroller]);
}

/** Loads older exchanges when the end of the loaded ones comes near. */
function useEndAhead(near: boolean, size: number): void {
  useEffect(() => {
    if (near) void loadOlder();
  }, [near, size]);
}

// The keys of the list: moving, opening, selecting, pinning.

/** The rows in their order: the pinned ones, then the others. */
interface Order {
  readonly size: number;
  readonly at: (place: number) => ExchangeSummary | undefined;
  /** -1 if it is not listed. */
  readonly placeOf: (number: number) => number;
}

function orderOf(pinned: readonly ExchangeSummary[], rows: Rows): Order {
  return {
    size: pinned.length + rows.size,
    at: (place) => (place < pinned.length ? pinned[place] : rows.at(place - pinned.length)),
    placeOf: (number) => {
      const onTop = pinned.findIndex((exchange) => exchange.number === number);
      if (onTop >= 0) return onTop;
      const index = rows.indexOf(number);
      return index < 0 ? -1 : pinned.length + index;
    },
  };
}

/** What the keys act on. */
interface Keyed {
  readonly rows: Rows;
  readonly order: Order;
  /** The exchange that is open beside the list. */
  readonly open: number | null;
  readonly onOpen: (number: number) => void;
  /** Moves the focus to the open exchange. */
  readonly onEnter: () => void;
  readonly onClose: () => void;
  readonly scrollTo: (place: number) => void;
}

/** Its rows are lower than those of other lists, so a page has more of them. */
const A_PAGE = 15;

const placeNow = ({ order }: Keyed): number => {
  const { active } = traffic.getState();
  return active === null ? -1 : order.placeOf(active);
};

/** While an exchange is open beside the list, moving to another row opens that one. */
function moveTo(keyed: Keyed, wanted: number, range: boolean): void {
  const { rows, order, open, onOpen, scrollTo } = keyed;
  const place = Math.max(0, Math.min(wanted, order.size - 1));
  const exchange = order.at(place);
  if (exchange === undefined) return;
  const { number } = exchange;
  changeTraffic((state) => (range ? selectedTo(state, rows, number) : selectedOnly(state, number)));
  scrollTo(place);
  if (open !== null && !range) onOpen(number);
}

const moveBy = (keyed: Keyed, by: number): void => moveTo(keyed, placeNow(keyed) + by, false);

/** Returns whether it handles the key. */
function handleRowKey(keyed: Keyed, event: KeyboardEvent): boolean {
  const { rows, order, open, onOpen, onEnter, onClose } = keyed;
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (altKey) return false;
  if (ctrlKey || metaKey) {
    if (name === 'a') changeTraffic((state) => withSelection(state, allNumbers(rows)));
    return name === 'a';
  }
  if (name === 'Escape') {
    const selecting = traffic.getState().selected.size > 0;
    if (open !== null) onClose();
    else if (selecting) changeTraffic((state) => withSelection(state, []));
    return open !== null || selecting;
  }
  const now = placeNow(keyed);
  const place = rowAfterKey(name, now, 0, order.size, A_PAGE);
  if (place !== null) {
    moveTo(keyed, place, shiftKey);
    return true;
  }
  const exchange = order.at(now);
  if (exchange === undefined) return false;
  const { number } = exchange;
  switch (name) {
    case 'Enter':
      if (open === number) onEnter();
      else onOpen(number);
      return true;
    case ' ':
      changeTraffic((state) => selectionToggled(state, number));
      return true;
    case 't':
      togglePin(exchange);
      return true;
    default:
      return false;
  }
}

/** How many rows before the end older exchanges are requested. */
const AHEAD = 40;
const HEAD_PLACE = 1;
const HEADS = COLUMNS.map(({ id, name }) => ({ id, name, className: classes[id] }));
/** If there are more pinned rows than this, they scroll. */
const PINNED_IN_SIGHT = 5;

/** The rows above those that scroll: the heading and the pinned ones. */
export const headRowsOf = (pinned: number): number => 1 + Math.min(pinned, PINNED_IN_SIGHT);

function onScroll({ scrollTop }: HTMLElement): void {
  changeTraffic((state) => scrolled(state, scrollTop > 1, page.getState().exchanges));
}

/** A click on a row opens it, or changes the selection. */
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

/** Opens the menu of the row under the mouse, or by keyboard of the current row. */
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
  /** Shown below the last row. */
  readonly end: ReactNode;
}

/** The heading and the pinned rows, which stay while the others scroll. */
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

/** The list itself, newest first. Draws only the rows in view. */
export const TrafficTable = memo(function TrafficTable(all: TrafficTableProps) {
  const { rows, end, ...props } = all;
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
  useEndAhead((indices.at(-1) ?? 0) >= rows.size - AHEAD, rows.size);

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
        const isOwn = event.target === event.currentTarget;
        if (isOwn && handleRowKey(keyed, event)) event.preventDefault();
      }}
      onContextMenu={(event) => openMenuOf(event, order, active)}
      onScroll={({ currentTarget }) => onScroll(currentTarget)}
    >
      <FixedRows>
        {pinned.map((exchange, place) => row(exchange, place, exchange.number))}
      </FixedRows>
      <div role="rowgroup" style={{ paddingTop: above, paddingBottom: below }}>
        {/* Keyed by place: under heavy traffic the existing rows are filled again instead of created again. */}
        {indices.map((index) => {
          const exchange = rows.at(index);
          return exchange && row(exchange, pinned.length + index, index);
        })}
      </div>
      <div role="rowgroup">
        <div role="row">
          <Group role="gridcell" gap="xs" justify="center" px="md" py="sm" fz="xs" c="dimmed">
            {end}
          </Group>
        </div>
      </div>
    </div>
  );
});
