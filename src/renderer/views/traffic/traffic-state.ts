// What the person made of the list of exchanges: filter, pause, pins, selection. Pure; the exchanges
// themselves are the page's.

import type { ExchangeSummary } from '../../../control/schemas.ts';
import { newestNumber, withMore, type ExchangeWindow } from '../../connection/exchange-window.ts';
import type { DetailTab } from '../../exchange/ExchangeDetail.tsx';
import { NO_FILTER, predicateOf, type Filter } from './filter.ts';
import { createRows, numbersBetween, type Rows, type RowsOf } from './rows.ts';

/** A field that is to take the focus as soon as it is there. */
export type AskedField = 'number' | 'filter';

/** Which exchanges a sequence shows: those chosen, oldest first, or all that the app sends, which go on. */
export type Sequence =
  | {
      readonly of: 'chosen';
      readonly numbers: readonly number[];
      /** null: more than can be shown. */
      readonly wanted: number | null;
    }
  | { readonly of: 'app' };

export interface TrafficState {
  readonly filter: Filter;
  /** What the list shows while it does not follow the newest; null while it does. */
  readonly held: ExchangeWindow | null;
  readonly paused: boolean;
  /** Exchanges up to this number are cleared from view. */
  readonly cleared: number;
  /** On top whatever the filter says, in the order they were pinned. */
  readonly pinned: readonly ExchangeSummary[];
  /** The row that keys move from. */
  readonly active: number | null;
  readonly selected: ReadonlySet<number>;
  /** Where a range of rows begins. */
  readonly anchor: number | null;
  readonly tab: DetailTab;
  readonly revealed: boolean;
  readonly asked: AskedField | null;
  /** Exchanges shown as a sequence in place of the list; null while the list is shown. */
  readonly sequence: Sequence | null;
}

const NOTHING: ReadonlySet<number> = new Set();

export const STARTING: TrafficState = {
  filter: NO_FILTER,
  held: null,
  paused: false,
  cleared: 0,
  pinned: [],
  active: null,
  selected: NOTHING,
  anchor: null,
  tab: 'why',
  revealed: false,
  asked: null,
  sequence: null,
};

/** Keeps the list as it is, whatever comes. @param live all that the page has */
export const paused = (state: TrafficState, live: ExchangeWindow): TrafficState => ({
  ...state,
  paused: true,
  held: state.held ?? live,
});

/** Back to the newest. */
export const following = (state: TrafficState): TrafficState => ({
  ...state,
  paused: false,
  held: null,
});

/** Rows must not move under someone who has left the top to read; back there, the list follows again. */
export function scrolled(state: TrafficState, away: boolean, live: ExchangeWindow): TrafficState {
  if (away) return state.held === null ? { ...state, held: live } : state;
  return state.held === null || state.paused ? state : { ...state, held: null };
}

/** Older exchanges that were loaded belong to what is held too. */
export const withOlder = (state: TrafficState, older: readonly ExchangeSummary[]): TrafficState =>
  state.held === null ? state : { ...state, held: withMore(state.held, older) };

/** Nothing is deleted: only what is listed so far is left out. Pinned rows stay. */
export const cleared = (state: TrafficState, live: ExchangeWindow): TrafficState => ({
  ...following(state),
  cleared: newestNumber(live),
  active: null,
  selected: NOTHING,
  anchor: null,
});

export const pinToggled = (state: TrafficState, exchange: ExchangeSummary): TrafficState => {
  const others = state.pinned.filter(({ number }) => number !== exchange.number);
  const pinned = others.length < state.pinned.length ? others : [...others, exchange];
  return { ...state, pinned };
};

/** The row alone. */
export const selectedOnly = (state: TrafficState, number: number): TrafficState => ({
  ...state,
  active: number,
  anchor: number,
  selected: new Set([number]),
});

/** In or out of the selection. */
export function selectionToggled(state: TrafficState, number: number): TrafficState {
  const selected = new Set(state.selected);
  if (!selected.delete(number)) selected.add(number);
  return { ...state, active: number, anchor: number, selected };
}

/** Everything from where the selection began to this row. */
export function selectedTo(state: TrafficState, rows: Rows, number: number): TrafficState {
  const from = rows.indexOf(state.anchor ?? number);
  const to = rows.indexOf(number);
  if (from < 0 || to < 0) return selectedOnly(state, number);
  return { ...state, active: number, selected: new Set(numbersBetween(rows, from, to)) };
}

export const withSelection = (state: TrafficState, numbers: Iterable<number>): TrafficState => ({
  ...state,
  selected: new Set(numbers),
});

/** More would be no picture that one can read. */
export const MOST_IN_SEQUENCE = 200;

/** The newest of these in place of the list. */
export function withSequence(state: TrafficState, chosen: Iterable<number>): TrafficState {
  const all = [...new Set(chosen)].sort((a, b) => a - b);
  const numbers = all.slice(-MOST_IN_SEQUENCE);
  return { ...state, sequence: { of: 'chosen', numbers, wanted: all.length } };
}

/** @param numbers at most as many as can be shown @param more whether there are others before them */
export const withLineage = (
  state: TrafficState,
  numbers: readonly number[],
  more: boolean,
): TrafficState => ({
  ...state,
  sequence: {
    of: 'chosen',
    numbers: numbers.toSorted((a, b) => a - b),
    wanted: more ? null : numbers.length,
  },
});

/** The exchanges are gone; how the person looks at them stays. */
export const afterReset = ({ filter, tab, revealed }: TrafficState): TrafficState => ({
  ...STARTING,
  filter,
  tab,
  revealed,
});

/** Makes rows of a window: what the filter lets through, neither cleared nor pinned. */
export function rowsFor({
  filter,
  cleared: until,
  pinned,
}: Pick<TrafficState, 'filter' | 'cleared' | 'pinned'>): RowsOf {
  const fits = predicateOf(filter);
  if (until === 0 && pinned.length === 0) return createRows(fits);
  const onTop = new Set(pinned.map(({ number }) => number));
  return createRows(
    (exchange) =>
      exchange.number > until && !onTop.has(exchange.number) && (fits === null || fits(exchange)),
  );
}
