// A dialog or a menu over the page that is opened from outside React, with what it shows.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export function createOverlay<T>() {
  const store = createStore(() => ({
    /** null until it is first opened. It stays while the overlay closes. */
    content: null as T | null,
    opened: false,
  }));
  let before: Element | null = null;
  return {
    isOpen: () => store.getState().opened,
    open(content: T): void {
      if (!store.getState().opened) before = document.activeElement;
      store.setState({ content, opened: true });
    },
    /** Returns the focus to the element that had it before. */
    close(): void {
      if (!store.getState().opened) return;
      store.setState({ opened: false });
      if (before instanceof HTMLElement) before.focus();
    },
    useShown: () => useStore(store),
  };
}
