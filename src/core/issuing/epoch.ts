// The epoch of a run: its name, its counters, and the earlier epochs whose access tokens are still recognized. A
// reset begins a new one.

import type { Random } from '../model/ports.ts';
import { encodeRandom } from './random-text.ts';

/** An epoch, and when the last of its access tokens expires (in milliseconds of the sandbox clock). */
export interface KeptEpoch {
  readonly epoch: string;
  readonly until: number;
}

export type Epoch = ReturnType<typeof createEpoch>;

const fresh = (random: Random) => ({
  name: encodeRandom(random(6)),
  kept: [] as readonly KeptEpoch[],
  accessUntil: 0,
  lineages: 0,
  credentials: 0,
});

export function createEpoch(random: Random, from = fresh(random)) {
  let { name, kept, accessUntil, lineages, credentials } = from;

  return {
    /** New at every start and reset; tokens of unknown epochs are not recognized. */
    get name() {
      return name;
    },
    /**
     * When the last access token of this epoch expires (in ms of the sandbox clock); 0 before the first one is issued.
     */
    get access_until() {
      return accessUntil;
    },
    nextLineage: () => ++lineages,
    /** Returns the next position in the order of issue of all credentials. */
    nextCredential: () => ++credentials,
    /** Records when an access token of this epoch expires. */
    cover: (expires_at: number) => {
      accessUntil = Math.max(accessUntil, expires_at);
    },
    /** Whether tokens of this epoch are recognized: it is the current one, or was saved. */
    recognises: (other: string) => other === name || kept.some(({ epoch }) => epoch === other),
    /** Recognizes the tokens of earlier epochs as well, whose keys and denials were saved. */
    keep: (epochs: readonly KeptEpoch[]) => {
      kept = epochs;
    },
    /**
     * Returns the current epoch and the earlier ones, whose access tokens may still exist. `lineages` is the number of
     * the newest lineage; null in an earlier epoch, in which no lineages are opened any more.
     */
    issuedSoFar: () => [
      ...kept.map((former) => ({ ...former, lineages: null })),
      { epoch: name, until: accessUntil, lineages },
    ],
    /** Returns a copy of the epoch that counts on its own: its numbers are the next ones here. */
    fork: () => createEpoch(random, { name, kept, accessUntil, lineages, credentials }),
    /** Starts a new epoch and resets every counter. */
    reset: () => {
      ({ name, kept, accessUntil, lineages, credentials } = fresh(random));
    },
  };
}
