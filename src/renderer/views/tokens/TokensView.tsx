// The list of credentials, one credential with its lineage and its token, a pasted token, and two tokens compared. It
// reads credentials over the control API; oauth/ and inspector/ decode claims and signatures.

import { CloseButton, Select, TextInput, Button } from '@mantine/core';
import {
  IconSearch,
  IconAlertTriangle,
  IconClipboardText,
  IconFilterOff,
  IconKey,
  IconSignature,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { CREDENTIAL_KINDS, CREDENTIAL_STATES } from '../../../control/schemas.ts';
import { usePage } from '../../connection/state.ts';
import { navigate, type ViewProps } from '../../navigation/route.ts';
import { Bar, EmptyState, Loading, PanelHead, LoadFailed } from '../../ui/panel.tsx';
import { ActionButton } from '../../ui/buttons.tsx';
import split from '../../ui/split.module.css';
import { KIND_WORDS } from './credential.ts';
import {
  filterSoon,
  followTokens,
  isFiltered,
  NO_FILTER,
  restartList,
  type TokenFilter,
  type TokenList,
  useTokenList,
} from './token-list.ts';
import { BuildPane } from './BuildPane.tsx';
import { PastePane } from './PastePane.tsx';
import { BUILD, isPane, mintTokens, PASTE } from './token-actions.ts';
import { TokenDetail } from './TokenDetail.tsx';
import { TokenTable } from './TokenTable.tsx';

const KINDS = CREDENTIAL_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }));
const STATES = [...CREDENTIAL_STATES];

function TokenFilters({ filter }: { readonly filter: TokenFilter }) {
  const clients = usePage((state) => state.clients);
  const change = (part: Partial<TokenFilter>) => restartList({ ...filter, ...part });
  const ids = [...new Set([...clients.map(({ client_id }) => client_id), filter.client_id ?? ''])];
  const choice = (name: string) => ({
    flex: '1 1 6.5rem',
    maw: '11rem',
    clearable: true,
    allowDeselect: true,
    comboboxProps: { width: 'max-content' as const },
    'aria-label': name,
    placeholder: `Any ${name.toLowerCase()}`,
    clearButtonProps: { 'aria-label': `Any ${name.toLowerCase()}` },
  });
  return (
    <Bar role="search" aria-label="Filter tokens">
      <TextInput
        flex="4 1 10rem"
        maw="26rem"
        data-find
        aria-label="Text"
        placeholder="Client, user, scope or token"
        leftSection={<IconSearch size="1.1em" aria-hidden="true" />}
        value={filter.text}
        spellCheck={false}
        onChange={(event) => filterSoon({ ...filter, text: event.currentTarget.value })}
        rightSection={
          isFiltered(filter) ? (
            <CloseButton
              size="sm"
              aria-label="Clear the filter"
              title="Clear the filter"
              onClick={() => restartList(NO_FILTER)}
            />
          ) : null
        }
      />
      <Select
        {...choice('Kind')}
        data={KINDS}
        value={filter.kind}
        onChange={(kind) => change({ kind })}
      />
      <Select
        {...choice('State')}
        data={STATES}
        value={filter.state}
        onChange={(state) => change({ state })}
      />
      <Select
        {...choice('Client')}
        data={ids.filter((id) => id !== '')}
        searchable
        value={filter.client_id}
        onChange={(client_id) => change({ client_id })}
      />
    </Bar>
  );
}

/** What a button opens beside the list, or closes. */
const PANES = [
  [PASTE, IconClipboardText, 'Inspect a token'],
  [BUILD, IconSignature, 'Build a token'],
] as const;

export function TokensView({ item }: ViewProps) {
  const list = useTokenList();
  useEffect(followTokens, []);
  return (
    <div className={split.view} data-open={item !== null || undefined}>
      <section className={split.list} aria-label="Issued">
        <PanelHead title="Tokens" note="Every code and token issued, newest first">
          {PANES.map(([pane, Icon, text]) => (
            <Button
              key={pane}
              leftSection={<Icon />}
              aria-pressed={item === pane}
              onClick={() => void navigate('tokens', item === pane ? null : pane)}
            >
              {text}
            </Button>
          ))}
        </PanelHead>
        <TokenFilters filter={list.filter} />
        <Listed list={list} open={isPane(item) ? null : item} />
      </section>
      {item === PASTE && <PastePane />}
      {item === BUILD && <BuildPane />}
      {item !== null && !isPane(item) && <TokenDetail key={item} id={item} />}
    </div>
  );
}

function Listed({ list, open }: { readonly list: TokenList; readonly open: string | null }) {
  const { pages, problem, filter } = list;
  if (pages.length === 0) {
    if (problem === null) return <Loading>Loading tokens…</Loading>;
    return <LoadFailed what="tokens" problem={problem} retry={() => restartList()} />;
  }
  if (pages.every(({ items }) => items.length === 0)) {
    return isFiltered(filter) ? (
      <EmptyState
        icon={IconFilterOff}
        title="No matching tokens"
        text="Part of a client, user, audience, scope or id is enough; case is ignored. A token must be complete."
        action={<Button onClick={() => restartList(NO_FILTER)}>Clear the filter</Button>}
      />
    ) : (
      <EmptyState
        icon={IconKey}
        title="No tokens yet"
        text="Codes, access tokens and refresh tokens are listed here when they are issued, with their claims, lifetime and lineage. Exchange a code from an app, run the flow, or issue a token pair."
        action={
          <ActionButton variant="filled" onClick={() => void mintTokens()} needs="connection">
            Issue a token pair
          </ActionButton>
        }
      />
    );
  }
  return (
    <>
      {problem !== null && (
        <Bar py={4} fz="xs" bg="var(--warn-soft)" role="alert">
          <IconAlertTriangle size={16} color="var(--warn)" aria-hidden="true" /> This list may be
          out of date. {problem}
          <Button variant="subtle" onClick={() => restartList()}>
            Try again
          </Button>
        </Bar>
      )}
      <TokenTable list={list} open={open} />
    </>
  );
}
