// The list of credentials, one credential with its lineage and its token, a pasted token, and two tokens compared. It
// reads credentials over the control API; oauth/ and inspector/ decode claims and signatures.

import { CloseButton, Select, TextInput, Button, Group } from '@mantine/core';
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
import { EmptyState, Loading, PanelHead, LoadFailed } from '../../ui/panel.tsx';
import { useNeed } from '../../ui/use-need.ts';
import panel from '../../ui/panel.module.css';
import split from '../../ui/split.module.css';
import { KIND_WORDS } from './credential.ts';
import { NO_FILTER, isFiltered, type TokenFilter, type TokenList } from './token-list.ts';
import { restartList, filterSoon, followTokens, useTokenList } from './token-store.ts';
import { BuildPane } from './BuildPane.tsx';
import { PastePane } from './PastePane.tsx';
import { BUILD, isPane, PASTE } from './open-token.ts';
import { TokenDetail } from './TokenDetail.tsx';
import { TokenTable } from './TokenTable.tsx';
import { mintTokens } from './token-actions.ts';

const KINDS = CREDENTIAL_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }));
const STATES = [...CREDENTIAL_STATES];

const oneOf = <T extends string>(names: readonly T[], name: string | null): T | null =>
  names.find((known) => known === name) ?? null;

/** Filters the list by text, kind, state and client. */
function TokenFilters({ filter }: { readonly filter: TokenFilter }) {
  const clients = usePage((state) => state.clients);
  const change = (part: Partial<TokenFilter>) => restartList({ ...filter, ...part });
  const ids = [...new Set([...clients.map(({ client_id }) => client_id), filter.client_id ?? ''])];
  const choice = {
    ...{ flex: '1 1 6.5rem', maw: '11rem' },
    clearable: true,
    allowDeselect: true,
    comboboxProps: { width: 'max-content' },
  } as const;
  return (
    <Group className={panel.bar} gap="xs" px="md" py="xs" role="search" aria-label="Filter tokens">
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
        {...choice}
        aria-label="Kind"
        placeholder="Any kind"
        data={KINDS}
        value={filter.kind}
        clearButtonProps={{ 'aria-label': 'Any kind' }}
        onChange={(value) => change({ kind: oneOf(CREDENTIAL_KINDS, value) })}
      />
      <Select
        {...choice}
        aria-label="State"
        placeholder="Any state"
        data={STATES}
        value={filter.state}
        clearButtonProps={{ 'aria-label': 'Any state' }}
        onChange={(value) => change({ state: oneOf(CREDENTIAL_STATES, value) })}
      />
      <Select
        {...choice}
        aria-label="Client"
        placeholder="Any client"
        data={ids.filter((id) => id !== '')}
        searchable
        value={filter.client_id}
        clearButtonProps={{ 'aria-label': 'Any client' }}
        onChange={(client_id) => change({ client_id })}
      />
    </Group>
  );
}

/** The Tokens view: the list, and beside it one credential, the inspector or the builder. */
export function TokensView({ item }: ViewProps) {
  const list = useTokenList();
  useEffect(followTokens, []);
  return (
    <div className={split.view} data-open={item !== null || undefined}>
      <section className={split.list} aria-label="Issued">
        <PanelHead title="Tokens" note="Every code and token issued, newest first">
          <PaneButton pane={PASTE} item={item} icon={IconClipboardText} text="Inspect a token" />
          <PaneButton pane={BUILD} item={item} icon={IconSignature} text="Build a token" />
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

interface PaneButtonProps {
  readonly pane: string;
  readonly item: string | null;
  readonly icon: typeof IconKey;
  readonly text: string;
}

/** Opens a pane beside the list, or closes it. */
function PaneButton({ pane, item, icon: Icon, text }: PaneButtonProps) {
  const open = item === pane;
  return (
    <Button
      leftSection={<Icon />}
      aria-pressed={open}
      onClick={() => void navigate('tokens', open ? null : pane)}
    >
      {text}
    </Button>
  );
}

function Listed({ list, open }: { readonly list: TokenList; readonly open: string | null }) {
  const { phase, pages, problem, filter } = list;
  if (phase === 'loading') {
    return <Loading>Loading tokens…</Loading>;
  }
  if (phase === 'failed') {
    return <LoadFailed what="tokens" problem={problem ?? ''} retry={() => restartList()} />;
  }
  if (pages.every(({ items }) => items.length === 0)) {
    return isFiltered(filter) ? <NoMatchingTokens /> : <NoTokens />;
  }
  return (
    <>
      {problem !== null && (
        <Group
          className={panel.bar}
          gap="xs"
          px="md"
          py={4}
          fz="xs"
          bg="var(--warn-soft)"
          role="alert"
        >
          <IconAlertTriangle size={16} color="var(--warn)" aria-hidden="true" /> This list may be
          out of date. {problem}
          <Button variant="subtle" onClick={() => restartList()}>
            Try again
          </Button>
        </Group>
      )}
      <TokenTable list={list} open={open} />
    </>
  );
}

function NoMatchingTokens() {
  return (
    <EmptyState
      icon={IconFilterOff}
      title="No matching tokens"
      text="Part of a client, user, audience, scope or id is enough; case is ignored. A token must be complete."
      action={<Button onClick={() => restartList(NO_FILTER)}>Clear the filter</Button>}
    />
  );
}

function NoTokens() {
  const needs = useNeed('connection');
  return (
    <EmptyState
      icon={IconKey}
      title="No tokens yet"
      text="Codes, access tokens and refresh tokens are listed here when they are issued, with their claims, lifetime and lineage. Exchange a code from an app, run the flow, or mint a token pair."
      action={
        <Button variant="filled" onClick={() => void mintTokens()} {...needs}>
          Mint a token pair
        </Button>
      }
    />
  );
}
