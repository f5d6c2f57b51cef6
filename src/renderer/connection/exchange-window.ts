// The newest exchanges that the page keeps: in immutable chunks, by rising number. A batch replaces one chunk, however
// many exchanges there are, and what was computed from the other chunks stays valid.

import type { ExchangeSummary } from '../../control/schemas.ts';

export type Chunk = readonly ExchangeSummary[];

export interface ExchangeWindow {
  /** Oldest first; none is empty. */
  readonly chunks: readonly Chunk[];
  readonly size: number;
}

/** As many as the engine keeps by default. */
export const MAX_EXCHANGES = 10_000;
const CHUNK = 256;

export const NO_EXCHANGES: ExchangeWindow = { chunks: [], size: 0 };

const numberOf = (exchange: ExchangeSummary | undefined): number => exchange?.number ?? 0;

export const newestNumber = ({ chunks }: ExchangeWindow): number => numberOf(chunks.at(-1)?.at(-1));
export const oldestNumber = ({ chunks }: ExchangeWindow): number => numberOf(chunks[0]?.[0]);

/** How many exchanges in the chunk have a smaller number. */
export function countBelow(chunk: Chunk, number: number): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberOf(chunk[middle]) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The exchanges that another window does not have. Some are older than its newest one: they were completed late. */
export function withoutKnown(window: ExchangeWindow, known: ExchangeWindow): ExchangeWindow {
  const newest = newestNumber(known);
  const numbers = new Set(known.chunks.flat().map(({ number }) => number));
  const chunks = window.chunks
    .filter((chunk) => !known.chunks.includes(chunk))
    .map((chunk) =>
      numberOf(chunk[0]) > newest ? chunk : chunk.filter(({ number }) => !numbers.has(number)),
    )
    .filter((chunk) => chunk.length > 0);
  return { chunks, size: chunks.reduce((sum, chunk) => sum + chunk.length, 0) };
}

function split(exchanges: Chunk): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 0; start < exchanges.length; start += CHUNK) {
    chunks.push(exchanges.slice(start, start + CHUNK));
  }
  return chunks;
}

/** Merges exchanges into a chunk. Returns the same chunk if none is new. */
function united(chunk: Chunk, more: Chunk): Chunk[] {
  const fresh = more.filter(({ number }) => chunk[countBelow(chunk, number)]?.number !== number);
  if (fresh.length === 0) return [chunk];
  return split([...chunk, ...fresh].sort((a, b) => a.number - b.number));
}

/** Merges exchanges that are not the newest: they are numbered on arrival, but reported when they are complete. */
function merged(chunks: readonly Chunk[], late: Chunk): Chunk[] {
  const oldest = numberOf(chunks[0]?.[0]);
  const inside = countBelow(late, oldest);
  const known = chunks.flatMap((chunk, index) => {
    const next = chunks[index + 1];
    const from = countBelow(late, numberOf(chunk[0]));
    const until = next === undefined ? late.length : countBelow(late, numberOf(next[0]));
    return from === until ? [chunk] : united(chunk, late.slice(from, until));
  });
  return [...split(late.slice(0, inside)), ...known];
}

function appended(chunks: readonly Chunk[], newer: Chunk): readonly Chunk[] {
  const last = chunks.at(-1);
  if (newer.length === 0) return chunks;
  if (last === undefined || last.length >= CHUNK) return [...chunks, ...split(newer)];
  return [...chunks.slice(0, -1), ...split([...last, ...newer])];
}

/** Drops the oldest exchanges beyond the limit. */
function trimmed(chunks: readonly Chunk[], limit: number): ExchangeWindow {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  let excess = size - limit;
  if (excess <= 0) return { chunks, size };
  const start = chunks.findIndex((chunk) => {
    if (chunk.length > excess) return true;
    excess -= chunk.length;
    return false;
  });
  const [cut = [], ...rest] = chunks.slice(start);
  return { chunks: [cut.slice(excess), ...rest], size: limit };
}

/** Adds exchanges in any order; known ones are ignored. */
export function withMore(
  window: ExchangeWindow,
  more: readonly ExchangeSummary[],
  limit = MAX_EXCHANGES,
): ExchangeWindow {
  if (more.length === 0 && window.size <= limit) return window;
  const sorted = more.toSorted((a, b) => a.number - b.number);
  const late = countBelow(sorted, newestNumber(window) + 1);
  const chunks = late === 0 ? window.chunks : merged(window.chunks, sorted.slice(0, late));
  return trimmed(appended(chunks, sorted.slice(late)), limit);
}
