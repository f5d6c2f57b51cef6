// The bound of the denial list and how it makes room: what has expired goes first; then the oldest
// entries of single tokens fold into their lineage, which is refused up to their number; where that makes
// no room the oldest lineages go, and at last the clients that were deleted first.

import { keptText } from '../collections/kept-text.ts';
import type { DeniedEntries } from './denied-entries.ts';

/** A key of digest or numbers, and the record. */
const DENIAL_BYTES = 176;

export const DENIAL_BOUNDS = { entries: 200_000, bytes: 200_000 * DENIAL_BYTES } as const;

/** The list: its entries by what they are about. */
export interface DenialEntries {
  readonly tokens: DeniedEntries;
  readonly lineages: DeniedEntries;
  readonly clients: DeniedEntries;
}

/** Between two walks over all for what has expired, so large a part of the list must be new. */
const PART = 1 / 16;

/** How many tokens are folded before a lineage goes: each may be of a lineage of its own. */
const FOLDS = 64;

export const sizeOf = ({ tokens, lineages, clients }: DenialEntries) =>
  tokens.size + lineages.size + clients.size;

function dropExpired(
  { tokens, lineages, clients }: DenialEntries,
  capacity: number,
  now: number,
): void {
  const earliest = Math.min(tokens.earliest, lineages.earliest, clients.earliest);
  const added = tokens.added + lineages.added + clients.added;
  if (now < earliest || added < capacity * PART) return;
  for (const kind of [tokens, lineages, clients]) kind.dropExpired(now);
}

/** Makes room only where its lineage has an entry already. */
function foldOldest({ tokens, lineages }: DenialEntries): void {
  const denial = tokens.takeOldest();
  if (denial === undefined) return;
  const { key, reason, at, until } = denial;
  const dot = key.lastIndexOf('.');
  const up_to = Number(key.slice(dot + 1));
  lineages.add({ key: keptText(key.slice(0, dot)), reason, at, until, up_to });
}

/** Folds until no more than the capacity are left. */
export function fold(entries: DenialEntries, capacity: number): void {
  const isFull = () => sizeOf(entries) > capacity;
  while (isFull()) {
    for (let count = 0; count < FOLDS && isFull(); count++) foldOldest(entries);
    if (isFull()) (entries.lineages.size > 0 ? entries.lineages : entries.clients).takeOldest();
  }
}

export function makeRoom(entries: DenialEntries, capacity: number, now: number): void {
  if (sizeOf(entries) <= capacity) return;
  dropExpired(entries, capacity, now);
  fold(entries, capacity);
}
