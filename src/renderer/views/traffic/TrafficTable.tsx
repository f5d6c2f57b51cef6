import { Button, Group } from '@mantine/core';
import {
  useEffect,
  type RefObject,
  type KeyboardEvent,
  memo,
  useCallback,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { useHotkeys } from '@mantine/hooks';
import type { ExchangeSummary } from '../../../control/schemas.ts';
import { rowAfterKey, useVirtualRows } from '../../ui/grid/rows.ts';
import { oldestNumber, type Chunk, type ExchangeWindow } from '../../connection/exchange-window.ts';
import { page, usePage } from '../../connection/state.ts';
import { ColumnHeads } from '../../ui/grid/GridTable.tsx';
import { useColumnWidths, usePreference, widthStyle } from '../../ui/preferences.ts';
import { openRowMenu, type RowMenu } from '../../ui/grid/row-menu.tsx';
import { LoginComparison } from './LoginComparison.tsx';
import { byLogin, linesOf, newestFailureOf } from './logins.ts';
import {
  allNumbers,
  endWords,
  isLogin,
  keyOf,
  type Lines,
  type Login,
  type Row,
  type RowKey,
  type Rows,
} from './rows.ts';
import {
  changeTraffic,
  foldToggled,
  scrolled,
  selectedOnly,
  selectedTo,
  selectionToggled,
  traffic,
  useTraffic,
  withSelection,
  withSequence,
} from './traffic-state.ts';
import {
  closeExchange,
  exchangeMenu,
  loadOlder,
  openExchange,
  showCleared,
  togglePin,
} from './traffic-actions.ts';
import {
  COLUMNS,
  focusDetail,
  focusGrid,
  GRID_ID,
  keyOfRow,
  LoginRow,
  rowId,
  TrafficRow,
} from './TrafficRow.tsx';
import classes from './Table.module.css';

const loginAt = (chunks: readonly Chunk[], wanted: number): number | null =>
  chunks.flat().find(({ number }) => number === wanted)?.login ?? null;

/** Unfolds the login of an exchange and scrolls to its row when it is opened, from wherever that happens. */
function useShownRow(
  open: number | null,
  { chunks }: ExchangeWindow,
  lines: Lines,
  scrollTo: (index: number) => void,
): void {
  const pendingScroll = useRef<number | null>(null);
  // It is null until an exchange that was opened while it was held is recorded.
  const login = useMemo(() => (open === null ? null : loginAt(chunks, open)), [chunks, open]);
  useEffect(() => {
    pendingScroll.current = open;
    if (open === null) return;
    changeTraffic((state) => (state.active === open ? state : selectedOnly(state, open)));
  }, [open]);
  useEffect(() => {
    if (login === null) return;
    changeTraffic((state) => (state.unfolded.has(login) ? state : foldToggled(state, login)));
  }, [open, login]);
  useEffect(() => {
    const index = pendingScroll.current === null ? -1 : lines.indexOf(pendingScroll.current);
    if (index < 0) return;
    pendingScroll.current = null;
    scrollTo(index);
  });
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
const orderOf = (pinned: readonly ExchangeSummary[], lines: Lines): Lines => ({
  size: pinned.length + lines.size,
  at: (place) => (place < pinned.length ? pinned[place] : lines.at(place - pinned.length)),
  indexOf: (key) => {
    const onTop = pinned.findIndex(({ number }) => number === key);
    if (onTop >= 0) return onTop;
    const index = lines.indexOf(key);
    return index < 0 ? -1 : pinned.length + index;
  },
});

/** What the keys act on. */
interface Keyed {
  /** The exchange that is open beside the list. */
  readonly open: number | null;
  readonly rows: Rows;
  readonly lines: Lines;
  readonly order: Lines;
  readonly scrollTo: (place: number) => unknown;
}

/** Its rows are lower than those of other lists, so a page has more of them. */
const A_PAGE = 15;

const placeNow = ({ order }: Keyed): number => {
  const { active } = traffic.getState();
  return active === null ? -1 : order.indexOf(active);
};

/** While an exchange is open beside the list, moving to another row opens that one. */
function moveTo(keyed: Keyed, wanted: number, range: boolean): void {
  const { lines, order, open, scrollTo } = keyed;
  const place = Math.max(0, Math.min(wanted, order.size - 1));
  const row = order.at(place);
  if (row === undefined) return;
  const key = keyOf(row);
  changeTraffic((state) => (range ? selectedTo(state, lines, key) : selectedOnly(state, key)));
  scrollTo(place);
  if (open !== null && !range && typeof key === 'number') void openExchange(key);
}

const moveBy = (keyed: Keyed, by: number): void => moveTo(keyed, placeNow(keyed) + by, false);

/** Folds or unfolds a login; where one was rejected, unfolding it opens the rejected exchange. */
function toggleLogin(login: Login): void {
  const key = keyOf(login);
  const wasFolded = !traffic.getState().unfolded.has(login.number);
  changeTraffic((state) => foldToggled({ ...state, active: key, anchor: key }, login.number));
  const failure = newestFailureOf(login);
  if (wasFolded && failure !== undefined) void openExchange(failure.number);
}

/** The keys of a tree: they fold and unfold a login, and lead from an exchange to its login. */
function handleTreeKey(keyed: Keyed, name: string, row: Row): boolean {
  const isUnfolded = ({ number }: Login) => traffic.getState().unfolded.has(number);
  if (isLogin(row)) {
    const toggles =
      name === 'Enter' || name === ' ' || name === (isUnfolded(row) ? 'ArrowLeft' : 'ArrowRight');
    if (name === 'Enter') toggleLogin(row);
    else if (toggles) changeTraffic((state) => foldToggled(state, row.number));
    return toggles;
  }
  const login = row.login === null ? -1 : keyed.order.indexOf(`login-${row.login}`);
  if (name !== 'ArrowLeft' || login < 0) return false;
  moveTo(keyed, login, false);
  return true;
}

/** Returns whether it handles the key. */
function handleRowKey(keyed: Keyed, event: KeyboardEvent): boolean {
  const { rows, order, open } = keyed;
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (altKey) return false;
  if (ctrlKey || metaKey) {
    if (name === 'a') changeTraffic((state) => withSelection(state, allNumbers(rows)));
    return name === 'a';
  }
  if (name === 'Escape') {
    const selecting = traffic.getState().selected.size > 0;
    if (open !== null) void closeExchange();
    else if (selecting) changeTraffic((state) => withSelection(state, []));
    return open !== null || selecting;
  }
  const now = placeNow(keyed);
  const place = rowAfterKey(name, now, 0, order.size, A_PAGE);
  if (place !== null) {
    moveTo(keyed, place, shiftKey);
    return true;
  }
  const row = order.at(now);
  if (row === undefined) return false;
  if (handleTreeKey(keyed, name, row)) return true;
  if (isLogin(row)) return false;
  const { number } = row;
  switch (name) {
    case 'Enter':
      if (open === number) focusDetail();
      else void openExchange(number);
      return true;
    case ' ':
      changeTraffic((state) => selectionToggled(state, row));
      return true;
    case 't':
      togglePin(row);
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

/** A click on a row opens it, folds or unfolds it, or changes the selection. */
function usePress(lines: Lines) {
  return useCallback(
    (row: Row, event: MouseEvent) => {
      if (event.button !== 0) return;
      event.preventDefault();
      focusGrid();
      const key = keyOf(row);
      const toggles = event.ctrlKey || event.metaKey;
      changeTraffic((state) => {
        if (event.shiftKey) return selectedTo(state, lines, key);
        if (toggles) return selectionToggled(state, row);
        return isLogin(row) ? state : selectedOnly(state, key);
      });
      if (event.shiftKey || toggles) return;
      if (isLogin(row)) toggleLogin(row);
      else void openExchange(row.number);
    },
    [lines],
  );
}

function showLoginSequence({ exchanges }: Login): void {
  const numbers = exchanges.map(({ number }) => number);
  changeTraffic((state) => withSequence(state, numbers));
}

/** Compares the login of a row; null if it has none, or there is no other. */
type Compare = (row: Row) => (() => void) | null;

const menuOf = (row: Row, compare: (() => void) | null): RowMenu => {
  const comparing = {
    title: 'Compare logins…',
    disabled: compare === null,
    run: () => compare?.(),
  };
  if (isLogin(row)) {
    const sequence = { title: 'Show as sequence', run: () => showLoginSequence(row) };
    return { label: `Login ${row.number}`, actions: [sequence, comparing] };
  }
  const menu = exchangeMenu(row);
  return compare === null ? menu : { ...menu, actions: [...menu.actions, comparing] };
};

/** Opens the menu of the row under the mouse, or by keyboard of the current row. */
function openMenuOf(
  event: MouseEvent,
  order: Lines,
  active: RowKey | null,
  compare: Compare,
): void {
  const under = event.target instanceof Element ? event.target.closest('[role="row"][id]') : null;
  const key = under === null ? active : keyOfRow(under);
  if (key === null) return;
  const element = under ?? document.getElementById(rowId(key));
  const row = order.at(order.indexOf(key));
  if (element !== null && row !== undefined) openRowMenu(event, element, menuOf(row, compare(row)));
}

interface TrafficTableProps extends Pick<Keyed, 'open' | 'rows'> {
  /** The exchanges that the rows were chosen from. */
  readonly shown: ExchangeWindow;
}

/** Below the last row: whether older exchanges can be loaded or shown. */
function ListEnd() {
  const history = usePage((state) => state.history);
  const oldest = usePage((state) => oldestNumber(state.exchanges));
  const loaded = usePage((state) => state.exchanges.size);
  const kept = usePage((state) => state.totals?.exchanges ?? 0);
  // One that is held is listed later, with a lower number.
  const isFirst = usePage(({ held }) => oldest <= 1 || held.some(({ number }) => number < oldest));
  const cleared = useTraffic((state) => state.cleared);
  if (cleared.has(oldest)) {
    return (
      <>
        Earlier exchanges are cleared from view.
        <Button onClick={showCleared}>Show them</Button>
      </>
    );
  }
  if (history === null) return 'Loading older exchanges…';
  if (history.next !== null) {
    return <Button onClick={() => void loadOlder()}>Load older exchanges</Button>;
  }
  return endWords(loaded, kept, isFirst);
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

/** The rows of the list: those of the exchanges, or arranged by login. */
function useLines(rows: Rows, shown: ExchangeWindow, pinned: readonly ExchangeSummary[]) {
  const isByLogin = usePreference('listing') === 'logins';
  const unfolded = useTraffic((state) => state.unfolded);
  const cleared = useTraffic((state) => state.cleared);
  const grouped = useMemo(
    () => (isByLogin ? byLogin(rows, shown, cleared) : []),
    [isByLogin, rows, shown, cleared],
  );
  const lines = useMemo(
    () => (isByLogin ? linesOf(grouped, unfolded, pinned) : rows),
    [isByLogin, grouped, unfolded, pinned, rows],
  );
  return { isByLogin, unfolded, logins: useMemo(() => grouped.filter(isLogin), [grouped]), lines };
}

/** 2 if the exchange stands below its login. */
const levelIn = (lines: Lines, unfolded: ReadonlySet<number>, { login }: ExchangeSummary): 1 | 2 =>
  login !== null && unfolded.has(login) && lines.indexOf(`login-${login}`) >= 0 ? 2 : 1;

export const TrafficTable = memo(function TrafficTable(props: TrafficTableProps) {
  const { rows, shown, open } = props;
  const pinned = useTraffic((state) => state.pinned);
  const active = useTraffic((state) => state.active);
  const selected = useTraffic((state) => state.selected);
  const widths = useColumnWidths('traffic');
  const { isByLogin, unfolded, logins, lines } = useLines(rows, shown, pinned);
  const [compared, setCompared] = useState<Login | null>(null);
  const head = headRowsOf(pinned.length);
  const virtual = useVirtualRows(lines.size, '--row-dense', head);
  const { scroller, indices, above, below } = virtual;
  const order = useMemo(() => orderOf(pinned, lines), [pinned, lines]);
  const press = usePress(lines);
  const scrollTo = (place: number) =>
    place >= pinned.length && virtual.scrollTo(place - pinned.length);
  const keyed: Keyed = { open, rows, lines, order, scrollTo };
  useHotkeys([
    ['J', () => moveBy(keyed, 1)],
    ['K', () => moveBy(keyed, -1)],
  ]);
  useNewestInSight(scroller);
  useShownRow(open, shown, lines, virtual.scrollTo);
  const isNear = (indices.at(-1) ?? 0) >= lines.size - AHEAD;
  // By login, a list whose end is in sight may stand for thousands of exchanges.
  const mayLoad = useTraffic((state) => state.held !== null) || !isByLogin;
  useEndAhead(isNear && mayLoad, rows.size);

  const drawn = [...pinned, ...indices.map((index) => lines.at(index))].some(
    (row) => row !== undefined && keyOf(row) === active,
  );
  const compare: Compare = (row) => {
    const login = isLogin(row) ? row : logins.find(({ number }) => number === row.login);
    return login !== undefined && logins.length > 1 ? () => setCompared(login) : null;
  };
  const isSelected = ({ number }: ExchangeSummary) => selected.has(number);
  const rowOf = (row: Row, place: number, key: number) => {
    const common = { place: HEAD_PLACE + 1 + place, active: keyOf(row) === active, onPress: press };
    if (isLogin(row)) {
      const isUnfolded = unfolded.has(row.number);
      return (
        <LoginRow
          key={keyOf(row)}
          login={row}
          unfolded={isUnfolded}
          selected={isUnfolded ? row.exchanges.every(isSelected) : row.exchanges.some(isSelected)}
          onSequence={() => showLoginSequence(row)}
          onCompare={compare(row)}
          {...common}
        />
      );
    }
    const isPinned = place < pinned.length;
    return (
      <TrafficRow
        key={key}
        exchange={row}
        selected={isSelected(row)}
        open={row.number === open}
        pinned={isPinned}
        level={isByLogin ? (isPinned ? 1 : levelIn(lines, unfolded, row)) : null}
        {...common}
      />
    );
  };
  return (
    <>
      <div
        ref={scroller}
        id={GRID_ID}
        role={isByLogin ? 'treegrid' : 'grid'}
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
        onContextMenu={(event) => openMenuOf(event, order, active, compare)}
        onScroll={({ currentTarget }) => onScroll(currentTarget)}
      >
        <FixedRows>
          {pinned.map((exchange, place) => rowOf(exchange, place, exchange.number))}
        </FixedRows>
        <div role="rowgroup" style={{ paddingTop: above, paddingBottom: below }}>
          {/* Exchanges are keyed by place: under heavy traffic the existing rows are filled again instead of created again. */}
          {indices.map((index) => {
            const row = lines.at(index);
            return row && rowOf(row, pinned.length + index, index);
          })}
        </div>
        <div role="rowgroup">
          <div role="row">
            <Group role="gridcell" gap="xs" justify="center" px="md" py="sm" fz="xs" c="dimmed">
              <ListEnd />
            </Group>
          </div>
        </div>
      </div>
      {compared !== null && (
        <LoginComparison login={compared} logins={logins} onClose={() => setCompared(null)} />
      )}
    </>
  );
});
