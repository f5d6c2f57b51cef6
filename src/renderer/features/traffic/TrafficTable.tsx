import { useHotkeys } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, type MouseEvent, type ReactNode } from 'react';
import type { ExchangeSummary } from '../../../control/schemas.ts';
import { page } from '../../state.ts';
import { useVirtualRows } from '../../ui/use-virtual-rows.ts';
import { COLUMN_IDS } from './columns.ts';
import { handleRowKey, moveBy, orderOf, type Keyed } from './row-keys.ts';
import type { Rows } from './rows.ts';
import classes from './Table.module.css';
import { TableHead } from './TableHead.tsx';
import { rowId, TrafficRow } from './TrafficRow.tsx';
import { scrolled, selectedOnly, selectedTo, selectionToggled } from './traffic-state.ts';
import { changeTraffic, useTraffic } from './traffic-store.ts';

/** Older exchanges are asked for this many rows before the end is in sight. */
const AHEAD = 40;
const HEAD_PLACE = 1;
/** More pinned rows scroll among themselves. */
const PINNED_IN_SIGHT = 5;

/** Rows above those that scroll: the heading and the pinned ones. */
export const headRowsOf = (pinned: number): number => 1 + Math.min(pinned, PINNED_IN_SIGHT);

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

/** The list itself: newest on top, as many rows drawn as are in sight. */
export function TrafficTable(props: TrafficTableProps) {
  const { rows, open, onOpen, onEnter, onClose, onEnd, end } = props;
  const pinned = useTraffic((state) => state.pinned);
  const active = useTraffic((state) => state.active);
  const selected = useTraffic((state) => state.selected);
  const following = useTraffic((state) => state.held === null);
  const { scroller, indices, above, below, scrollTo } = useVirtualRows(
    rows.size,
    '--row-dense',
    headRowsOf(pinned.length),
  );
  const order = useMemo(() => orderOf(pinned, rows), [pinned, rows]);
  const toPlace = (place: number) => {
    if (place >= pinned.length) scrollTo(place - pinned.length);
  };
  const keyed: Keyed = { rows, order, open, onOpen, onEnter, onClose, scrollTo: toPlace };
  useHotkeys([
    ['J', () => moveBy(keyed, 1)],
    ['K', () => moveBy(keyed, -1)],
  ]);

  const last = indices.at(-1) ?? 0;
  useEffect(() => {
    if (last >= rows.size - AHEAD) onEnd();
  }, [last, rows.size, onEnd]);

  useEffect(() => {
    if (following) scroller.current?.scrollTo({ top: 0 });
  }, [following, scroller]);

  useEffect(() => {
    if (open === null) return;
    changeTraffic((state) => (state.active === open ? state : selectedOnly(state, open)));
    const index = rows.indexOf(open);
    if (index >= 0) scrollTo(index);
    // Not when rows move: only when something else is opened.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [open]);

  const press = useCallback(
    ({ number }: ExchangeSummary, event: MouseEvent) => {
      if (event.button !== 0) return;
      event.preventDefault();
      scroller.current?.focus({ preventScroll: true });
      if (event.shiftKey) changeTraffic((state) => selectedTo(state, rows, number));
      else if (event.ctrlKey || event.metaKey)
        changeTraffic((state) => selectionToggled(state, number));
      else {
        changeTraffic((state) => selectedOnly(state, number));
        onOpen(number);
      }
    },
    [rows, onOpen, scroller],
  );

  const row = (exchange: ExchangeSummary, place: number, key: number, onTop: boolean) => (
    <TrafficRow
      key={key}
      exchange={exchange}
      place={HEAD_PLACE + 1 + place}
      active={exchange.number === active}
      selected={selected.has(exchange.number)}
      open={exchange.number === open}
      pinned={onTop}
      onPress={press}
    />
  );
  return (
    <div
      ref={scroller}
      role="grid"
      className={classes.grid}
      aria-label="Exchanges"
      aria-multiselectable="true"
      aria-rowcount={HEAD_PLACE + order.size}
      aria-colcount={COLUMN_IDS.length}
      aria-activedescendant={active === null ? undefined : rowId(active)}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.target === event.currentTarget) handleRowKey(event, keyed);
      }}
      onScroll={({ currentTarget }) => {
        const away = currentTarget.scrollTop > 1;
        changeTraffic((state) => scrolled(state, away, page.getState().exchanges));
      }}
    >
      <div className={classes.top}>
        <div role="rowgroup">
          <TableHead />
        </div>
        {pinned.length > 0 && (
          <div role="rowgroup" aria-label="Pinned" className={classes.pinned}>
            {pinned.map((exchange, place) => row(exchange, place, exchange.number, true))}
          </div>
        )}
      </div>
      <div role="rowgroup" style={{ paddingTop: above, paddingBottom: below }}>
        {/* By place: under a flood the rows that are there are filled anew instead of made anew. */}
        {indices.map((index) => {
          const exchange = rows.at(index);
          return exchange && row(exchange, pinned.length + index, index, false);
        })}
      </div>
      <div role="rowgroup">
        <div role="row">
          <div role="gridcell" className={classes.end}>
            {end}
          </div>
        </div>
      </div>
    </div>
  );
}
