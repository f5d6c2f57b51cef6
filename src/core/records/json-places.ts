// Where the parts of a JSON text begin, for readers of the file. Each part knows its own members and
// entries, so that a long name is kept once and not in the path of everything below it.

import { nameInPath, segmentsOf } from './problems.ts';

/** Counted from 1, columns in UTF-16 units as editors do. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A value by the place of its name, or of itself in an array. */
export interface Part {
  readonly offset: number;
  /** What it holds: null until there is something, as in each of a million numbers. */
  members: Map<string, Part> | null;
  entries: Part[] | null;
}

export const createPart = (offset: number): Part => ({ offset, members: null, entries: null });

/** Adds what begins here below another part; of a repeated member the last one is kept. */
export function addPart(part: Part, segment: string | number, offset: number): Part {
  const added = createPart(offset);
  if (typeof segment === 'number') (part.entries ??= [])[segment] = added;
  else (part.members ??= new Map<string, Part>()).set(nameInPath(segment), added);
  return added;
}

/** Where a path leads, as far as there is something. */
export function offsetOf(root: Part, path: string): number {
  let part = root;
  for (const segment of segmentsOf(path)) {
    const next = typeof segment === 'number' ? part.entries?.[segment] : part.members?.get(segment);
    if (next === undefined) break;
    part = next;
  }
  return part.offset;
}

/** Lines and columns of offsets; the lines are counted once. */
export function createPlaces(text: string): (offset: number) => Place {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    starts.push(end + 1);
  }
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
