// The list of exchanges with filter, selection and export, some of them as a sequence, and the details of one. The
// exchanges come from connection/; the panel of an exchange is in ../../exchange.

import { useDidUpdate, useElementSize, useHotkeys } from '@mantine/hooks';
import { useCallback, useEffect, type ReactNode } from 'react';
import { Group as Panels, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import type { ViewProps } from '../../navigation/route.ts';
import { DETAIL_ID, focusGrid, momentOf } from './TrafficRow.tsx';
import { readNumber } from './number-ranges.ts';
import { HeldPanel } from './HeldPanel.tsx';
import { TrafficSequence } from './TrafficSequence.tsx';
import { askFor, closeExchange, togglePause, resend, furtherActions } from './traffic-actions.ts';
import { changeTraffic, following, traffic, useTraffic } from './traffic-state.ts';
import classes from './Traffic.module.css';
import { TrafficList } from './TrafficList.tsx';
import { Button, Group, Box, Menu } from '@mantine/core';
import { IconRepeat, IconX, IconSearchOff } from '@tabler/icons-react';
import type { Exchange } from '../../../control/schemas.ts';
import { control } from '../../connection/control.ts';
import { newestNumber } from '../../connection/exchange-window.ts';
import { useIssuer, usePage } from '../../connection/state.ts';
import { ViewLink } from '../../ui/links.tsx';
import { MenuAction, MoreMenu } from '../../ui/MenuAction.tsx';
import { CopyButton, IconButton } from '../../ui/buttons.tsx';
import { hasRequest } from '../../ui/status.tsx';
import { curlOf } from '../../exchange/curl.ts';
import { Bar, EmptyState, Loading, PanelHead } from '../../ui/panel.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { ExchangeDetail } from '../../exchange/ExchangeDetail.tsx';
import { SENDER_WORDS } from './filter.ts';
import { exportExchanges, FORMATS } from './exports.ts';

function ClientLink({ client_id }: { readonly client_id: string }) {
  const known = usePage((state) => state.clients.some((client) => client.client_id === client_id));
  if (!known) return <code>{client_id}</code>;
  return (
    <ViewLink view="clients" item={client_id}>
      <code>{client_id}</code>
    </ViewLink>
  );
}

/** The presented credential, linked to everything issued from the same authorization. */
function Lineage({ exchange: { lineage_id, credential_id } }: { readonly exchange: Exchange }) {
  if (credential_id === null) return lineage_id !== null && <code>{lineage_id}</code>;
  return (
    <ViewLink view="tokens" item={credential_id}>
      <code>{lineage_id ?? 'credential'}</code>
    </ViewLink>
  );
}

/** Who sent the request, when, for which grant, and from where. Some values need no label. */
function DetailFacts({ exchange }: { readonly exchange: Exchange }) {
  const { number, at, grant_type, client_id, ip, sent_by, lineage_id, credential_id, retry_of } =
    exchange;
  const retried = (
    <ViewLink view="traffic" item={String(retry_of)}>
      #{retry_of}
    </ViewLink>
  );
  const facts: readonly (readonly [name: string, value: ReactNode, label?: 'unseen'])[] = [
    ['No.', <code key="number">{number}</code>],
    [
      'Time',
      <code key="at" title={at}>
        {momentOf(at).join('')}
      </code>,
      'unseen',
    ],
    ['Retry of', retry_of !== null && retried],
    ['Client', client_id !== null && <ClientLink client_id={client_id} />, 'unseen'],
    ['Grant', grant_type, 'unseen'],
    ['Sent by', SENDER_WORDS[sent_by].name],
    ['From', <code key="ip">{ip}</code>],
    ['Lineage', (lineage_id ?? credential_id) !== null && <Lineage exchange={exchange} />],
  ];
  return (
    <Bar component="dl" gap="var(--s1) var(--s3)" fz="xs">
      {facts.map(
        ([name, value, label]) =>
          value && (
            <Group key={name} gap={6} wrap="nowrap">
              <dt className={label && 'visually-hidden'}>{name}</dt>
              <dd>{value}</dd>
            </Group>
          ),
      )}
    </Bar>
  );
}

function More({ exchange }: { readonly exchange: Exchange }) {
  const { number } = exchange;
  // The actions depend on whether the exchange is pinned.
  useTraffic(({ pinned }) => pinned);
  return (
    <MoreMenu what="this exchange">
      {furtherActions(exchange).map(({ title, needs, run }) => (
        <MenuAction key={title} needs={needs} onClick={() => void run()}>
          {title}
        </MenuAction>
      ))}
      <Menu.Divider />
      {FORMATS.map((format) => (
        <MenuAction
          key={format}
          needs="connection"
          onClick={() => void exportExchanges([number], format, false)}
        >
          Export as {format.toUpperCase()}
        </MenuAction>
      ))}
    </MoreMenu>
  );
}

/** A recorded exchange, which is read when it is opened. */
function Recorded({ number, close }: { readonly number: number; readonly close: ReactNode }) {
  const tab = useTraffic((state) => state.tab);
  const revealed = useTraffic((state) => state.revealed);
  const issuer = useIssuer();
  const read = useCallback(
    (signal: AbortSignal) => control.exchanges.get({ number, secrets: revealed }, { signal }),
    [number, revealed],
  );
  // While the next exchange loads, the former one stays.
  // An exchange that was held is recorded once its response is sent.
  const newest = usePage((state) => newestNumber(state.exchanges));
  const { known: exchange, problem, code, retry } = useLoaded(read, newest >= number);
  if (problem !== null || exchange === null) {
    return (
      <>
        <PanelHead title={`Exchange ${number}`}>{close}</PanelHead>
        {problem === null ? (
          <Loading>Loading…</Loading>
        ) : (
          <EmptyState
            icon={IconSearchOff}
            title={code === 'not_found' ? 'Exchange not found' : 'The exchange could not be loaded'}
            text={problem}
            action={<Button onClick={retry}>Try again</Button>}
          />
        )}
      </>
    );
  }
  return (
    <ExchangeDetail
      exchange={exchange}
      tab={tab}
      onTab={(chosen) => traffic.setState({ tab: chosen })}
      secrets={{
        revealed,
        onReveal: (wanted) => traffic.setState({ revealed: wanted }),
      }}
      actions={
        <>
          {hasRequest(exchange) && (
            <>
              <CopyButton
                value={curlOf(exchange, issuer)}
                label={revealed ? 'Copy as curl, with secrets' : 'Copy as curl, without secrets'}
              />
              <IconButton
                label="Resend"
                icon={IconRepeat}
                needs="server"
                run={() => resend(exchange.number)}
              />
            </>
          )}
          <More exchange={exchange} />
          {close}
        </>
      }
      facts={<DetailFacts exchange={exchange} />}
    />
  );
}

function TrafficDetail({ number }: { readonly number: number }) {
  const held = usePage((state) => state.held.find((one) => one.number === number));
  const close = () => void closeExchange();
  const button = (
    <IconButton label="Close the exchange" tip="Close (Esc)" icon={IconX} onClick={close} />
  );
  return (
    <Box
      component="section"
      display="flex"
      h="100%"
      mih={0}
      bg="var(--surface)"
      style={{ flexDirection: 'column' }}
      id={DETAIL_ID}
      aria-label="Exchange"
      onKeyDown={({ key, target, currentTarget }) => {
        // Escape in a menu, which is elsewhere in the document, closes only the menu.
        if (key === 'Escape' && currentTarget.contains(target as Node)) close();
      }}
    >
      {held === undefined ? (
        <Recorded number={number} close={button} />
      ) : (
        <HeldPanel held={held} close={button} />
      )}
    </Box>
  );
}

/** If the view is narrower than this, the open exchange covers the list. */
const ROOM_FOR_BOTH = 680;

/** Every request to the service as it happens, and the reason for each response. */
export function TrafficView({ item }: ViewProps) {
  const { ref, width } = useElementSize();
  const layout = useDefaultLayout({ id: 'grantbench.traffic', storage: localStorage });
  const open = item === null ? null : readNumber(item);
  const isOpen = open !== null;
  const covered = isOpen && width > 0 && width < ROOM_FOR_BOTH;
  const asked = useTraffic((state) => state.asked !== null);
  const sequence = useTraffic((state) => state.sequence);
  useHotkeys([
    ['/', () => askFor('filter')],
    ['shift+/', () => askFor('filter')],
    ['P', togglePause],
  ]);
  // The focus returns to the list when the exchange is closed.
  useDidUpdate(() => {
    if (open === null) focusGrid();
  }, [open]);
  useEffect(() => changeTraffic((state) => (state.paused ? state : following(state))), []);
  useEffect(() => {
    if (asked && covered) void closeExchange();
  }, [asked, covered]);

  const detail = isOpen && <TrafficDetail number={open} />;
  return (
    <div ref={ref} className={classes.view}>
      <Panels id="traffic" className={covered ? classes.covered : undefined} {...layout}>
        <Panel id="list" minSize="320px" className={classes.panel}>
          {sequence === null ? (
            <TrafficList open={open} />
          ) : (
            <TrafficSequence sequence={sequence} open={open} />
          )}
        </Panel>
        {isOpen && !covered && (
          <>
            <Separator className={classes.separator} aria-label="Size of the exchange" />
            <Panel id="detail" defaultSize="42%" minSize="320px" className={classes.panel}>
              {detail}
            </Panel>
          </>
        )}
      </Panels>
      {covered && (
        <Box miw={0} mih={0}>
          {detail}
        </Box>
      )}
    </div>
  );
}
