// What a query finds: at once what the page knows, then below it what has to be asked for.

import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import { control } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import type { Texts } from '../../views/help/documents.ts';
import { commandEntries, documentEntries, knownEntries, tokenEntry } from './entries.ts';
import type { Entry } from './entry.ts';
import { findEntries, type FoundGroup } from './match.ts';

const MOST_OF_A_GROUP = 8;
const RESTS_MS = 150;
/** Shorter queries find too many credentials to be of use. */
const LEAST_FOR_TOKENS = 2;

const NO_TEXTS: Texts = new Map();

/** The documents; null until they are there. */
function useTexts(): Texts | null {
  const [texts, setTexts] = useState<Texts | null>(null);
  useEffect(() => {
    let gone = false;
    import('../../views/help/texts.ts').then(
      ({ TEXTS }) => !gone && setTexts(TEXTS),
      // Without a connection there is nothing to load them from; everything else is found.
      () => !gone && setTexts(NO_TEXTS),
    );
    return () => {
      gone = true;
    };
  }, []);
  return texts;
}

/** The credentials that the service finds for it; none until the typing rests. */
function useTokens(query: string): readonly Entry[] {
  const [found, setFound] = useState<{ query: string; entries: readonly Entry[] } | null>(null);
  const [rested] = useDebouncedValue(query, RESTS_MS);
  useEffect(() => {
    if (rested.length < LEAST_FOR_TOKENS) return;
    let gone = false;
    control.tokens.list({ text: rested, limit: MOST_OF_A_GROUP }).then(
      ({ items }) => !gone && setFound({ query: rested, entries: items.map(tokenEntry) }),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [rested]);
  return found?.query === query ? found.entries : [];
}

/** Lists that the page may not have had when the query was typed, just after it was opened or something was saved. */
const LISTS = ['clients', 'users', 'saved_flows', 'saved_requests'] as const;

/** What came to be found after nothing was; it stays as well. */
function useLate(query: string, isNothing: boolean): readonly FoundGroup[] {
  const [late, setLate] = useState<{ query: string; groups: readonly FoundGroup[] } | null>(null);
  useEffect(() => {
    if (!isNothing) return undefined;
    return page.subscribe((state, before) => {
      if (LISTS.every((list) => state[list] === before[list])) return;
      const groups = findEntries(knownEntries(state, query), query, MOST_OF_A_GROUP);
      if (groups.length > 0)
        setLate((former) => (former?.query === query ? former : { query, groups }));
    });
  }, [query, isNothing]);
  return late?.query === query ? late.groups : [];
}

/**
 * What is found stays as it is until another key is typed, whatever the service reports meanwhile: nothing that is shown
 * may move. What comes later is below it.
 */
export function useFound(query: string): readonly FoundGroup[] {
  const texts = useTexts();
  const tokens = useTokens(query.trim());
  const known = useMemo(() => {
    const state = page.getState();
    return query.trim() === ''
      ? findEntries(commandEntries(state), '')
      : findEntries(knownEntries(state, query), query, MOST_OF_A_GROUP);
  }, [query]);
  const documents = useMemo(
    () =>
      texts === null || query.trim() === ''
        ? []
        : findEntries(documentEntries(texts), query, MOST_OF_A_GROUP),
    [texts, query],
  );
  const late = useLate(query, known.length === 0);
  return [
    ...known,
    ...documents,
    ...late,
    // Below the documents, so not before them.
    ...(texts === null || tokens.length === 0 ? [] : [{ title: 'Issued tokens', entries: tokens }]),
  ];
}
