// One kind of thing that is saved by name: in the workspace while its file is written, else in this browser. Both places
// are one list; what is deleted can be restored, and nothing takes the place of another unless that was agreed to.

import { attempt } from '../actions/sandbox.ts';
import { problemOf } from '../connection/control.ts';
import { page, type State, usePage } from '../connection/state.ts';
import { notify, notifyWithUndo } from '../ui/notify.tsx';
import type { ServerState } from '../../control/schemas/server.ts';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { LONGEST_NAME } from './kept-in-browser.ts';

export interface SavedRecord {
  /** Machine time. */
  readonly saved_at: string;
}

export interface Entry<T> {
  readonly name: string;
  readonly place: Place;
  readonly record: T;
}

interface ShelfOptions<T extends SavedRecord> {
  /** As messages call one of them. */
  readonly one: string;
  /** How many there can be in each place. */
  readonly most: number;
  readonly nameOf: (record: T) => string;
  /** The key of what this browser keeps. */
  readonly key: string;
  /** What of the text can be read; another version may have written more. */
  readonly read: (stored: string | null) => readonly T[];
  readonly write: (records: readonly T[]) => string;
  readonly listed: (state: State) => readonly T[];
  /** The page's state with these listed, ahead of what the feed will have loaded. */
  readonly listing: (records: readonly T[]) => Partial<State>;
  /** @throws a conflict for one of the same name, unless it is to be replaced */
  readonly put: (record: T, replace: boolean) => Promise<T>;
  readonly remove: (name: string) => Promise<unknown>;
}

export interface Shelf<T extends SavedRecord> {
  readonly one: string;
  /** In both places, newest first. */
  readonly all: () => readonly Entry<T>[];
  readonly use: () => readonly Entry<T>[];
  /** What has this name where one would be saved now. */
  readonly find: (name: string) => Entry<T> | null;
  /** Why nothing can be saved under this name, or null. */
  readonly nameProblem: (name: string) => string | null;
  /** @returns false, with nothing changed, when the name is taken. @throws when it cannot be saved */
  readonly save: (record: T, replace: boolean) => Promise<boolean>;
  readonly remove: (entry: Entry<T>) => Promise<boolean>;
}

/** Replaces the one of the same name, if there is one. */
const withRecord = <T>(records: readonly T[], record: T, nameOf: (record: T) => string): T[] => [
  record,
  ...records.filter((one) => nameOf(one) !== nameOf(record)),
];

