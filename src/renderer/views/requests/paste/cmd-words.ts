// The words of a command as the Windows command line splits it: cmd.exe takes its carets first, and
// what is left is cut into words by the rules of the C runtime.

import { missing, Unreadable, type Remark } from './remark.ts';

/** A caret takes the meaning from what follows; before a line break it takes the break. */
function withoutCarets(text: string): string {
  let quoted = false;
  return text.replace(
    /"|\^\r?\n(\r?\n)?|\^([\s\S])|\^$/g,
    (found, empty?: string, sign?: string) => {
      if (found === '"') {
        quoted = !quoted;
        return found;
      }
      if (/^\^\r?\n/.test(found)) return empty === undefined ? '' : '\n';
      return quoted ? found : (sign ?? '');
    },
  );
}

/** @throws Unreadable when a quote is never closed */
function split(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quoted = false;
  for (let at = 0; at < text.length;) {
    const start = at;
    while (text[at] === '\\') at += 1;
    const slashes = at - start;
    const sign = text.charAt(at);
    if (sign === '"') {
      const doubled = quoted && slashes % 2 === 0 && text[at + 1] === '"';
      const literal = slashes % 2 === 1 || doubled;
      word = (word ?? '') + '\\'.repeat(slashes >> 1) + (literal ? '"' : '');
      if (!literal) quoted = !quoted;
      at += doubled ? 2 : 1;
      continue;
    }
    if (slashes > 0) {
      word = (word ?? '') + text.slice(start, at);
      continue;
    }
    if (!quoted && /\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + sign;
    at += 1;
  }
  if (quoted) throw new Unreadable('A quote (") is opened but not closed.');
  return word === null ? words : [...words, word];
}

/** Whether the command is written for cmd.exe: by its carets, and by single quotes being none there. */
export const isForCmd = (text: string): boolean =>
  /\^[ \t]*\r?\n|(?:^|\s)\^"/.test(text) && !/(?:^|\s)\$?'/.test(text);

export function cmdWords(text: string): { words: readonly string[]; remarks: readonly Remark[] } {
  const variables = [...new Set(text.match(/%[A-Za-z_]\w*%/g) ?? [])];
  return {
    words: split(withoutCarets(text.replace(/\^[ \t]+(?=\r?\n)/g, '^'))),
    remarks:
      variables.length === 0
        ? []
        : [
            missing(
              `The command line would expand ${variables.join(', ')}; here it is kept as written.`,
            ),
          ],
  };
}
