// User codes (RFC 8628 6.1), which the user reads on the device and types on another one.

import type { Random } from '../model/ports.ts';
import type { UserCodeFormat } from '../records/schemas.ts';

interface Alphabet {
  readonly characters: string;
  /** Sizes of the groups, which are shown separated by hyphens. */
  readonly groups: readonly number[];
}

/** The two examples of RFC 8628 6.1. Without vowels no code spells a word. */
const ALPHABETS: Readonly<Record<UserCodeFormat, Alphabet>> = {
  letters: { characters: 'BCDFGHJKLMNPQRSTVWXZ', groups: [4, 4] },
  digits: { characters: '0123456789', groups: [3, 3, 3] },
};

/** The maximum number of characters that are read of a typed code; real codes are far shorter. */
export const LONGEST_USER_CODE = 64;

/** Returns the code without grouping and in one case, so that all spellings of a code are equal. */
export function plainUserCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** Returns random characters of the alphabet. Bytes that would favour its beginning are skipped. */
function randomCharacter(characters: string, random: Random): string {
  const fair = 256 - (256 % characters.length);
  for (;;) {
    const [byte = 0] = random(1);
    if (byte < fair) return characters.charAt(byte % characters.length);
  }
}

/** Returns a new code as it is shown, such as `WDJB-MJHT` or `019-450-730`. */
export function createUserCode(format: UserCodeFormat, random: Random): string {
  const { characters, groups } = ALPHABETS[format];
  return groups
    .map((size) => Array.from({ length: size }, () => randomCharacter(characters, random)).join(''))
    .join('-');
}
