// A file of which is known what it says: nothing is written over what somebody else has put there, and
// nothing is written that is there already. When it is saved is for others to know.

import type { Working } from './atomic-file.ts';
import { replaceFile } from './atomic-file.ts';
import type { Fingerprint } from './file-text.ts';
import { fingerprintOf, isOther, isSame, readIfThere } from './file-text.ts';

export interface KnownText {
  /** The text now in the file; null when there is none. */
  readonly read: () => Promise<string | null>;
  /** A text of this kind says what the file says. Left out when it is the one that was read. */
  readonly settle: (text?: Iterable<string>) => void;
  /**
   * @returns false when somebody else has changed the file, which then stays as it is
   * @throws Error of the system, or because the text cannot be made
   */
  readonly replace: (text: Iterable<string>, working?: Working) => Promise<boolean>;
}

export function createKnownText(file: string): KnownText {
  /** What we read from or wrote to the file; null while it is not there. */
  let known: Fingerprint | null = null;
  /** What the text made of memory is when it says the same as the file; not made before it is needed. */
  let settled: Fingerprint | Iterable<string> | null = null;

  const settledText = async () => {
    if (settled !== null && Symbol.iterator in settled) settled = await fingerprintOf(settled);
    return settled;
  };
  return {
    read: async () => {
      const found = await readIfThere(file);
      known = found?.fingerprint ?? null;
      return found?.text ?? null;
    },
    settle: (text) => {
      settled = text ?? known;
    },
    replace: async (text, working) => {
      if (await isOther(file, known)) return false;
      const unless = await settledText();
      const written = await replaceFile({ file, text, unless, ...(working && { working }) });
      if (!isSame(written, unless)) known = written;
      settled = written;
      return true;
    },
  };
}
