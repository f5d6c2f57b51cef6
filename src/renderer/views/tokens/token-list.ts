// The list of credentials as far as it has been looked at: pages with fixed places, so that a page can
// be read again where it stands. Changed by pure functions; what is asked for when is the loader's part.

import type { Credential, CredentialFilter } from '../../../control/schemas.ts';

export interface TokenFilter {
  readonly text: string;
  readonly kind: Credential['kind'] | null;
  readonly state: Credential['state'] | null;
  readonly client_id: string | null;
}

/** What was read in one go: those issued before `after`, newest first. */
export interface TokenPage {
  /** null: from the newest one on. */
  readonly after: string | null;
  readonly items: readonly Credential[];
  /** Where the next older page begins; null when there is none. */
  readonly next: string | null;
  /** What the feed had reported when it was asked for. */
  readonly revision: number;
}

export interface TokenList {
  readonly filter: TokenFilter;
  /** Newest first. */
  readonly pages: readonly TokenPage[];
  readonly phase: 'loading' | 'ready' | 'failed';
  /** Why it could not be read. */
  readonly problem: string | null;
  /** Whether newer ones have come that stand above the first row. */
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

/** The filter as control takes it. */
export function queryOf({ text, kind, state, client_id }: TokenFilter): CredentialFilter {
  return {
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(kind === null ? {} : { kind }),
    ...(state === null ? {} : { state }),
    ...(client_id === null ? {} : { client_id }),
  };
}

const ready = { phase: 'ready', problem: null } as const;

/** The newest page, anew: what lay below it is read again when it is scrolled to. */
export const withHead = (list: TokenList, head: TokenPage): TokenList => ({
  ...list,
  ...ready,
  pages: [head],
  newer: false,
});

/** The page after the last one, unless the list has gone on otherwise meanwhile. */
export function withOlder(list: TokenList, older: TokenPage): TokenList {
  const expected = list.pages.at(-1)?.next ?? null;
  if (older.after === null || older.after !== expected) return list;
  return { ...list, ...ready, pages: [...list.pages, older] };
}

/** A page read again where it stands; one that stands there no more is left alone. */
export const withReread = (list: TokenList, page: TokenPage): TokenList => ({
  ...list,
  ...ready,
  pages: list.pages.map((known) =>
    known.after !== null && known.after === page.after ? { ...page, next: known.next } : known,
  ),
});

/** The known credentials as they are now, and whether there are newer ones above them. */
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

/** Pages that hold rows of this range and were read before the feed reported something new. */
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
