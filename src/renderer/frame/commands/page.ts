// The page itself: how it looks, what its keys are, taking back what was just done.

import { setTheme, THEMES, toggleRail } from '../../ui/appearance.ts';
import type { Command } from '../../navigation/command.ts';
import { showCheatSheet } from '../cheat-sheet.ts';
import { openPalette } from '../open-palette.ts';
import { resetColumnWidths } from '../../ui/grid/column-widths.ts';
import { undoNewest } from '../../ui/notify.tsx';

export const PAGE: readonly Command[] = [
  { id: 'palette', title: 'Search or run any command', group: 'Page', run: openPalette },
  {
    id: 'shortcuts',
    title: 'Keyboard shortcuts',
    group: 'Page',
    shortcut: 'mod+/',
    run: showCheatSheet,
  },
  {
    id: 'undo',
    title: 'Undo the last change',
    group: 'Page',
    shortcut: 'alt+Z',
    run: undoNewest,
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
