// The loaded part of the list of credentials, as pages with fixed bounds, so that each page can be reloaded alone. Its
// visible part is kept current, at most once a second. At its top the list follows the feed; further down it stays in
// place and reports that newer credentials exist.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Credential, CredentialFilter } from '../../../control/schemas.ts';
import { control, problemOf } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { throttled } from '../../connection/throttled.ts';
import { problemSentence } from '../../ui/problems.ts';

export interface TokenFilter {
  readonly text: string;
  readonly kind: Credential['kind'] | null;
  readonly state: Credential['state'] | null;
  readonly client_id: string | null;
}

/** One loaded page: the credentials issued before `after`, newest first. */
export interface TokenPage {
  /** null: begins with the newest credential. */
  readonly after: string | null;
  readonly items: readonly Credential[];
  /** Where the next older page begins; null when there is none. */
  readonly next: string | null;
  /** The revision of the feed when the page was requested. */
  readonly revision: number;
}

export const NO_FILTER: TokenFilter = { text: '', kind: null, state: null, client_id: null };

export const emptyList = () => ({
  filter: NO_FILTER,
  /** Newest first; empty until the first one is loaded. */
  pages: [] as readonly TokenPage[],
  /** Why the list could not be loaded. */
  problem: null as string | null,
  /** Whether newer credentials exist above the first row. */
  newer: false,
});

export type TokenList = Readonly<ReturnType<typeof emptyList>>;

export const isFiltered = ({ text, ...rest }: TokenFilter): boolean =>
  text.trim() !== '' || Object.values(rest).some((value) => value !== null);

/** The filter as a query of the control API. */
export const queryOf = ({ text, ...rest }: TokenFilter): CredentialFilter =>
  Object.fromEntries(Object.entries({ text: text.trim(), ...rest }).filter(([, value]) => value));

/** Replaces the list by its newest page. Older pages are loaded again when the user scrolls to them. */
export const withHead = (list: TokenList, head: TokenPage): TokenList => ({
  ...list,
  problem: null,
  pages: [head],
  newer: false,
});

/** Appends the next older page, unless the list has changed meanwhile. */
export function withOlder(list: TokenList, older: TokenPage): TokenList {
  const expected = list.pages.at(-1)?.next ?? null;
  if (older.after === null || older.after !== expected) return list;
  return { ...list, problem: null, pages: [...list.pages, older] };
}

/** Replaces a page by its reloaded version, if the list still has that page. */
export const withReread = (list: TokenList, page: TokenPage): TokenList => ({
  ...list,
  problem: null,
  pages: list.pages.map((known) =>
    known.after !== null && known.after === page.after ? { ...page, next: known.next } : known,
  ),
});

/** Updates the credentials of the first page, and says whether newer ones exist. */
export function withNewest(list: TokenList, newest: TokenPage): TokenList {
  const [head, ...rest] = list.pages;
  if (head === undefined) return list;
  const current = new Map(newest.items.map((credential) => [credential.id, credential]));
  const items = head.items.map((credential) => current.get(credential.id) ?? credential);
  const newer = newest.items[0]?.id !== head.items[0]?.id;
  return {
    ...list,
    problem: null,
    pages: [{ ...head, items, revision: newest.revision }, ...rest],
    newer,
  };
}

export const withFailure = (list: TokenList, problem: string): TokenList => ({ ...list, problem });

export const rowsOf = ({ pages }: TokenList): readonly Credential[] =>
  pages.flatMap(({ items }) => items);

/** The pages with rows in this range that are older than this revision of the feed. */
export function stalePages(
  { pages }: TokenList,
  first: number,
  last: number,
  revision: number,
): readonly TokenPage[] {
  let start = 0;
  return pages.filter((page) => {
    const from = start;
    start += page.items.length;
    return page.revision < revision && from <= last && start > first;
  });
}

// Which pages are loaded, and when.

