// What a query finds: at once what the page knows, then below it what must be loaded.

import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import type { Credential, ExchangeSummary } from '../../../control/schemas.ts';
import { page, type State } from '../../connection/state.ts';
import { isEnabled } from '../../navigation/command.ts';
import { navigate } from '../../navigation/route.ts';
import { allSaved, contentWords, kindOf, nameOf, openSaved } from '../../saved/saved.ts';
import { allSections, itemOf, type Texts } from '../../views/help/documents.ts';
import { CORS_ITEM, SECTION_NAMES, VALUE_SECTIONS } from '../../views/settings/sections.ts';
import { HEADER_SETTINGS } from '../../views/throttling/header-settings.ts';
import { KIND_WORDS } from '../../views/tokens/credential.ts';
import { PASTE } from '../../views/tokens/token-actions.ts';
import { setPasted } from '../../views/tokens/paste-store.ts';
import { readNumber } from '../../views/traffic/number-ranges.ts';
import { control } from '../../connection/control.ts';
import { requestLine, statusWords } from '../../ui/status.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { commandsOf, runOrExplain } from '../commands/all.ts';
import { undoEntries } from '../commands/page.ts';
import { type Entry, findEntries, type FoundGroup } from './match.ts';

// Entries for what the page knows: commands, records, settings and the sections of the documentation.

/** How many of the newest exchanges are searched; Traffic has a filter for the others. */
const MOST_EXCHANGES = 2000;

const commandEntries = (state: State): Entry[] =>
  commandsOf(state)
    .filter((command) => isEnabled(command, state))
    .map((command) => ({
      id: `command-${command.id}`,
      group: command.group,
      title: command.title,
      shortcut: command.shortcut,
      // It may have become impossible since it was listed.
      run: () => runOrExplain(command),
    }));

/** Shown before anything is typed. */
const FIRST = [
  'undo',
  'run-all',
  'sign-in',
  'send-request',
  'inspect-token',
  'register-client',
  'new-fault',
  'find',
  'export-workspace',
  'shortcuts',
];

function firstEntries(state: State): Entry[] {
  const known = new Map(commandEntries(state).map((entry) => [entry.id, entry]));
  return FIRST.flatMap((id) => known.get(`command-${id}`) ?? []);
}

const clientEntries = ({ clients }: State): Entry[] =>
  clients.map(({ client_id, client_name }) => ({
    id: `client-${client_id}`,
    group: 'Clients',
    title: client_name === '' ? client_id : client_name,
    detail: client_id,
    run: () => navigate('clients', client_id),
  }));

const userEntries = ({ users }: State): Entry[] =>
  users.map(({ sub, name, email }) => ({
    id: `user-${sub}`,
    group: 'Users',
    title: name === '' ? sub : name,
    detail: [sub, email].filter((part) => part !== '').join(' · '),
    run: () => navigate('users', sub),
  }));

const settingEntries = (): Entry[] => {
  const to = (section: string) => () => navigate('settings', section);
  const toHeaders = () => navigate('throttling', 'headers');
  const sections = SECTION_NAMES.map(({ id, title }) => ({
    id: `settings-${id}`,
    group: 'Settings',
    title,
    keywords: id === 'server' ? 'port host address https protocol certificate' : id,
    run: to(id),
  }));
  const items = [
    ...VALUE_SECTIONS.flatMap(({ id, title, items }) =>
      items.map((item) => ({ item, detail: title, run: to(id) })),
    ),
    { item: CORS_ITEM, detail: 'Server', run: to('server') },
    ...HEADER_SETTINGS.map((item) => ({ item, detail: 'Throttling', run: toHeaders })),
  ];
  const values = items.map(({ item, detail, run }) => ({
    id: `setting-${item.path}`,
    group: 'Settings',
    title: item.label,
    detail,
    keywords: `${item.path} ${item.path.replaceAll(/[._]/g, ' ')}`,
    run,
  }));
  return [...sections, ...values];
};

const exchangeEntry = (exchange: ExchangeSummary): Entry => {
  const { number, status, error, client_id } = exchange;
  return {
    id: `exchange-${number}`,
    group: 'Exchanges',
    title: `#${number} ${requestLine(exchange)}`,
    detail: [statusWords(status), error, client_id].filter((part) => part !== null).join(' · '),
    run: () => navigate('traffic', String(number)),
  };
};

