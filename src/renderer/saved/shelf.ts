// One kind of record that is saved by name: in the workspace while its file is written, else in this browser. Both places
// form one list. Deleting can be undone, and a record is replaced only after the user has confirmed it.

import { attempt } from '../actions/sandbox.ts';
import { problemOf } from '../connection/control.ts';
import { page, type State, usePage } from '../connection/state.ts';
import { notify, notifyWithUndo } from '../ui/notify.tsx';
import type { ServerState } from '../../control/schemas/server.ts';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export const LONGEST_NAME = 80;

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
  /** The noun for one record in messages. */
  readonly one: string;
  /** The limit of records in each place. */
  readonly most: number;
  readonly nameOf: (record: T) => string;
  /** The key in the storage of this browser. */
  readonly key: string;
  /** The records in the text that can be parsed. Another version may have written others. */
  readonly read: (stored: string | null) => readonly T[];
  readonly write: (records: readonly T[]) => string;
  readonly listed: (state: State) => readonly T[];
  /** The page's state with these records, before the feed reports them. */
  readonly listing: (records: readonly T[]) => Partial<State>;
  /** @throws a conflict when the name is taken, unless `replace` is set */
  readonly put: (record: T, replace: boolean) => Promise<T>;
  readonly remove: (name: string) => Promise<unknown>;
}

export interface Shelf<T extends SavedRecord> {
  readonly one: string;
  /** The records in both places, newest first. */
  readonly all: () => readonly Entry<T>[];
  readonly use: () => readonly Entry<T>[];
  /** The record of this name in the place where the next one would be saved. */
  readonly find: (name: string) => Entry<T> | null;
  /** Why nothing can be saved under this name; null when it can. */
  readonly nameProblem: (name: string) => string | null;
  /** @returns false when the name is taken, with nothing changed @throws Error when the record cannot be saved */
  readonly save: (record: T, replace: boolean) => Promise<boolean>;
  readonly remove: (entry: Entry<T>) => Promise<boolean>;
}

/** Adds the record at the front, and removes one of the same name. */
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
  /** Restores a record. If that replaces another one, this can be undone in the same way. */
  const putBack =
    ({ name, place, record }: Entry<T>, replace: boolean): (() => void) =>
    () =>
      void attempt(`The ${one} was not restored.`, async () => {
        const replaced = replace ? find(name, place) : null;
        if (await putAt(place, record, replace)) {
          if (replaced === null) notify(`“${name}” is restored`);
          else notifyWithUndo(`“${name}” is restored`, putBack(replaced, true));
        } else throw new Error(`another ${one} has been saved as “${name}” since`);
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
        ? `${most} ${one}s are already saved. Delete one first.`
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

/** Several tabs share the storage of the browser, so each change starts from its current content. */
function createBrowserList<T extends SavedRecord>({ key, read, write }: ShelfOptions<T>) {
  const now = () => read(localStorage.getItem(key));
  const store = createStore<readonly T[]>(now);
  addEventListener('storage', (event) => {
    if (event.key === key) store.setState(now(), true);
  });
  return {
    now,
    use: () => useStore(store),
    /** @throws when the storage of the browser is full */
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

/** Says where the next record is saved, and why there. */
export function whereWords(server: ServerState | null): string {
  switch (server?.workspace.state) {
    case 'saved':
    case 'saving':
      return `Saved in the workspace file ${server.workspace.file ?? ''}.`;
    case 'conflict':
      return `Saved in ${HERE}: another program has changed the workspace file, so it is not saved.`;
    case 'failed':
      return `Saved in ${HERE}: the workspace file could not be saved.`;
    case 'memory':
      return `Saved in ${HERE}: the server saves no workspace file (see serve --save).`;
    case undefined:
      return `Saved in ${HERE}: the server is not connected.`;
  }
}

/** The place of a record in a few words; null when the next one would be saved there too. */
export function elsewhere(place: Place, server: ServerState | null): string | null {
  if (place === placeOf(server)) return null;
  return place === 'browser' ? `in ${HERE}` : 'in the workspace';
}
