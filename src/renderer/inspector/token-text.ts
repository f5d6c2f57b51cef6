// Extracts a token from pasted text: with a header name, in quotes, split over lines, or in a whole JSON response. Reports
// what was removed.

export interface CleanToken {
  readonly token: string;
  /** What was removed, in words. */
  readonly removed: readonly string[];
}

type Remove = (text: string) => string;

const isBlank = (character: string) => character.trim() === '';

/** Removes the quotes around the text, even several pairs with blanks between them. */
const unwrapped: Remove = (text) => {
  let [start, end] = [0, text.length];
  while (end - start > 1 && `"'\``.includes(text.charAt(start)) && text[start] === text[end - 1]) {
    [start, end] = [start + 1, end - 1];
    while (start < end && isBlank(text.charAt(start))) start += 1;
    while (start < end && isBlank(text.charAt(end - 1))) end -= 1;
  }
  return text.slice(start, end);
};

/** The token in a JSON response of a token endpoint. */
function fromJson(text: string): { token: string; name: string } | null {
  if (!text.startsWith('{')) return null;
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    for (const name of ['access_token', 'id_token', 'token']) {
      const token = value[name];
      if (typeof token === 'string') return { token, name };
    }
  } catch {
    // The text is not JSON, and is treated as plain text.
  }
  return null;
}

const STEPS: readonly (readonly [words: string, remove: Remove])[] = [
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
  for (const [words, remove] of STEPS) {
    const less = remove(token);
    if (less === token) continue;
    token = less;
    if (!removed.includes(words)) removed.push(words);
  }
  return { token, removed };
}
