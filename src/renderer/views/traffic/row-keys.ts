// The keys of the list: moving, opening, selecting, pinning.

import type { KeyboardEvent } from 'react';
import type { ExchangeSummary } from '../../../control/schemas.ts';
import { rowAfterKey } from '../../ui/grid/rows.ts';
import { allNumbers, type Rows } from './rows.ts';
import { togglePin } from './traffic-actions.ts';
import { selectedOnly, selectedTo, selectionToggled, withSelection } from './traffic-state.ts';
import { changeTraffic, traffic } from './traffic-store.ts';

/** The rows as they stand below each other: pinned ones, then the others. */
export interface Order {
  readonly size: number;
  readonly at: (place: number) => ExchangeSummary | undefined;
  /** -1 when it is not there. */
  readonly placeOf: (number: number) => number;
}

export function orderOf(pinned: readonly ExchangeSummary[], rows: Rows): Order {
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

/** What the keys work on. */
export interface Keyed {
  readonly rows: Rows;
  readonly order: Order;
  /** The exchange that is open beside the list. */
  readonly open: number | null;
  readonly onOpen: (number: number) => void;
  /** Into what is open. */
  readonly onEnter: () => void;
  readonly onClose: () => void;
  readonly scrollTo: (place: number) => void;
}

/** Its rows are lower than those of other lists. */
const A_PAGE = 15;

const placeNow = ({ order }: Keyed): number => {
  const { active } = traffic.getState();
  return active === null ? -1 : order.placeOf(active);
};

/** What is open beside the list follows the row. */
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

export const moveBy = (keyed: Keyed, by: number): void =>
  moveTo(keyed, placeNow(keyed) + by, false);

/** Answers false when it did not want the key. */
type Action = (keyed: Keyed, event: KeyboardEvent) => unknown;

/** Something done to the row that the keys are at, if there is one. */
const toRow =
  (act: (keyed: Keyed, exchange: ExchangeSummary) => void): Action =>
  (keyed) => {
    const exchange = keyed.order.at(placeNow(keyed));
    if (exchange === undefined) return false;
    act(keyed, exchange);
    return true;
  };

const openOrEnter = ({ open, onOpen, onEnter }: Keyed, { number }: ExchangeSummary) =>
  open === number ? onEnter() : onOpen(number);

function leave({ open, onClose }: Keyed): boolean {
  const selecting = traffic.getState().selected.size > 0;
  if (open !== null) onClose();
  else if (selecting) changeTraffic((state) => withSelection(state, []));
  return open !== null || selecting;
}

/** Leads to another row; false for a key that leads to none. */
const move: Action = (keyed, { key, shiftKey }) => {
  const place = rowAfterKey(key, placeNow(keyed), 0, keyed.order.size, A_PAGE);
  if (place !== null) moveTo(keyed, place, shiftKey);
  return place !== null;
};

const ACTIONS: Readonly<Record<string, Action>> = {
  Escape: leave,
  Enter: toRow(openOrEnter),
  ' ': toRow((_, { number }) => changeTraffic((state) => selectionToggled(state, number))),
  t: toRow((_, exchange) => togglePin(exchange)),
};

const selectAll: Action = ({ rows }) =>
  changeTraffic((state) => withSelection(state, allNumbers(rows)));

function actionOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): Action | undefined {
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return name === 'a' ? selectAll : undefined;
  return ACTIONS[name] ?? move;
}

export function handleRowKey(event: KeyboardEvent, keyed: Keyed): void {
  const action = actionOf(event);
  if (action !== undefined && action(keyed, event) !== false) event.preventDefault();
}
