// The token that was pasted, and the keys to check it with: kept while the page lives, so that looking elsewhere loses
// nothing. They are read here and sent nowhere.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { readToken, type ReadToken } from '../../../oauth/jwt.ts';
import { cleanToken, type CleanToken } from '../../inspector/token-text.ts';

/** Longer texts are held, not laid out: a text box of megabytes stops the page. */
export const MOST_EDITABLE = 50_000;

export interface Pasted {
  readonly text: string;
  /** What was made of the text; it follows when the typing rests. */
  readonly clean: CleanToken;
  readonly read: ReadToken;
  /** Keys to check it with, as they were pasted; null: the keys of this server. */
  readonly keys: string | null;
}

const NOTHING: Omit<Pasted, 'keys'> = {
  text: '',
  clean: { token: '', removed: [] },
  read: { kind: 'nothing' },
};

const RESTS_MS = 150;

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
  typing = setTimeout(readNow, RESTS_MS);
}

export const setKeys = (keys: string | null): void => store.setState({ keys });
