// Virtual rows of a long table: which are in view, how much space the others take, and where keys lead.

import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState, type RefObject } from 'react';

/** Rows drawn beyond the edges, so that scrolling shows no gap. */
const OVERSCAN = 12;

export interface VirtualRows {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Indices in view and slightly beyond, in order. */
  readonly indices: readonly number[];
  /** Height in pixels of the rows above and below. */
  readonly above: number;
  readonly below: number;
  readonly scrollTo: (index: number) => void;
}

/** A size from theme.css, in pixels. */
const sizeOf = (token: string): number =>
  parseFloat(getComputedStyle(document.documentElement).getPropertyValue(token));

/**
 * Rows of equal height below a fixed heading.
 * @param token the size in theme.css that is their height
 * @param head the height of the heading, in rows
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

/** About one screen of rows of the usual height. */
const A_PAGE = 10;

/** How many rows a key moves by; Home and End move further than any list is long. */
const stepsOf = (page: number): Readonly<Record<string, number>> => ({
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: page,
  PageUp: -page,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
});

/**
 * The index of the row that a key leads to; null for any other key.
 * @param at the current row, or -1
 * @param first the row to start from if there is no current row
 * @param page how many rows PageUp and PageDown move by
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
