// User codes (RFC 8628 6.1): what a person reads from a device and types on another one.

import type { Random } from '../model/ports.ts';
import type { UserCodeFormat } from '../records/schemas.ts';

interface Alphabet {
  readonly characters: string;
  /** Sizes of the groups that are shown, separated by hyphens. */
  readonly groups: readonly number[];
}

/** Without vowels no code spells a word; both are the examples of RFC 8628 6.1. */
const ALPHABETS: Readonly<Record<UserCodeFormat, Alphabet>> = {
  letters: { characters: 'BCDFGHJKLMNPQRSTVWXZ', groups: [4, 4] },
  digits: { characters: '0123456789', groups: [3, 3, 3] },
};

/** Characters of a typed code that are read; no code is nearly as long. */
export const LONGEST_USER_CODE = 64;

/** The code without grouping and case: two spellings of one code are the same by it. */
export function plainUserCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** A random character of the alphabet; bytes that would favour its beginning are left out. */
function randomCharacter(characters: string, random: Random): string {
  const fair = 256 - (256 % characters.length);
  for (;;) {
    const [byte = 0] = random(1);
    if (byte < fair) return characters.charAt(byte % characters.length);
  }
}

/** A new code as it is shown, for example `WDJB-MJHT` or `019-450-730`. */
export function createUserCode(format: UserCodeFormat, random: Random): string {
  const { characters, groups } = ALPHABETS[format];
  return groups
    .map((size) => Array.from({ length: size }, () => randomCharacter(characters, random)).join(''))
    .join('-');
}
