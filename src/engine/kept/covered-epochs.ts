// The epochs whose access tokens are recognised by the next run, each until the last of them has expired:
// those kept from earlier runs, and the one of this run once it has issued a token.

import type { TokenService } from '../../core/service.ts';
import { KEPT_BOUNDS } from './bounds.ts';
import type { Kept } from './parse-kept.ts';

export interface CoveredEpochs {
  /** Recognises tokens of these epochs, which were kept. */
  readonly restore: (epochs: Kept['epochs']) => void;
  /** Whether tokens now expire later than was covered; they are covered then. */
  readonly extend: () => boolean;
  /** After a reset: the earlier epochs are gone, and this one has issued nothing. */
  readonly forget: () => void;
  /** Oldest first; of too many the newest. */
  readonly list: () => Kept['epochs'];
}

/** Saved at the first token, then when tokens expire later than was covered by then. */
const AHEAD_MS = 3_600_000;

export function createCoveredEpochs(tokens: TokenService['tokens']): CoveredEpochs {
  let former: Kept['epochs'] = [];
  /** Until when tokens of this epoch are covered; 0 while there is none. */
  let until = 0;
  return {
    restore: (epochs) => {
      former = epochs;
      tokens.keepEpochs(former);
    },
    extend: () => {
      if (tokens.access_until <= until) return false;
      until = tokens.access_until + AHEAD_MS;
      return true;
    },
    forget: () => {
      former = [];
      until = 0;
    },
    list: () => [...former, { epoch: tokens.epoch, until }].slice(-KEPT_BOUNDS.epochs.entries),
  };
}