const PAGE = 100;
/** The shortest time between two reloads of the visible part. */
const REST_MS = 1000;
/** The number of rows before the end of the loaded part at which more is loaded. */
const AHEAD = 30;

const store = createStore(emptyList);

export const useTokenList = (): TokenList => useStore(store);

interface View {
  readonly first: number;
  readonly last: number;
  readonly at_top: boolean;
}

let view: View = { first: 0, last: 0, at_top: true };
/** Counts the restarts of the list. A response to an earlier list is dropped. */
let generation = 0;
let readingOlder = false;

const change = (how: (list: TokenList) => TokenList): void => store.setState(how, true);

/** Loads a page into the list. The result is dropped when the list was restarted meanwhile. */
async function readInto(
  after: string | null,
  put: (list: TokenList, page: TokenPage) => TokenList,
): Promise<void> {
  const asked = generation;
  const revision = page.getState().credentials_revision;
  const place = after === null ? {} : { after };
  const query = { ...queryOf(store.getState().filter), ...place, limit: PAGE };
  try {
    const { items, next } = await control.tokens.list(query);
    if (asked === generation) change((list) => put(list, { after, items, next, revision }));
  } catch (error) {
    if (asked !== generation) return;
    change((list) => withFailure(list, problemSentence(problemOf(error))));
  }
}

const readHead = (): Promise<void> => readInto(null, withHead);

async function rereadView(): Promise<void> {
  const { credentials_revision } = page.getState();
  const stale = stalePages(store.getState(), view.first, view.last, credentials_revision);
  await readInto(null, withNewest);
  for (const { after } of stale) {
    if (after !== null) await readInto(after, withReread);
  }
}

const refresh = throttled(
  () => (view.at_top || store.getState().pages.length === 0 ? readHead() : rereadView()),
  REST_MS,
);

/** Restarts the list: with another filter, after a failure, or to show the newest credentials. */
export function restartList(filter: TokenFilter = store.getState().filter): void {
  generation += 1;
  readingOlder = false;
  view = { first: 0, last: 0, at_top: true };
  change((list) => ({ ...list, filter, problem: list.pages.length === 0 ? null : list.problem }));
  void readHead();
}

const TYPING_MS = 200;
let typing: ReturnType<typeof setTimeout> | undefined;

/** Shows the filter as it is typed, and applies it when the user pauses typing. */
export function filterSoon(filter: TokenFilter): void {
  change((list) => ({ ...list, filter }));
  clearTimeout(typing);
  typing = setTimeout(() => restartList(), TYPING_MS);
}

async function readOlder(): Promise<void> {
  const after = store.getState().pages.at(-1)?.next ?? null;
  if (after === null || readingOlder) return;
  readingOlder = true;
  const asked = generation;
  await readInto(after, withOlder);
  if (asked === generation) readingOlder = false;
}

/** Loads more rows before the visible ones reach the end, and reloads visible ones that have changed. */
export function setVisibleRows(visible: View): void {
  const reachedTop = visible.at_top && !view.at_top;
  view = visible;
  const list = store.getState();
  const known = list.pages.reduce((count, { items }) => count + items.length, 0);
  if (reachedTop && list.newer) refresh.ask();
  if (visible.last >= known - AHEAD) void readOlder();
  const { credentials_revision } = page.getState();
  const stale = stalePages(list, visible.first, visible.last, credentials_revision);
  if (stale.some(({ after }) => after !== null)) refresh.ask();
}

/** Follows the feed while the list is shown. @returns a function that stops it */
export function followTokens(): () => void {
  restartList();
  const release = page.subscribe((now, before) => {
    const reconnected = now.connection === 'open' && before.connection !== 'open';
    if (reconnected || now.resets !== before.resets) restartList();
    else if (now.credentials_revision !== before.credentials_revision) refresh.ask();
  });
  return () => {
    release();
    refresh.stop();
  };
}
