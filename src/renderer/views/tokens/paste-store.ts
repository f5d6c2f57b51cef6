// The pasted token and the keys that verify it. The state lasts as long as the page, so that another view can be shown
// meanwhile. Nothing of it is sent.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { parseJsonObject } from '../../../json.ts';
import { readToken, type ReadToken } from '../../../oauth/jwt.ts';

// Extracts a token from pasted text: with a header name, in quotes, split over lines, or in a whole JSON response. Reports
// what was removed.

interface CleanToken {
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
  const members = parseJsonObject(text) ?? {};
  for (const name of ['access_token', 'id_token', 'token']) {
    const token = members[name];
    if (typeof token === 'string') return { token, name };
  }
  return null;
}

const STEPS: readonly (readonly [words: string, remove: Remove])[] = [
  ['spaces around it', (text) => text.trim()],
  ['a comma or semicolon after it', (text) => text.replace(/[,;]$/, '').trimEnd()],
  ['quotes', unwrapped],
  ['the header’s name', (text) => text.replace(/^authorization\s*:\s*/i, '')],
  ['“Bearer”', (text) => text.replace(/^bearer\s+/i, '')],
  ['“DPoP”', (text) => text.replace(/^dpop\s+/i, '')],
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

/** Longer texts are not put into a text box, because one with megabytes blocks the page. */
export const MOST_EDITABLE = 50_000;

interface Pasted {
  readonly text: string;
  /** The parsed text, updated when the user pauses typing. */
  readonly clean: CleanToken;
  readonly read: ReadToken;
  /** The keys that verify the token, as pasted; null: the keys of this server. */
  readonly keys: string | null;
}

const NOTHING: Omit<Pasted, 'keys'> = {
  text: '',
  clean: { token: '', removed: [] },
  read: { kind: 'nothing' },
};

const PAUSE_MS = 150;

const store = createStore<Pasted>(() => ({ ...NOTHING, keys: null }));
let typing: ReturnType<typeof setTimeout> | undefined;

export const usePasted = (): Pasted => useStore(store);

function readNow(): void {
  const { text } = store.getState();
  const clean = cleanToken(text);
  store.setState({ clean, read: readToken(clean.token) });
}

/** The text as it is typed or pasted now. */
export function setPasted(text: string): void {
  store.setState(text === '' ? NOTHING : { text });
  clearTimeout(typing);
  typing = setTimeout(readNow, PAUSE_MS);
}

export const setKeys = (keys: string | null): void => store.setState({ keys });
