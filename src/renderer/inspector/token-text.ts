// What people paste when they mean a token: with its header name, in quotes, broken over lines, or as
// the whole answer it came in. Taken off here, and reported.

export interface CleanToken {
  readonly token: string;
  /** What was taken off, in words. */
  readonly removed: readonly string[];
}

type Take = (text: string) => string;

const isBlank = (character: string) => character.trim() === '';

/** Without the quotes around it, which may be several pairs with blanks between them. */
const unwrapped: Take = (text) => {
  let [start, end] = [0, text.length];
  while (end - start > 1 && `"'\``.includes(text.charAt(start)) && text[start] === text[end - 1]) {
    [start, end] = [start + 1, end - 1];
    while (start < end && isBlank(text.charAt(start))) start += 1;
    while (start < end && isBlank(text.charAt(end - 1))) end -= 1;
  }
  return text.slice(start, end);
};

/** An answer of a token endpoint, pasted whole. */
function fromJson(text: string): { token: string; name: string } | null {
  if (!text.startsWith('{')) return null;
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    for (const name of ['access_token', 'id_token', 'token']) {
      const token = value[name];
      if (typeof token === 'string') return { token, name };
    }
  } catch {
    // No JSON after all: it is shown for what it is.
  }
  return null;
}

const STEPS: readonly (readonly [words: string, take: Take])[] = [
  ['spaces around it', (text) => text.trim()],
  ['a comma or semicolon after it', (text) => text.replace(/[,;]$/, '').trimEnd()],
  ['quotes', unwrapped],
  ['the header’s name', (text) => text.replace(/^authorization\s*:\s*/i, '')],
  ['“Bearer”', (text) => text.replace(/^bearer\s+/i, '')],
  ['quotes', unwrapped],
  ['line breaks and spaces inside it', (text) => text.replace(/\s+/g, '')],
];

export function cleanToken(text: string): CleanToken {
  const removed: string[] = [];
  let token = text;
  const found = fromJson(text.trim());
  if (found !== null) {
    token = found.token;
    removed.push(`the JSON around its ${found.name}`);
  }
  for (const [words, take] of STEPS) {
    const less = take(token);
    if (less === token) continue;
    token = less;
    if (!removed.includes(words)) removed.push(words);
  }
  return { token, removed };
}
