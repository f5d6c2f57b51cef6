// Whether the palette is open. Focus goes back to where it was before what was chosen runs: that may put it
// elsewhere.

import { createStore } from 'zustand/vanilla';

export const palette = createStore<{ readonly opened: boolean }>(() => ({ opened: false }));

let before: Element | null = null;

export function openPalette(): void {
  if (palette.getState().opened) return;
  before = document.activeElement;
  palette.setState({ opened: true });
}

export function closePalette(): void {
  palette.setState({ opened: false });
  if (before instanceof HTMLElement) before.focus();
}
