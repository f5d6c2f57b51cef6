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

/** What is found stays as it is until another key is typed, whatever the service reports meanwhile. */
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
  return [
    ...known,
    ...documents,
    // Below the documents, so not before them: nothing that is shown may move.
    ...(texts === null || tokens.length === 0 ? [] : [{ title: 'Issued tokens', entries: tokens }]),
  ];
}
