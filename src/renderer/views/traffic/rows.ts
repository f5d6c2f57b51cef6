// The rows of the list. Those of the exchanges, newest first, are computed from the chunks: the rows of a chunk are
// computed once, so a batch costs only the chunk that it changed. By login, ./logins.ts arranges them.

import type { ExchangeSummary } from '../../../control/schemas.ts';
import { pluralize } from '../../../words.ts';
import {
  countBelow,
  MAX_EXCHANGES,
  type Chunk,
  type ExchangeWindow,
} from '../../connection/exchange-window.ts';

/** The exchanges of one login, as far as they are listed. */
export interface Login {
  /** The number of the exchange with which it began. */
  readonly number: number;
  /** Oldest first. */
  readonly exchanges: readonly [ExchangeSummary, ...ExchangeSummary[]];
}

export type Row = ExchangeSummary | Login;
/** Names a row: the number of its exchange, or its login. */
export type RowKey = number | `login-${number}`;

export const isLogin = (row: Row): row is Login => 'exchanges' in row;
export const keyOf = (row: Row): RowKey => (isLogin(row) ? `login-${row.number}` : row.number);

/** The rows as they are shown, from the top. */
export interface Lines {
  readonly size: number;
  readonly at: (index: number) => Row | undefined;
  /** -1 if it is not shown. */
  readonly indexOf: (key: RowKey) => number;
}

export interface Rows extends Lines {
  /** Row 0 is the newest. */
  readonly at: (index: number) => ExchangeSummary | undefined;
  readonly all: () => readonly ExchangeSummary[];
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
  /** How many rows have a larger number. */
  const countAbove = (number: number) =>
    parts.reduce((sum, { shown }) => sum + shown.length - countBelow(shown, number + 1), 0);
  const at = (index: number) => {
    const part = parts.findLast(({ start }) => start <= index);
    return part?.shown[part.shown.length - 1 - (index - part.start)];
  };
  return {
    size: last === undefined ? 0 : last.start + last.shown.length,
    at,
    indexOf: (key) => {
      if (typeof key !== 'number') return -1;
      const index = countAbove(key);
      return at(index)?.number === key ? index : -1;
    },
    all: () => parts.flatMap(({ shown }) => shown.toReversed()),
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

/** The numbers of the exchanges in the rows from one to another, inclusive; those of a login are all of its own. */
export function numbersBetween(lines: Lines, from: number, to: number): number[] {
  const [first = 0, last = 0] = [from, to].sort((a, b) => a - b);
  const numbers: number[] = [];
  for (let index = Math.max(0, first); index <= Math.min(last, lines.size - 1); index += 1) {
    const row = lines.at(index);
    if (row === undefined) continue;
    for (const { number } of isLogin(row) ? row.exchanges : [row]) numbers.push(number);
  }
  return numbers;
}

export const allNumbers = (lines: Lines): number[] => numbersBetween(lines, 0, lines.size - 1);

/** How many exchanges are listed of those kept, or, with a filter, of those loaded: only these were searched. */
export function countWords(listed: number, loaded: number, kept: number): string | undefined {
  if (kept === 0) return undefined;
  const all = pluralize(kept, 'exchange');
  if (listed >= kept) return all;
  const searched = listed < loaded && loaded < kept;
  const many = searched ? `the newest ${pluralize(loaded, 'exchange')}` : all;
  return `${listed.toLocaleString('en')} of ${many}`;
}

/** What follows the last row, once no older exchanges can be loaded. @param isFirst whether the last row is the first exchange */
export function endWords(loaded: number, kept: number, isFirst: boolean): string {
  if (loaded >= MAX_EXCHANGES && loaded < kept) {
    return `The page lists only the newest ${MAX_EXCHANGES.toLocaleString('en')}.`;
  }
  return isFirst ? 'End of list.' : 'End of list. Earlier exchanges are no longer kept.';
}
