// The pasted token and the keys that verify it. The state lasts as long as the page, so that another view can be shown
// meanwhile. Nothing of it is sent.

import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { parseJsonObject } from '../../../json.ts';
import { readToken } from '../../../oauth/jwt.ts';

// Extracts a token from pasted text: with a header name, in quotes, split over lines, or in a whole JSON response. Reports
// what was removed.

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

/** @returns the token, and what was removed, in words */
export function cleanToken(text: string) {
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

const PAUSE_MS = 150;

const store = createStore(() => ({
  text: '',
  /** The keys that verify the token, as pasted; null: the keys of this server. */
  keys: null as string | null,
}));

/** The text as it is now, and the token in it, which is read when the user pauses typing. */
export function usePasted() {
  const { text, keys } = useStore(store);
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const clean = useMemo(() => cleanToken(settled), [settled]);
  const read = useMemo(() => readToken(clean.token), [clean]);
  return { text, keys, clean, read };
}

export const setPasted = (text: string): void => store.setState({ text });

export const setKeys = (keys: string | null): void => store.setState({ keys });
