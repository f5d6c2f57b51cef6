// Reads the list of credentials and keeps what is seen of it current: at most once a second, however
// much the feed tells, and only what stands in view. At its top the list follows; anywhere else it stays
// where it is and says that newer ones came.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { control, problemOf } from '../../connection/control.ts';
import { throttled } from '../../connection/throttled.ts';
import { page } from '../../connection/state.ts';
import { problemSentence } from '../../ui/problems.ts';
import {
  emptyList,
  queryOf,
  stalePages,
  withFailure,
  withHead,
  withNewest,
  withOlder,
  withReread,
  type TokenFilter,
  type TokenList,
  type TokenPage,
} from './token-list.ts';

const PAGE = 100;
/** Between two readings of what is in view, however much the feed tells. */
const REST_MS = 1000;
/** Rows before the end of what is known at which more is read. */
const AHEAD = 30;

const store = createStore<TokenList>(() => emptyList());

export const useTokenList = (): TokenList => useStore(store);

interface View {
  readonly first: number;
  readonly last: number;
  readonly at_top: boolean;
}

let view: View = { first: 0, last: 0, at_top: true };
/** Counts lists begun again: a response for an earlier one is ignored. */
let generation = 0;
let readingOlder = false;

const change = (how: (list: TokenList) => TokenList): void => store.setState(how, true);

async function read(after: string | null, limit = PAGE): Promise<TokenPage> {
  const revision = page.getState().credentials_revision;
  const place = after === null ? {} : { after };
  const filter = queryOf(store.getState().filter);
  const { items, next } = await control.tokens.list({ ...filter, ...place, limit });
  return { after, items, next, revision };
}

/** Runs it for the list as it is now; what comes for a list begun anew meanwhile is dropped. */
async function readInto(
  run: () => Promise<TokenPage>,
  put: (list: TokenList, page: TokenPage) => TokenList,
): Promise<void> {
  const asked = generation;
  try {
    const found = await run();
    if (asked === generation) change((list) => put(list, found));
  } catch (error) {
    if (asked !== generation) return;
    change((list) => withFailure(list, problemSentence(problemOf(error))));
  }
}

const readHead = (): Promise<void> => readInto(() => read(null), withHead);

async function rereadView(): Promise<void> {
  const { credentials_revision } = page.getState();
  const stale = stalePages(store.getState(), view.first, view.last, credentials_revision);
  await readInto(() => read(null), withNewest);
  for (const { after } of stale) {
    if (after !== null) await readInto(() => read(after), withReread);
  }
}

const refresh = throttled(
  () => (view.at_top || store.getState().pages.length === 0 ? readHead() : rereadView()),
  REST_MS,
);

/** Begins the list anew: with another filter, after a failure, or to see what is newest. */
export function beginAnew(filter: TokenFilter = store.getState().filter): void {
  generation += 1;
  readingOlder = false;
  view = { first: 0, last: 0, at_top: true };
  change((list) => ({ ...list, filter, phase: list.pages.length === 0 ? 'loading' : list.phase }));
  void readHead();
}

const TYPING_MS = 200;
let typing: ReturnType<typeof setTimeout> | undefined;

/** As a text is typed: shown at once, read for when the typing rests. */
export function filterSoon(filter: TokenFilter): void {
  change((list) => ({ ...list, filter }));
  clearTimeout(typing);
  typing = setTimeout(() => beginAnew(), TYPING_MS);
}

async function readOlder(): Promise<void> {
  const after = store.getState().pages.at(-1)?.next ?? null;
  if (after === null || readingOlder) return;
  readingOlder = true;
  const asked = generation;
  await readInto(() => read(after), withOlder);
  if (asked === generation) readingOlder = false;
}

/** Called with what stands in view, by rows: reads on before its end, and anew what has changed there. */
export function lookAt(seen: View): void {
  const cameToTop = seen.at_top && !view.at_top;
  view = seen;
  const list = store.getState();
  const known = list.pages.reduce((count, { items }) => count + items.length, 0);
  if (cameToTop && list.newer) refresh.ask();
  if (seen.last >= known - AHEAD) void readOlder();
  const { credentials_revision } = page.getState();
  const stale = stalePages(list, seen.first, seen.last, credentials_revision);
  if (stale.some(({ after }) => after !== null)) refresh.ask();
}

/** Follows the feed while somebody looks; returns the end of it. */
export function followTokens(): () => void {
  beginAnew();
  const release = page.subscribe((now, before) => {
    const reconnected = now.connection === 'open' && before.connection !== 'open';
    if (reconnected || now.resets !== before.resets) beginAnew();
    else if (now.credentials_revision !== before.credentials_revision) refresh.ask();
  });
  return () => {
    release();
    refresh.stop();
  };
}
