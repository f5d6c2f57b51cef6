// The state of the list of exchanges, outside React, so that it is the same when the view is opened again.

import { useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { createStore } from 'zustand/vanilla';
import { newestNumber } from '../../connection/exchange-window.ts';
import { page, usePage } from '../../connection/state.ts';
import type { Rows } from './rows.ts';
import { afterReset, rowsFor, STARTING, type TrafficState } from './traffic-state.ts';

export const traffic = createStore<TrafficState>(() => STARTING);

export const changeTraffic = (how: (state: TrafficState) => TrafficState): void =>
  traffic.setState(how, true);

/** The part of the state that a component needs; the selector must return a stable value. */
export const useTraffic = <T>(select: (state: TrafficState) => T): T => useStore(traffic, select);

page.subscribe((now, before) => {
  if (now.resets !== before.resets) changeTraffic(afterReset);
});

export function currentRows(): Rows {
  const state = traffic.getState();
  return rowsFor(state)(state.held ?? page.getState().exchanges);
}

export interface ShownRows {
  readonly rows: Rows;
  /** New rows while the list is paused. */
  readonly fresh: number;
}

export function useRows(): ShownRows {
  const live = usePage((state) => state.exchanges);
  const held = useTraffic((state) => state.held);
  const choice = useTraffic(
    useShallow(({ filter, cleared, pinned, by_login }) => ({ filter, cleared, pinned, by_login })),
  );
  // Typing continues while ten thousand rows are filtered.
  const settled = useDeferredValue(choice);
  const rowsOf = useMemo(() => rowsFor(settled), [settled]);
  const shown = held ?? live;
  const rows = useMemo(() => rowsOf(shown), [rowsOf, shown]);
  const fresh = held === null ? 0 : rowsOf(live).countAbove(newestNumber(held));
  return { rows, fresh };
}
