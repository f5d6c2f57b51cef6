// Records kept in this browser, in localStorage. Several tabs share the list: each change begins with what is there.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export interface BrowserListOptions<T> {
  readonly key: string;
  /** What of the text can be read; another version may have written more. */
  readonly read: (stored: string | null) => readonly T[];
  /** @param stored what is there now, of which more than the records may be kept */
  readonly write: (records: readonly T[], stored: string | null) => string;
}

export interface BrowserList<T> {
  readonly now: () => readonly T[];
  /** @throws when the browser keeps no more */
  readonly change: (how: (records: readonly T[]) => readonly T[]) => void;
  readonly use: () => readonly T[];
}

export function createBrowserList<T>(options: BrowserListOptions<T>): BrowserList<T> {
  const { key, read, write } = options;
  const stored = () => localStorage.getItem(key);
  const store = createStore<readonly T[]>(() => read(stored()));
  addEventListener('storage', (event) => {
    if (event.key === key) store.setState(read(stored()), true);
  });
  return {
    now: () => read(stored()),
    change: (how) => {
      const records = how(read(stored()));
      localStorage.setItem(key, write(records, stored()));
      store.setState(records, true);
    },
    use: () => useStore(store),
  };
}
