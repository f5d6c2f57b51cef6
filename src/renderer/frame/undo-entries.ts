// What can be undone, as entries of the palette: what this page did, and the workspaces that the service keeps because
// another one took their place.

import { restoreWorkspace } from '../actions/workspace.ts';
import { timeOfDay } from '../connection/clock.ts';
import type { State } from '../connection/state.ts';
import { undoable } from '../ui/notify.tsx';
import { pluralize } from '../ui/short-forms.ts';
import { UNDO } from './palette-store.ts';
import type { Entry } from './palette/entry.ts';

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
