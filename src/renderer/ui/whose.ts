// Whose requests the displayed rates and advisories count, remembered in localStorage: those of the app
// under test alone, unless this person wants those of Grantbench, too.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Whose } from '../connection/state.ts';

const KEY = 'grantbench.whose';

interface Choice {
  readonly whose: Whose;
}

const store = createStore<Choice>(() => ({
  whose: localStorage.getItem(KEY) === 'all' ? 'all' : 'app',
}));
store.subscribe(({ whose }) => localStorage.setItem(KEY, whose));

export const useWhose = (): Whose => useStore(store, ({ whose }) => whose);

export const toggleWhose = (): void =>
  store.setState(({ whose }) => ({ whose: whose === 'app' ? 'all' : 'app' }));
