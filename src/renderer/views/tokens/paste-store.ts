// The pasted token and the keys that verify it. The state lasts as long as the page, so that another view can be shown
// meanwhile. Nothing of it is sent.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { readToken, type ReadToken } from '../../../oauth/jwt.ts';
import { cleanToken, type CleanToken } from '../../inspector/token-text.ts';

/** Longer texts are not put into a text box, because one with megabytes blocks the page. */
export const MOST_EDITABLE = 50_000;

export interface Pasted {
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
