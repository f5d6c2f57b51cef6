// Active fault rules (behaviour 8): decides which one applies to a request, by their order, countdowns and seeded random
// choices. The server applies the effect to the response.

import type { DomainEvent } from '../model/ports.ts';
import { fitsPattern } from '../records/endpoints.ts';
import type { Fault } from '../records/schemas.ts';
import { FAULT_BOUNDS } from '../records/bounds.ts';
import { UNTOUCHED_PATHS } from '../records/enumerations.ts';
import { recordBytes } from '../collections/weight.ts';

/** The parts of a request that a rule matches. */
export interface FaultTarget {
  /** Below the issuer's own path, without query. */
  readonly path: string;
  readonly method: string;
  /** What the request claims; only called if a rule matches by it. */
  readonly claims: () => {
    readonly grant_type: string | null;
    readonly client_id: string | null;
  };
}

export interface FaultState {
  readonly fault: Fault;
  /** The number of requests that it was applied to since the start or the last reset. */
  readonly hits: number;
  /** How many more requests it applies to; null for no limit. */
  readonly remaining: number | null;
}

interface TakenFault {
  readonly fault: Fault;
  /** Undoes the hit, because there was nothing that the fault could change. */
  readonly giveBack: () => void;
}

export type Faults = ReturnType<typeof createFaults>;

type Entry = { -readonly [Member in keyof FaultState]: FaultState[Member] } & {
  /** The number of random choices so far. */
  draws: number;
};

const fresh = (fault: Fault, hits = 0): Entry => ({
  fault,
  hits,
  remaining: fault.times,
  draws: 0,
});

const isArmed = ({ fault, remaining }: Entry) => fault.enabled && remaining !== 0;

const isTouched = ({ path }: FaultTarget) => !UNTOUCHED_PATHS.includes(path);

/** Whether a rule with this `match` can apply to the request; never to health checks and the landing page. */
export function fits(
  { path, method, grant_type, client_id }: Fault['match'],
  target: FaultTarget,
): boolean {
  if (!isTouched(target)) return false;
  if (path !== null && !fitsPattern(path, target.path)) return false;
  if (method === null ? target.method === 'OPTIONS' : method !== target.method) return false;
  if (grant_type === null && client_id === null) return true;
  const claimed = target.claims();
  return (
    (grant_type === null || grant_type === claimed.grant_type) &&
    (client_id === null || client_id === claimed.client_id)
  );
}

/** The n-th number of a seed's sequence, from 0 up to 1 (mulberry32). */
function chance(seed: number, n: number): number {
  const state = (seed + Math.imul(n + 1, 0x6d2b79f5)) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

const wouldApply = ({ fault: { probability, seed }, draws }: Entry): boolean =>
  probability === 1 || chance(seed, draws) < probability;

/** Each request that fits takes one chance, whatever its response, so that runs can be repeated. */
function draw(entry: Entry): boolean {
  const applied = wouldApply(entry);
  entry.draws += 1;
  return applied;
}

export function createFaults(emit: (event: DomainEvent) => void) {
  let entries: Entry[] = [];
  let armed = false;

  const set = (next: Entry[]) => {
    entries = next;
    armed = entries.some(isArmed);
  };
  const change = (next: Entry[]) => {
    set(next);
    emit({ type: 'faults' });
  };
  const indexOf = (id: string) => entries.findIndex(({ fault }) => fault.id === id);
  /** @param applies called for each rule that fits, up to the first for which it is true */
  const firstOf = (target: FaultTarget, applies: (entry: Entry) => boolean) =>
    entries.find((one) => isArmed(one) && fits(one.fault.match, target) && applies(one));
  const count = (entry: Entry, hits: 1 | -1) => {
    entry.hits += hits;
    if (entry.remaining !== null) entry.remaining -= hits;
    if (entry.remaining === 0 || hits < 0) set(entries);
    emit({ type: 'fault_hit' });
  };
  return {
    /** Whether any rule could fit any request: all that a request pays while there is none. */
    get armed() {
      return armed;
    },
    /** The first rule in order that fits, counted as a hit; null when the request goes through. */
    take: (target: FaultTarget): TakenFault | null => {
      const entry = firstOf(target, draw);
      if (entry === undefined) return null;
      count(entry, 1);
      return {
        fault: entry.fault,
        giveBack: () => {
          count(entry, -1);
        },
      };
    },
    /** The rule that `take` would find; nothing is counted. */
    foresee: (target: FaultTarget) => firstOf(target, wouldApply)?.fault ?? null,
    get: (id: string) => entries[indexOf(id)],
    /** In the order in which they are tried. */
    list: () => entries,
    /** Whether the rule can be added, or replace the one with its id. */
    hasRoomFor: (fault: Fault): boolean => {
      const others = entries.filter((entry) => entry.fault.id !== fault.id);
      const bytes = others.reduce(
        (sum, other) => sum + recordBytes(other.fault),
        recordBytes(fault),
      );
      return others.length < FAULT_BOUNDS.entries && bytes <= FAULT_BOUNDS.bytes;
    },
    /** Adds the rule as the last one, or replaces the one with its id and arms it anew. */
    put: (fault: Fault) => {
      const index = indexOf(fault.id);
      const former = entries[index];
      if (former === undefined) change([...entries, fresh(fault)]);
      else change(entries.with(index, fresh(fault, former.hits)));
    },
    /** @param position counted from 0; beyond the end is the end. False when there is no such rule. */
    move: (id: string, position: number): boolean => {
      const index = indexOf(id);
      if (index < 0) return false;
      const [entry, others] = [entries.slice(index, index + 1), entries.toSpliced(index, 1)];
      change(others.toSpliced(position, 0, ...entry));
      return true;
    },
    remove: (id: string): boolean => {
      const index = indexOf(id);
      if (index >= 0) change(entries.toSpliced(index, 1));
      return index >= 0;
    },
    replaceAll: (faults: readonly Fault[]) => {
      change(faults.map((fault) => fresh(fault)));
    },
    /** Every countdown and random sequence begins again, and no rule has hit anything. */
    rearm: () => {
      set(entries.map(({ fault }) => fresh(fault)));
    },
  };
}
