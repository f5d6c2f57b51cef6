// Which dialogs of the page are open: the palette, the list of shortcuts, and the mirror of a provider.

import { createStore } from 'zustand/vanilla';

export const cheatSheet = createStore<{ readonly opened: boolean }>(() => ({ opened: false }));

export const showCheatSheet = (): void => cheatSheet.setState({ opened: true });
export const hideCheatSheet = (): void => cheatSheet.setState({ opened: false });

export const mirrorDialog = createStore<{ readonly opened: boolean }>(() => ({ opened: false }));

export const showMirror = (): void => mirrorDialog.setState({ opened: true });
export const hideMirror = (): void => mirrorDialog.setState({ opened: false });

/** How the titles of all Undo entries begin. */
export const UNDO = 'Undo: ';

interface Palette {
  readonly opened: boolean;
  /** The initial text of its field. */
  readonly query: string;
}

export const palette = createStore<Palette>(() => ({ opened: false, query: '' }));

/** Gets the focus back before the chosen entry runs, since the entry may move it. */
let before: Element | null = null;

function open(query: string): void {
  if (palette.getState().opened) return;
  before = document.activeElement;
  palette.setState({ opened: true, query });
}

export const openPalette = (): void => open('');

/** Opens the palette with everything that can be undone, newest first. */
export const openUndo = (): void => open(UNDO);

export function closePalette(): void {
  palette.setState({ opened: false });
  if (before instanceof HTMLElement) before.focus();
}
