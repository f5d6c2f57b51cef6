// How much one file holds of each; the denial list has bounds of its own.

import { MAX_KEY_BYTES } from '../../core/records/bounds.ts';

/**
 * Of keys: those that a workspace brought (20), those made beside them (16), and one for each algorithm
 * that came into force since. Of epochs: one for each start whose tokens are not all expired.
 */
export const KEPT_BOUNDS = {
  keys: { entries: 50, bytes: 50 * MAX_KEY_BYTES },
  epochs: { entries: 1000, bytes: 1000 * 128 },
} as const;