export function createShelf<T extends SavedRecord>(options: ShelfOptions<T>): Shelf<T> {
  const { one, most, nameOf, listed, listing, put, remove } = options;
  const browser = createBrowserList(options);

  const entriesOf = (records: readonly T[], place: Place): Entry<T>[] =>
    records.map((record) => ({ name: nameOf(record), place, record }));
  const together = (inWorkspace: readonly T[], inBrowser: readonly T[]) =>
    [...entriesOf(inWorkspace, 'workspace'), ...entriesOf(inBrowser, 'browser')].sort((a, b) =>
      b.record.saved_at.localeCompare(a.record.saved_at),
    );
  const all = () => together(listed(page.getState()), browser.now());
  const placeNow = () => placeOf(page.getState().server);
  const at = (place: Place) => all().filter((entry) => entry.place === place);
  const find = (name: string, place = placeNow()) =>
    at(place).find((entry) => entry.name === name.trim()) ?? null;
  const relist = (how: (records: readonly T[]) => readonly T[]) =>
    page.setState(listing(how(listed(page.getState()))));

  /** @returns false when the name is taken */
  const putAt = async (place: Place, record: T, replace: boolean): Promise<boolean> => {
    if (!replace && find(nameOf(record), place) !== null) return false;
    if (place === 'browser') {
      browser.change((records) => withRecord(records, record, nameOf));
      return true;
    }
    try {
      const saved = await put(record, replace);
      relist((records) => withRecord(records, saved, nameOf));
      return true;
    } catch (error) {
      const { code, field } = problemOf(error);
      if (code === 'conflict' && field === 'name') return false;
      throw error;
    }
  };
  const removeAt = async (place: Place, name: string): Promise<void> => {
    const others = (records: readonly T[]) => records.filter((each) => nameOf(each) !== name);
    if (place === 'browser') {
      browser.change(others);
      return;
    }
    await remove(name);
    relist(others);
  };
  /** What it replaces can be restored in the same way. */
  const putBack =
    ({ name, place, record }: Entry<T>, replace: boolean): (() => void) =>
    () =>
      void attempt(`The ${one} was not restored.`, async () => {
        const replaced = replace ? find(name, place) : null;
        if (await putAt(place, record, replace)) {
          if (replaced === null) notify(`“${name}” is restored`);
          else notifyWithUndo(`“${name}” is restored`, putBack(replaced, true));
        } else throw new Error(`another ${one} is saved under the name “${name}” by now`);
      });

  return {
    one,
    all,
    use: () => together(usePage(listed), browser.use()),
    find,
    nameProblem: (name) => {
      const trimmed = name.trim();
      if (trimmed === '') return 'Enter a name.';
      if (trimmed.length > LONGEST_NAME) return `At most ${LONGEST_NAME} characters.`;
      return at(placeNow()).length >= most && find(name) === null
        ? `${most} ${one}s are saved already; delete one first.`
        : null;
    },
    save: async (record, replace) => {
      const name = nameOf(record);
      const former = find(name);
      if (!(await putAt(placeNow(), record, replace))) return false;
      if (former === null) notify(`“${name}” is saved, without secrets`);
      else notifyWithUndo(`“${name}” is replaced, without secrets`, putBack(former, true));
      return true;
    },
    remove: (entry) =>
      attempt(`The ${one} was not deleted.`, async () => {
        await removeAt(entry.place, entry.name);
        notifyWithUndo(`“${entry.name}” is deleted`, putBack(entry, false));
      }),
  };
}

/** Several tabs share what the browser keeps: each change begins with what is there. */
function createBrowserList<T extends SavedRecord>({ key, read, write }: ShelfOptions<T>) {
  const now = () => read(localStorage.getItem(key));
  const store = createStore<readonly T[]>(now);
  addEventListener('storage', (event) => {
    if (event.key === key) store.setState(now(), true);
  });
  return {
    now,
    use: () => useStore(store),
    /** @throws when the browser keeps no more */
    change: (how: (records: readonly T[]) => readonly T[]) => {
      const records = how(now());
      localStorage.setItem(key, write(records));
      store.setState(records, true);
    },
  };
}

type Place = 'workspace' | 'browser';

const placeOf = (server: ServerState | null): Place =>
  server !== null && ['saved', 'saving'].includes(server.workspace.state) ? 'workspace' : 'browser';

const HERE = window.grantbench === undefined ? 'this browser' : 'this window';

/** Where, and why there, in a sentence. */
export function whereWords(server: ServerState | null): string {
  switch (server?.workspace.state) {
    case 'saved':
    case 'saving':
      return `Kept in the workspace file ${server.workspace.file ?? ''}.`;
    case 'conflict':
      return `Kept in ${HERE}: another program has changed the workspace file, so it is not saved.`;
    case 'failed':
      return `Kept in ${HERE}: the workspace file could not be saved.`;
    case 'memory':
      return `Kept in ${HERE}: the server saves no workspace file (see serve --save).`;
    case undefined:
      return `Kept in ${HERE}: the server is not connected.`;
  }
}

/** Where it is, in two words, when that is not where the next one would be saved. */
export function elsewhere(place: Place, server: ServerState | null): string | null {
  if (place === placeOf(server)) return null;
  return place === 'browser' ? `in ${HERE}` : 'in the workspace';
}
