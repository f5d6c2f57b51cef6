// The rows of a long table that stand in view, and how much room those above and below them take.

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
