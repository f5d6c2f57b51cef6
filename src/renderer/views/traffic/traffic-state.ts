// The state of the list of exchanges: filter, pause, pins, selection. It is outside React, so that it is the same when the
// view is opened again. The exchanges themselves are in the page's state.

import { useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { ExchangeSummary } from '../../../control/schemas.ts';
import {
  oldestNumber,
  withMore,
  withoutKnown,
  type ExchangeWindow,
} from '../../connection/exchange-window.ts';
import { createSandboxStore, page, usePage } from '../../connection/state.ts';
import type { DetailTab } from '../../exchange/ExchangeDetail.tsx';
import { NO_FILTER, predicateOf } from './filter.ts';
import {
  allNumbers,
  createRows,
  isLogin,
  keyOf,
  numbersBetween,
  type Lines,
  type Row,
  type RowKey,
  type RowsOf,
} from './rows.ts';

/** A field that gets the focus as soon as it is shown. */
export type AskedField = 'number' | 'filter';

/** Which exchanges a sequence shows: chosen ones, oldest first, or all that the app sends. */
export type Sequence =
  | {
      readonly of: 'chosen';
      readonly numbers: readonly number[];
      /** null if there are more than can be shown. */
      readonly wanted: number | null;
    }
  | { readonly of: 'app' };

const NOTHING: ReadonlySet<number> = new Set();

export const STARTING = {
  filter: NO_FILTER,
  /** What a paused list shows; null while it follows the newest. */
  held: null as ExchangeWindow | null,
  paused: false,
  /** The exchanges that are cleared from view. One that was pending then has a lower number than some, and is listed. */
  cleared: NOTHING,
  /** Shown on top regardless of the filter, in the order in which they were pinned. */
  pinned: [] as readonly ExchangeSummary[],
  /** The current row, from which keys move. */
  active: null as RowKey | null,
  selected: NOTHING,
  /** The row from which a range is selected. */
  anchor: null as RowKey | null,
  tab: 'why' as DetailTab,
  revealed: false,
  asked: null as AskedField | null,
  /** The logins whose exchanges are listed below them. */
  unfolded: NOTHING,
  /** The sequence that is shown instead of the list; null while the list is shown. */
  sequence: null as Sequence | null,
  /** What this page holds, in words; null for nothing. */
  holding: null as string | null,
  /** How many exchanges the running export has read; null while there is none. */
  exporting: null as { readonly done: number; readonly total: number } | null,
};

export type TrafficState = Readonly<typeof STARTING>;

/** Pauses the list. @param live all exchanges that the page has */
export const paused = (state: TrafficState, live: ExchangeWindow): TrafficState => ({
  ...state,
  paused: true,
  held: state.held ?? live,
});

/** Follows the newest again. */
export const following = (state: TrafficState): TrafficState => ({
  ...state,
  paused: false,
  held: null,
});

/** Pauses while the list is scrolled away from the top, so that rows do not move, and follows again at the top. */
export function scrolled(state: TrafficState, away: boolean, live: ExchangeWindow): TrafficState {
  if (away) return state.held === null ? { ...state, held: live } : state;
  return state.held === null || state.paused ? state : { ...state, held: null };
}

/** Adds older exchanges that were loaded to a paused list, and to those that are cleared from view. */
export const withOlder = (
  { held, cleared: hidden, ...state }: TrafficState,
  older: readonly ExchangeSummary[],
): TrafficState => ({
  ...state,
  held: held && withMore(held, older),
  cleared: hidden.size === 0 ? hidden : new Set([...hidden, ...older.map(({ number }) => number)]),
});

/** Hides what is listed so far, except pinned rows. Nothing is deleted. */
export const cleared = (state: TrafficState, live: ExchangeWindow): TrafficState => ({
  ...following(state),
  cleared: new Set(live.chunks.flat().map(({ number }) => number)),
  active: null,
  selected: NOTHING,
  anchor: null,
});

export const pinToggled = (state: TrafficState, exchange: ExchangeSummary): TrafficState => {
  const others = state.pinned.filter(({ number }) => number !== exchange.number);
  const pinned = others.length < state.pinned.length ? others : [...others, exchange];
  return { ...state, pinned };
};

/** How many pinned exchanges are loaded; the others may no longer be kept. */
export const pinnedIn = (
  window: ExchangeWindow,
  { pinned }: Pick<TrafficState, 'pinned'>,
): number => pinned.filter(({ number }) => number >= oldestNumber(window)).length;

/** Makes a row the current one, and selects its exchange only; none for a login. */
export const selectedOnly = (state: TrafficState, key: RowKey): TrafficState => ({
  ...state,
  active: key,
  anchor: key,
  selected: typeof key === 'number' ? new Set([key]) : NOTHING,
});

/** Lists the exchanges of a login below it, or no longer. */
export function foldToggled(state: TrafficState, login: number): TrafficState {
  const unfolded = new Set(state.unfolded);
  if (!unfolded.delete(login)) unfolded.add(login);
  return { ...state, unfolded };
}

/** Adds the exchanges of a row to the selection, or removes them if all are selected. */
export function selectionToggled(state: TrafficState, row: Row): TrafficState {
  const numbers = (isLogin(row) ? row.exchanges : [row]).map(({ number }) => number);
  const selected = new Set(state.selected);
  const isSelected = numbers.every((number) => selected.has(number));
  for (const number of numbers) {
    if (isSelected) selected.delete(number);
    else selected.add(number);
  }
  return { ...state, active: keyOf(row), anchor: keyOf(row), selected };
}

/** Selects all rows from the start of the selection to this one, a login with all of its exchanges. */
export function selectedTo(state: TrafficState, lines: Lines, key: RowKey): TrafficState {
  const from = lines.indexOf(state.anchor ?? key);
  const to = lines.indexOf(key);
  if (from < 0 || to < 0) return selectedOnly(state, key);
  return { ...state, active: key, selected: new Set(numbersBetween(lines, from, to)) };
}

export const withSelection = (state: TrafficState, numbers: Iterable<number>): TrafficState => ({
  ...state,
  selected: new Set(numbers),
});

/** A larger diagram would not be readable. */
export const MOST_IN_SEQUENCE = 200;

/** Shows the newest of the chosen exchanges as a sequence. @param more whether there are more than those chosen */
export function withSequence(
  state: TrafficState,
  chosen: Iterable<number>,
  more = false,
): TrafficState {
  const all = [...new Set(chosen)].sort((a, b) => a - b);
  const numbers = all.slice(-MOST_IN_SEQUENCE);
  return { ...state, sequence: { of: 'chosen', numbers, wanted: more ? null : all.length } };
}

/** After a reset the exchanges are gone, but the view settings stay, and what runs goes on. */
export function afterReset(state: TrafficState): TrafficState {
  const { filter, tab, revealed, holding, exporting } = state;
  return { ...STARTING, filter, tab, revealed, holding, exporting };
}

/** What decides which exchanges are listed. */
type Listed = Pick<TrafficState, 'filter' | 'cleared' | 'pinned'>;

/** Creates the rows of a window: those that match the filter and are neither cleared nor pinned. */
export function rowsFor({ filter, cleared: hidden, pinned }: Listed): RowsOf {
  const fits = predicateOf(filter);
  const elsewhere = new Set([...hidden, ...pinned.map(({ number }) => number)]);
  if (elsewhere.size === 0) return createRows(fits);
  return createRows(
    (exchange) => !elsewhere.has(exchange.number) && (fits === null || fits(exchange)),
  );
}

export const traffic = createSandboxStore<TrafficState>(() => STARTING, afterReset);

export const changeTraffic = (how: (state: TrafficState) => TrafficState): void =>
  traffic.setState(how, true);

/** The part of the state that a component needs; the selector must return a stable value. */
export const useTraffic = <T>(select: (state: TrafficState) => T): T => useStore(traffic, select);

/** The numbers of the listed exchanges, the pinned ones first. */
export function listedNumbers(): number[] {
  const state = traffic.getState();
  const rows = rowsFor(state)(state.held ?? page.getState().exchanges);
  return [...state.pinned.map(({ number }) => number), ...allNumbers(rows)];
}

/** The listed rows, the exchanges that they were chosen from, and how many new ones there are while the list is paused. */
export function useRows() {
  const live = usePage((state) => state.exchanges);
  const held = useTraffic((state) => state.held);
  const choice = useTraffic(
    useShallow(({ filter, cleared, pinned }) => ({ filter, cleared, pinned })),
  );
  // Typing continues while ten thousand rows are filtered.
  const settled = useDeferredValue(choice);
  const rowsOf = useMemo(() => rowsFor(settled), [settled]);
  const shown = held ?? live;
  const rows = useMemo(() => rowsOf(shown), [rowsOf, shown]);
  const fresh = useMemo(
    () => (held === null ? 0 : rowsOf(withoutKnown(live, held)).size),
    [rowsOf, live, held],
  );
  return { rows, shown, fresh };
}
