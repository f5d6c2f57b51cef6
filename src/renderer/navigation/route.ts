// The page's views and its route: `#/clients/demo-app`, or `#traffic/41` for short. A view with unsaved edits holds the
// guard, which is asked before the page navigates. frame/view-parts.tsx has the views' titles, icons and components.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** In the order of the sidebar, the palette and the shortcuts. */
export const VIEWS = [
  'flow',
  'clients',
  'users',
  'requests',
  'tokens',
  'devices',
  'traffic',
  'throttling',
  'faults',
  'check',
  'settings',
  'help',
] as const;
export type View = (typeof VIEWS)[number];

// Items of a view that are not keys of its records: `new:` starts a record, `copy:<key>` duplicates one. Records are
// looked up first, so a record with such a key can still be opened.

export const NEW_ITEM = 'new:';
export const copyItem = (key: string): string => `copy:${key}`;

interface Drafts<T, D> {
  readonly keyOf: (record: T) => string;
  readonly create: () => D;
  readonly duplicate: (record: T, records: readonly T[]) => D;
}

/** Creates the draft for this item; null if the item is a record, or unknown. */
export function draftFor<T, D>(
  item: string | null,
  records: readonly T[],
  { keyOf, create, duplicate }: Drafts<T, D>,
): (() => D) | null {
  if (item === null || records.some((record) => keyOf(record) === item)) return null;
  if (item === NEW_ITEM) return create;
  const source = records.find((record) => copyItem(keyOf(record)) === item);
  return source === undefined ? null : () => duplicate(source, records);
}

interface Route {
  readonly view: View;
  /** What is open inside the view: a client_id, an exchange number, a section of the settings. */
  readonly item: string | null;
}

type Guard = () => Promise<boolean>;

const LAST_VIEW = 'grantbench.view';
const isView = (name: string | undefined): name is View => VIEWS.some((view) => view === name);

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

export function parseRoute(hash: string): Route | null {
  const [name, item] = hash.replace(/^#\/?/, '').split('/');
  if (!isView(name)) return null;
  return { view: name, item: item === undefined || item === '' ? null : decode(item) };
}

export function hrefOf(view: View, item: string | null = null): string {
  return item === null ? `#/${view}` : `#/${view}/${encodeURIComponent(item)}`;
}

function firstRoute(): Route {
  const last = localStorage.getItem(LAST_VIEW) ?? undefined;
  return parseRoute(location.hash) ?? { view: isView(last) ? last : 'flow', item: null };
}

const store = createStore<Route>(firstRoute);
let guard: Guard | null = null;

function enter(route: Route): void {
  localStorage.setItem(LAST_VIEW, route.view);
  store.setState(route, true);
}

/**
 * Navigates, unless the guard of the current view declines.
 * @param how whether Back returns to the current route
 */
export async function navigate(
  view: View,
  item: string | null = null,
  how: 'push' | 'replace' = 'push',
): Promise<boolean> {
  if (guard !== null && !(await guard())) return false;
  history[`${how}State`](null, '', hrefOf(view, item));
  enter({ view, item });
  return true;
}

/** What a click on a link to an item does: it stays in the page, whose guard is asked first. */
export const goTo = (view: View, item: string | null) => (event: { preventDefault(): void }) => {
  event.preventDefault();
  void navigate(view, item);
};

/** Props of a link to a view or an item. */
export const linkTo = (view: View, item: string | null = null) => ({
  href: hrefOf(view, item),
  onClick: goTo(view, item),
});

/** Sets the guard, which resolves to whether the page may leave. Returns a function that removes it. */
export function holdRoute(asked: Guard): () => void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  guard = asked;
  addEventListener('beforeunload', warn);
  return () => {
    if (guard === asked) guard = null;
    removeEventListener('beforeunload', warn);
  };
}

/** Whether the page has unsaved edits. */
export const isHeld = (): boolean => guard !== null;

/** Drops the edits of an item that is deleted by this page, so that its editor closes. @param item null for any */
export function dropEdits(view: View, item: string | null): void {
  const at = store.getState();
  if (at.view === view && (item === null || at.item === item)) guard = null;
}

async function followHash(): Promise<void> {
  const wanted = parseRoute(location.hash);
  if (wanted === null) return;
  if (guard !== null) {
    const { view, item } = store.getState();
    history.replaceState(null, '', hrefOf(view, item));
    if (!(await guard())) return;
    history.replaceState(null, '', hrefOf(wanted.view, wanted.item));
  }
  enter(wanted);
}

export function listenToRoute(): void {
  addEventListener('hashchange', () => void followHash());
}

export const useRoute = (): Route => useStore(store);
export const viewNow = (): View => store.getState().view;
export const isAt = (view: View): boolean => viewNow() === view;

/** Opens the view, unless it is open. Resolves to false if the guard of the current view declines. */
export const openView = async (view: View): Promise<boolean> => isAt(view) || navigate(view);

/** Makes an action open the view before it runs. */
export const inView = (view: View) => (run: () => unknown) => async (): Promise<void> => {
  if (await openView(view)) await run();
};

export interface ViewProps {
  readonly item: Route['item'];
}
