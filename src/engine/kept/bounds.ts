// Limits of the --keep file; the denial list has its own limits.

import { MAX_KEY_BYTES } from '../../core/records/bounds.ts';

/**
 * Keys: those of a workspace (20), those generated in addition (16), and one for each algorithm that was set since.
 * Epochs: one for each start with unexpired tokens.
 */
export const KEPT_BOUNDS = {
  keys: { entries: 50, bytes: 50 * MAX_KEY_BYTES },
  epochs: { entries: 1000, bytes: 1000 * 128 },
} as const;
