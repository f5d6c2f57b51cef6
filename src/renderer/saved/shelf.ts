// One kind of thing that is saved by name: listed from both places, saved in the one that counts now, deleted with a
// way back, moved from the browser to the workspace. Nothing takes the place of another unless that was agreed to.

import { attempt } from '../actions/sandbox.ts';
import { problemOf } from '../connection/control.ts';
import { page, usePage, type State } from '../connection/state.ts';
import { notify, notifyWithUndo } from '../ui/notify.tsx';
import { pluralize } from '../ui/short-forms.ts';
import type { BrowserList } from './browser-list.ts';
import { placeOf, type Place } from './place.ts';
import { LONGEST_NAME } from './saved-flow.ts';

interface SavedRecord {
  /** Machine time. */
  readonly saved_at: string;
}

export interface Entry<T> {
  readonly name: string;
  readonly place: Place;
  readonly record: T;
}

export interface ShelfOptions<T extends SavedRecord> {
  /** As messages call one of them. */
  readonly one: string;
  /** How many there can be in each place. */
  readonly most: number;
  readonly nameOf: (record: T) => string;
  readonly browser: BrowserList<T>;
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
  /** Moves all that this browser has to the workspace; names that are taken there stay. */
  readonly move: () => Promise<boolean>;
}

/** In the place of the one of its name, if there is one. */
const withRecord = <T>(records: readonly T[], record: T, nameOf: (record: T) => string): T[] => [
  record,
  ...records.filter((one) => nameOf(one) !== nameOf(record)),
];

export function createShelf<T extends SavedRecord>(options: ShelfOptions<T>): Shelf<T> {
  const { one, most, nameOf, browser, listed, listing, put, remove } = options;

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
  const putBack =
    ({ name, place, record }: Entry<T>, replace: boolean) =>
    () =>
      void attempt(`The ${one} was not restored.`, async () => {
        if (await putAt(place, record, replace)) notify(`“${name}” is restored`);
        else throw new Error(`another ${one} is saved under the name “${name}” by now`);
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
    move: () =>
      attempt(`Not every ${one} was moved.`, async () => {
        let stayed = 0;
        const entries = at('browser');
        for (const { name, record } of entries) {
          if (await putAt('workspace', record, false)) await removeAt('browser', name);
          else stayed += 1;
        }
        const moved = pluralize(entries.length - stayed, one);
        notify(
          stayed === 0
            ? `Moved ${moved} to the workspace`
            : `Moved ${moved} to the workspace; the names of ${stayed} are taken there`,
        );
      }),
  };
}
