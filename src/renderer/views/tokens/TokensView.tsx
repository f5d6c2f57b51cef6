import { Button, Loader } from '@mantine/core';
import {
  IconAlertTriangle,
  IconClipboardText,
  IconFilterOff,
  IconKey,
  IconSignature,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { navigate, type ViewProps } from '../../navigation/route.ts';
import { EmptyState, PanelHead } from '../../ui/panel.tsx';
import split from '../../ui/split.module.css';
import { BuildPane } from './build/BuildPane.tsx';
import { PastePane } from './PastePane.tsx';
import { BUILD, isPane, PASTE } from './panes.ts';
import { TokenDetail } from './TokenDetail.tsx';
import { TokenFilters } from './TokenFilters.tsx';
import { isFiltered, NO_FILTER, type TokenList } from './token-list.ts';
import { beginAnew, followTokens, useTokenList } from './token-store.ts';
import { TokenTable } from './TokenTable.tsx';
import { mintTokens } from './token-actions.ts';
import classes from './Tokens.module.css';
import { useNeed } from '../../ui/use-need.ts';

/** Everything issued, and beside it one credential taken apart, or a token from elsewhere. */
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
      leftSection={<Icon size="1.1em" aria-hidden="true" />}
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
    return (
      <p className={classes.loading} role="status">
        <Loader size="sm" aria-hidden="true" />
        Loading tokens…
      </p>
    );
  }
  if (phase === 'failed') return <Unread problem={problem ?? ''} />;
  if (pages.every(({ items }) => items.length === 0)) {
    return isFiltered(filter) ? <NothingFits /> : <NothingIssued />;
  }
  return (
    <>
      {problem !== null && (
        <p className={classes.trouble} role="alert">
          <IconAlertTriangle aria-hidden="true" /> This list may be out of date. {problem}
          <Button variant="subtle" onClick={() => beginAnew()}>
            Try again
          </Button>
        </p>
      )}
      <TokenTable list={list} open={open} />
    </>
  );
}

function Unread({ problem }: { readonly problem: string }) {
  return (
    <EmptyState
      icon={<IconAlertTriangle size="1.6em" stroke={1.5} />}
      title="The tokens could not be loaded"
      text={problem}
      action={
        <Button variant="filled" onClick={() => beginAnew()}>
          Try again
        </Button>
      }
    />
  );
}

function NothingFits() {
  return (
    <EmptyState
      icon={<IconFilterOff size="1.6em" stroke={1.5} />}
      title="No matching tokens"
      text="Part of a client, user, audience, scope or id is enough; case is ignored. A token must be complete."
      action={<Button onClick={() => beginAnew(NO_FILTER)}>Clear the filter</Button>}
    />
  );
}

function NothingIssued() {
  const needs = useNeed('connection');
  return (
    <EmptyState
      icon={<IconKey size="1.6em" stroke={1.5} />}
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
