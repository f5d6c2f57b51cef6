import { useEffect, type RefObject } from 'react';
import type { Rows } from './rows.ts';
import { selectedOnly } from './traffic-state.ts';
import { changeTraffic, useTraffic } from './traffic-store.ts';

/** Brings the row of what was opened into sight, from wherever it was opened. */
export function useShownRow(
  open: number | null,
  rows: Rows,
  scrollTo: (index: number) => void,
): void {
  useEffect(() => {
    if (open === null) return;
    changeTraffic((state) => (state.active === open ? state : selectedOnly(state, open)));
    const index = rows.indexOf(open);
    if (index >= 0) scrollTo(index);
    // Not when rows move: only when something else is opened.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [open]);
}

/** Begins at the newest again when the list follows it again. */
export function useNewestInSight(scroller: RefObject<HTMLElement | null>): void {
  const following = useTraffic((state) => state.held === null);
  useEffect(() => {
    if (following) scroller.current?.scrollTo({ top: 0 });
  }, [following, scroller]);
}

/** Asks for more rows whenever the end of those that are there comes near. */
export function useEndAhead(near: boolean, size: number, onEnd: () => void): void {
  useEffect(() => {
    if (near) onEnd();
  }, [near, size, onEnd]);
}
