// The newest credentials, for those who look: of maps that are in the order of issue, and of whatever
// comes in no order at all. Bounded work and memory, since millions may be kept.

import type { Credential } from '../model/credentials.ts';

export type Wanted = (credential: Credential) => boolean;

/** The last few that are wanted, of a map in the order of issue. */
export function newestOf<T extends Credential>(
  map: ReadonlyMap<string, T>,
  limit: number,
  wanted: Wanted,
): T[] {
  const found: T[] = [];
  for (const credential of [...map.values()].reverse()) {
    if (found.length === limit) break;
    if (wanted(credential)) found.push(credential);
  }
  return found;
}

const newestFirst = (a: Credential, b: Credential) => b.seq - a.seq;

const firstOf = (many: Credential[], limit: number) => many.sort(newestFirst).slice(0, limit);

/** The newest of many, newest first, without sorting them all. */
export function pickNewest(
  many: Iterable<Credential>,
  limit: number,
  wanted: Wanted,
): readonly Credential[] {
  let kept: Credential[] = [];
  let floor = 0;
  for (const credential of many) {
    if (credential.seq <= floor || !wanted(credential)) continue;
    kept.push(credential);
    if (kept.length <= 4 * limit) continue;
    kept = firstOf(kept, limit);
    floor = kept.at(-1)?.seq ?? 0;
  }
  return firstOf(kept, limit);
}