/** Newest first. */
function exchangeEntries({ exchanges }: State): Entry[] {
  const newest: ExchangeSummary[] = [];
  for (const chunk of exchanges.chunks.toReversed()) {
    if (newest.length >= MOST_EXCHANGES) break;
    newest.push(...chunk.toReversed());
  }
  return newest.map(exchangeEntry);
}

const savedEntries = (): Entry[] =>
  allSaved().map((saved) => ({
    id: `saved-${kindOf(saved.record)}-${saved.place}-${encodeURIComponent(nameOf(saved.record))}`,
    group: 'Saved',
    title: nameOf(saved.record),
    detail: contentWords(saved.record),
    run: () => openSaved(saved),
  }));

/** A typed number is an exchange, even one that the page does not know: a response header names its number. */
function numberEntries(query: string): Entry[] {
  const number = readNumber(query);
  if (number === null) return [];
  const run = () => navigate('traffic', String(number));
  const title = `Go to exchange ${number}`;
  return [{ id: 'exchange-number', group: 'Traffic', title, keywords: query, run }];
}

const JWT = /^ey[\w-]+\.[\w-]+\.[\w.-]*$/;

/** Offers to inspect a token that is typed or pasted. */
function pastedEntries(query: string): Entry[] {
  const token = query.trim();
  if (!JWT.test(token)) return [];
  const run = async () => {
    if (await navigate('tokens', PASTE)) setPasted(token);
  };
  return [
    { id: 'pasted-token', group: 'Tokens', title: 'Inspect this token', keywords: query, run },
  ];
}

const knownEntries = (state: State, query: string): Entry[] => [
  ...numberEntries(query),
  ...pastedEntries(query),
  ...undoEntries(state),
  ...savedEntries(),
  ...commandEntries(state),
  ...clientEntries(state),
  ...userEntries(state),
  ...settingEntries(),
  ...exchangeEntries(state),
];

const documentEntries = (texts: Texts): Entry[] =>
  allSections(texts).map(({ path, anchor, title, document }) => ({
    id: `document-${path}-${anchor}`,
    group: 'Documentation',
    title,
    ...(title === document ? {} : { detail: document }),
    run: () => navigate('help', itemOf(path, anchor)),
  }));

const tokenEntry = ({ id, kind, state, client_id, sub }: Credential): Entry => ({
  id: `token-${id}`,
  group: 'Tokens',
  title: `${KIND_WORDS[kind]} ${id}`,
  detail: `${state} · ${client_id} · ${sub}`,
  run: () => navigate('tokens', id),
});

const MOST_OF_A_GROUP = 8;
const RESTS_MS = 150;
/** Shorter queries match too many credentials. */
const LEAST_FOR_TOKENS = 2;

const NO_TEXTS: Texts = new Map();

const loadTexts = async (): Promise<Texts> => (await import('../../views/help/texts.ts')).TEXTS;

/** The documents; null until they have loaded. Without a connection there are none; everything else is found. */
function useTexts(): Texts | null {
  const { known, problem } = useLoaded(loadTexts, null);
  return problem === null ? known : NO_TEXTS;
}

async function findTokens(text: string): Promise<readonly FoundGroup[]> {
  const { items, next } = await control.tokens.list({ text, limit: MOST_OF_A_GROUP });
  if (items.length === 0) return [];
  const entries = items.map(tokenEntry);
  return [{ title: 'Issued tokens', entries, more: next === null ? '' : 'There are more' }];
}

/** The credentials that the service finds; none until typing pauses. */
function useTokens(query: string): readonly FoundGroup[] {
  const [rested] = useDebouncedValue(query, RESTS_MS);
  const load = useMemo(
    () => (rested.length < LEAST_FOR_TOKENS ? null : () => findTokens(rested)),
    [rested],
  );
  const { known } = useLoaded(load, null, rested);
  return rested === query && known !== null ? known : [];
}

/** Lists that may load after the query is typed: just after the page opened, or after something was saved. */
const LISTS = ['clients', 'users', 'saved_flows', 'saved_requests'] as const;

/** Entries found after the query had no results; they stay. */
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
 * The results stay the same until another key is typed, whatever the service reports, so that nothing moves. Later
 * results appear below them.
 */
export function useSearch(query: string): readonly FoundGroup[] {
  const texts = useTexts();
  const tokens = useTokens(query.trim());
  const known = useMemo(() => {
    const state = page.getState();
    return query.trim() === ''
      ? findEntries(firstEntries(state), '')
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
    // These are below the documents, so they must not appear before them.
    ...(texts === null ? [] : tokens),
  ];
}
