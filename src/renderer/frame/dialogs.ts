// Opens the dialogs of the frame.

import { change } from '../connection/state.ts';
import { createOverlay } from '../ui/overlay.ts';

export const cheatSheet = createOverlay<null>();
export const mirrorDialog = createOverlay<null>();

/** With the initial text of its field. */
export const palette = createOverlay<string>();

/** How the titles of all Undo entries begin. */
export const UNDO = 'Undo: ';

function open(query: string): void {
  if (!palette.isOpen()) palette.open(query);
}

export const openPalette = (): void => open('');

export const openUndo = (): void => open(UNDO);

export const askForToken = (token_wanted: boolean): void =>
  change((state) => ({ ...state, token_wanted }));
