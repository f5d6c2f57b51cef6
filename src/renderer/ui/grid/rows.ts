// The rows of a long table: which stand in view, how much room those above and below them take, and where the keys lead.

import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState, type RefObject } from 'react';

/** Rows beyond the edges that are drawn already, so that scrolling shows no gap. */
const OVERSCAN = 12;

export interface VirtualRows {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Indices in view and a little beyond, in order. */
  readonly indices: readonly number[];
  /** Pixels of the rows above and below them. */
  readonly above: number;
  readonly below: number;
  readonly scrollTo: (index: number) => void;
}

/** A size from theme.css, in pixels. */
const sizeOf = (token: string): number =>
  parseFloat(getComputedStyle(document.documentElement).getPropertyValue(token));

/**
 * Rows of one height below a heading that stays.
 * @param token the size in theme.css that they have
 * @param head how many rows high the heading is
 */
export function useVirtualRows(count: number, token = '--row', head = 1): VirtualRows {
  const scroller = useRef<HTMLDivElement>(null);
  const [height] = useState(() => sizeOf(token));
  const margin = height * head;
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing of it is memoised
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    scrollMargin: margin,
    scrollPaddingStart: margin,
    overscan: OVERSCAN,
  });
  const rows = virtualizer.getVirtualItems();
  const [first, last] = [rows[0]?.start ?? margin, rows.at(-1)?.end ?? margin];
  return {
    scroller,
    indices: rows.map(({ index }) => index),
    above: first - margin,
    below: Math.max(0, virtualizer.getTotalSize() - (last - margin)),
    scrollTo: (index) => {
      virtualizer.scrollToIndex(index, { align: 'auto' });
    },
  };
}

/** By a screen or so of rows of the usual height. */
const A_PAGE = 10;

/** Rows that a key moves by; the edges lie further than any list is long. */
const stepsOf = (page: number): Readonly<Record<string, number>> => ({
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: page,
  PageUp: -page,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
});

/**
 * The row that a key leads to, from 0; null for a key that leads nowhere.
 * @param at the row the keyboard stands on, -1 when on none
 * @param first the row where the keyboard comes in
 * @param page how many rows PageUp and PageDown lead on
 */
export function rowAfterKey(
  key: string,
  at: number,
  first: number,
  count: number,
  page = A_PAGE,
): number | null {
  const steps = stepsOf(page);
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step === undefined || count === 0) return null;
  const wanted = at === -1 && Number.isFinite(step) ? first : at + step;
  return Math.max(0, Math.min(count - 1, wanted));
}
