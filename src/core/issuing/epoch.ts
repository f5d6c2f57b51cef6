// The epoch of a run: its name, the numbers that are counted within it, and the former epochs whose access
// tokens are still ours. A reset begins another one.

import type { Random } from '../model/ports.ts';
import { encodeRandom } from './random-text.ts';

/** An epoch, and when the last of its access tokens expires, in milliseconds of the sandbox clock. */
export interface KeptEpoch {
  readonly epoch: string;
  readonly until: number;
}

export interface IssuedInEpoch extends KeptEpoch {
  /** Number of the newest lineage; null in an earlier epoch, which opens no more. */
  readonly lineages: number | null;
}

export interface Epoch {
  /** New at every start and reset; a token of another epoch is no token of ours. */
  readonly name: string;
  /** When the last access token of this epoch expires, in ms of the sandbox clock; 0 before the first. */
  readonly access_until: number;
  nextLineage(): number;
  /** Order of issue over all credentials. */
  nextCredential(): number;
  /** An access token of this epoch expires then. */
  cover(expires_at: number): void;
  /** Whether a token of this epoch can be one of ours: it is this one, or was kept. */
  recognises(epoch: string): boolean;
  /** Takes tokens of earlier epochs for ours as well: their keys and denials were kept. */
  keep(epochs: readonly KeptEpoch[]): void;
  /** What access tokens there can be by now: those of this epoch and of the earlier ones. */
  issuedSoFar(): readonly IssuedInEpoch[];
  /** The same epoch, which counts on by itself: its numbers are those that come next here. */
  fork(): Epoch;
  /** Starts a new epoch and forgets every number. */
  reset(): void;
}

const fresh = (random: Random) => ({
  name: encodeRandom(random(6)),
  kept: [] as readonly KeptEpoch[],
  accessUntil: 0,
  lineages: 0,
  credentials: 0,
});

export function createEpoch(random: Random, from = fresh(random)): Epoch {
  let { name, kept, accessUntil, lineages, credentials } = from;

  return {
    get name() {
      return name;
    },
    get access_until() {
      return accessUntil;
    },
    nextLineage: () => ++lineages,
    nextCredential: () => ++credentials,
    cover: (expires_at) => {
      accessUntil = Math.max(accessUntil, expires_at);
    },
    recognises: (other) => other === name || kept.some(({ epoch }) => epoch === other),
    keep: (epochs) => {
      kept = epochs;
    },
    issuedSoFar: () => [
      ...kept.map((former) => ({ ...former, lineages: null })),
      { epoch: name, until: accessUntil, lineages },
    ],
    fork: () => createEpoch(random, { name, kept, accessUntil, lineages, credentials }),
    reset: () => {
      ({ name, kept, accessUntil, lineages, credentials } = fresh(random));
    },
  };
}
