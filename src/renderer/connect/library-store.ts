// The library whose settings are shown, in every view the same; remembered by this browser.

import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import type { Snippet } from './snippet.ts';
import { SNIPPETS } from './snippets.ts';

const KEY = 'grantbench.library';

const chosen = createStore<{ readonly id: string | null }>(() => ({
  id: localStorage.getItem(KEY),
}));

export function chooseLibrary(id: string): void {
  localStorage.setItem(KEY, id);
  chosen.setState({ id });
}

/** The one chosen; without a choice the first, which is the env file. */
export function useLibrary(): Snippet {
  const { id } = useStore(chosen);
  return SNIPPETS.find((snippet) => snippet.id === id) ?? SNIPPETS[0];
}
