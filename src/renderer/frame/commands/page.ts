// Commands of the page itself: appearance, shortcuts, Undo.

import { restoreWorkspace } from '../../actions/workspace.ts';
import { timeOfDay } from '../../connection/clock.ts';
import { type State, page } from '../../connection/state.ts';
import { undoable, notify } from '../../ui/notify.tsx';
import { pluralize } from '../../../words.ts';
import { setPreference, setTheme, THEMES, toggleRail } from '../../ui/preferences.ts';
import { commandsIn, type CommandEntry } from '../../navigation/command.ts';
import { appWindow } from '../../actions/window.ts';
import { cheatSheet, openPalette, openUndo, UNDO } from '../dialogs.ts';
import type { Entry } from '../palette/match.ts';

// What can be undone, as entries of the palette: changes made by this page, and the replaced workspaces that the
// service keeps.

interface Dated {
  readonly at: number;
  readonly entry: Entry;
}

const GROUP = 'Undo';

const ofPage = (): Dated[] =>
  undoable().map(({ id, what, at, undo }) => ({
    at,
    entry: { id, group: GROUP, title: `${UNDO}${what}`, detail: timeOfDay(at), run: undo },
  }));

const ofService = ({ former_workspaces }: State): Dated[] =>
  former_workspaces.map((former) => {
    const { id, name, clients, users, replaced_at } = former;
    const at = Date.parse(replaced_at);
    const contents = `${pluralize(clients, 'client')}, ${pluralize(users, 'user')}`;
    const entry = {
      id: `former-${id}`,
      group: GROUP,
      title: `${UNDO}the workspace “${name}” was replaced`,
      detail: `${contents} · ${timeOfDay(at)}`,
      run: () => restoreWorkspace(former),
    };
    return { at, entry };
  });

/** Newest first. */
export const undoEntries = (state: State): Entry[] =>
  [...ofPage(), ...ofService(state)].sort((a, b) => b.at - a.at).map(({ entry }) => entry);

/** The field that filters or searches the current view; null while a dialog covers it. */
function findField(): HTMLInputElement | null {
  if (document.querySelector('[aria-modal="true"]') !== null) return null;
  const fields = document.querySelectorAll<HTMLInputElement>('main [data-find]');
  return [...fields].find((field) => field.offsetParent !== null) ?? null;
}

/** Without such a field, a browser tab uses the browser's own search. */
const canFind = () => appWindow !== null || findField() !== null;

function find(): void {
  const field = findField();
  if (field === null) return openPalette();
  field.focus();
  field.select();
}

export const PAGE = commandsIn('Page', [
  { id: 'palette', title: 'Search or run any command', run: openPalette },
  {
    id: 'find',
    title: 'Filter or search this view',
    shortcut: 'mod+F',
    enabled: canFind,
    run: find,
  },
  {
    id: 'shortcuts',
    title: 'Keyboard shortcuts',
    shortcut: 'mod+/',
    run: () => cheatSheet.open(null),
  },
  {
    id: 'undo',
    title: 'Undo a change…',
    shortcut: 'alt+Z',
    run: () => (undoEntries(page.getState()).length > 0 ? openUndo() : notify('Nothing to undo')),
  },
  { id: 'rail', title: 'Collapse or expand the sidebar', shortcut: 'alt+B', run: toggleRail },
  {
    id: 'columns',
    title: 'Reset the widths of all columns',
    run: () => setPreference('columns', {}),
  },
  ...THEMES.map((theme): CommandEntry => ({
    id: `theme-${theme}`,
    title: theme === 'auto' ? 'Theme: system' : `Theme: ${theme}`,
    run: () => setTheme(theme),
  })),
]);
