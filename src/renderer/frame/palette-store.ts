// Whether the palette is open. Focus goes back to where it was before what was chosen runs: that may put it
// elsewhere.

import { createStore } from 'zustand/vanilla';

/** What the titles of all that can be undone begin with. */
export const UNDO = 'Undo: ';

interface Palette {
  readonly opened: boolean;
  /** What it is opened with in its field. */
  readonly query: string;
}

export const palette = createStore<Palette>(() => ({ opened: false, query: '' }));

let before: Element | null = null;

function open(query: string): void {
  if (palette.getState().opened) return;
  before = document.activeElement;
  palette.setState({ opened: true, query });
}

export const openPalette = (): void => open('');

/** With what can be undone, newest first. */
export const openUndo = (): void => open(UNDO);

export function closePalette(): void {
  palette.setState({ opened: false });
  if (before instanceof HTMLElement) before.focus();
}
