// The loaded part of the list of credentials, as pages with fixed bounds, so that each page can be reloaded alone. Pure:
// token-store.ts decides what to load and when.

import type { Credential, CredentialFilter } from '../../../control/schemas.ts';

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

export interface TokenList {
  readonly filter: TokenFilter;
  /** Newest first. */
  readonly pages: readonly TokenPage[];
  readonly phase: 'loading' | 'ready' | 'failed';
  /** Why the list could not be loaded. */
  readonly problem: string | null;
  /** Whether newer credentials exist above the first row. */
  readonly newer: boolean;
}

export const NO_FILTER: TokenFilter = { text: '', kind: null, state: null, client_id: null };

export const emptyList = (filter: TokenFilter = NO_FILTER): TokenList => ({
  filter,
  pages: [],
  phase: 'loading',
  problem: null,
  newer: false,
});

export const isFiltered = ({ text, ...rest }: TokenFilter): boolean =>
  text.trim() !== '' || Object.values(rest).some((value) => value !== null);

/** The filter as a query of the control API. */
export function queryOf({ text, kind, state, client_id }: TokenFilter): CredentialFilter {
  return {
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(kind === null ? {} : { kind }),
    ...(state === null ? {} : { state }),
    ...(client_id === null ? {} : { client_id }),
  };
}

const ready = { phase: 'ready', problem: null } as const;

/** Replaces the list by its newest page. Older pages are loaded again when the user scrolls to them. */
export const withHead = (list: TokenList, head: TokenPage): TokenList => ({
  ...list,
  ...ready,
  pages: [head],
  newer: false,
});

/** Appends the next older page, unless the list has changed meanwhile. */
export function withOlder(list: TokenList, older: TokenPage): TokenList {
  const expected = list.pages.at(-1)?.next ?? null;
  if (older.after === null || older.after !== expected) return list;
  return { ...list, ...ready, pages: [...list.pages, older] };
}

/** Replaces a page by its reloaded version, if the list still has that page. */
export const withReread = (list: TokenList, page: TokenPage): TokenList => ({
  ...list,
  ...ready,
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
    ...ready,
    pages: [{ ...head, items, revision: newest.revision }, ...rest],
    newer,
  };
}

export const withFailure = (list: TokenList, problem: string): TokenList => ({
  ...list,
  phase: list.pages.length === 0 ? 'failed' : 'ready',
  problem,
});

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
