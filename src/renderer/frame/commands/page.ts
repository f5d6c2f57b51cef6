// The page itself: how it looks, what its keys are, taking back what was just done.

import { resetColumnWidths, setTheme, THEMES, toggleRail } from '../../ui/preferences.ts';
import type { Command } from '../../navigation/command.ts';
import { showCheatSheet } from '../cheat-sheet.ts';
import { openPalette, openUndo } from '../palette-store.ts';
import { page } from '../../connection/state.ts';
import { notify } from '../../ui/notify.tsx';
import { undoEntries } from '../undo-entries.ts';
import { appWindow } from '../../actions/window.ts';

/** The field that filters or searches the view in front; none below a dialog. */
function findField(): HTMLInputElement | null {
  if (document.querySelector('[aria-modal="true"]') !== null) return null;
  const fields = document.querySelectorAll<HTMLInputElement>('main [data-find]');
  return [...fields].find((field) => field.offsetParent !== null) ?? null;
}

/** A browser tab has a search of its own for views without such a field. */
const canFind = () => appWindow !== null || findField() !== null;

function find(): void {
  const field = findField();
  if (field === null) return openPalette();
  field.focus();
  field.select();
}

export const PAGE: readonly Command[] = [
  { id: 'palette', title: 'Search or run any command', group: 'Page', run: openPalette },
  {
    id: 'find',
    title: 'Filter or search this view',
    group: 'Page',
    shortcut: 'mod+F',
    enabled: canFind,
    run: find,
  },
  {
    id: 'shortcuts',
    title: 'Keyboard shortcuts',
    group: 'Page',
    shortcut: 'mod+/',
    run: showCheatSheet,
  },
  {
    id: 'undo',
    title: 'Undo a change…',
    group: 'Page',
    shortcut: 'alt+Z',
    run: () => (undoEntries(page.getState()).length > 0 ? openUndo() : notify('Nothing to undo')),
  },
  {
    id: 'rail',
    title: 'Collapse or expand the sidebar',
    group: 'Page',
    shortcut: 'alt+B',
    run: toggleRail,
  },
  {
    id: 'columns',
    title: 'Reset the widths of all columns',
    group: 'Page',
    run: resetColumnWidths,
  },
  ...THEMES.map((theme): Command => ({
    id: `theme-${theme}`,
    title: theme === 'auto' ? 'Theme: system' : `Theme: ${theme}`,
    group: 'Page',
    run: () => setTheme(theme),
  })),
];
