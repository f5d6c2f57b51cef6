// The rows of the list, newest first, computed from the chunks of exchanges. The rows of a chunk are computed once, so
// a batch costs only the chunk that it changed.

import type { ExchangeSummary } from '../../../control/schemas.ts';
import { countBelow, type Chunk, type ExchangeWindow } from '../../connection/exchange-window.ts';

export interface Rows {
  readonly size: number;
  /** Row 0 is the newest. */
  readonly at: (index: number) => ExchangeSummary | undefined;
  /** -1 if it is not shown. */
  readonly indexOf: (number: number) => number;
  /** How many rows have a larger number. */
  readonly countAbove: (number: number) => number;
}

interface Part {
  readonly shown: Chunk;
  /** Index of its newest row. */
  readonly start: number;
}

export type RowsOf = (window: ExchangeWindow) => Rows;

function partsOf(chunks: readonly Chunk[], shownIn: (chunk: Chunk) => Chunk): Part[] {
  const parts: Part[] = [];
  let start = 0;
  for (const chunk of chunks.toReversed()) {
    const shown = shownIn(chunk);
    if (shown.length > 0) parts.push({ shown, start });
    start += shown.length;
  }
  return parts;
}

function rowsOf(parts: readonly Part[]): Rows {
  const last = parts.at(-1);
  const countAbove = (number: number) =>
    parts.reduce((sum, { shown }) => sum + shown.length - countBelow(shown, number + 1), 0);
  const at = (index: number) => {
    const part = parts.findLast(({ start }) => start <= index);
    return part?.shown[part.shown.length - 1 - (index - part.start)];
  };
  return {
    size: last === undefined ? 0 : last.start + last.shown.length,
    at,
    indexOf: (number) => {
      const index = countAbove(number);
      return at(index)?.number === number ? index : -1;
    },
    countAbove,
  };
}

/** @param fits whether an exchange is shown; null shows all */
export function createRows(fits: ((exchange: ExchangeSummary) => boolean) | null): RowsOf {
  const known = new WeakMap<Chunk, Chunk>();
  const shownIn = (chunk: Chunk): Chunk => {
    if (fits === null) return chunk;
    const before = known.get(chunk);
    if (before !== undefined) return before;
    const shown = chunk.filter(fits);
    known.set(chunk, shown);
    return shown;
  };
  return ({ chunks }) => rowsOf(partsOf(chunks, shownIn));
}

/** The numbers of the rows from one to another, inclusive. */
export function numbersBetween(rows: Rows, from: number, to: number): number[] {
  const [first = 0, last = 0] = [from, to].sort((a, b) => a - b);
  const numbers: number[] = [];
  for (let index = Math.max(0, first); index <= Math.min(last, rows.size - 1); index += 1) {
    const exchange = rows.at(index);
    if (exchange !== undefined) numbers.push(exchange.number);
  }
  return numbers;
}

export const allNumbers = (rows: Rows): number[] => numbersBetween(rows, 0, rows.size - 1);
