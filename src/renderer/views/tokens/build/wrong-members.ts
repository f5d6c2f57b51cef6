// Which members of a token are wrong on purpose, and by which mistake.

import { TOKEN_MISTAKES, type TokenMistake } from '../../../../control/names.ts';
import type { WrongMembers } from '../../../inspector/wrong-members.ts';

export function wrongMembers(mistakes: readonly TokenMistake[]): WrongMembers {
  const found = { header: new Map<string, string>(), payload: new Map<string, string>() };
  for (const mistake of mistakes) {
    const { sets, title } = TOKEN_MISTAKES[mistake];
    for (const part of sets) {
      const [place = '', member] = part.split('.');
      if (member !== undefined && (place === 'header' || place === 'payload')) {
        found[place].set(member, title);
      }
    }
  }
  return found;
}
