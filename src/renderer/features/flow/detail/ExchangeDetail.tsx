import { Tabs } from '@mantine/core';
import type { Exchange } from '../../../../control/schemas.ts';
import { usePage } from '../../../state.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { PanelHead } from '../../../ui/PanelHead.tsx';
import { StatusTag, toneOf } from '../../../ui/StatusTag.tsx';
import { DETAIL_TABS, type DetailTab } from '../flow-state.ts';
import { changeFlow, useFlow } from '../flow-store.ts';
import type { Verdict } from '../mistake.ts';
import { milliseconds } from '../../../short-forms.ts';
import { ClockTab } from './ClockTab.tsx';
import classes from './Detail.module.css';
import { RawTab } from './RawTab.tsx';
import { curlOf, rawRequest, rawResponse } from './raw-http.ts';
import { TokenTab } from './TokenTab.tsx';
import { WhyTab } from './WhyTab.tsx';

const NAMES: Record<DetailTab, string> = {
  why: 'Why',
  request: 'Request',
  response: 'Response',
  token: 'Token',
  clock: 'Clock',
};

const isTab = (value: string | null): value is DetailTab =>
  DETAIL_TABS.some((tab) => tab === value);

const openTab = (value: string | null) => {
  if (isTab(value)) changeFlow((state) => ({ ...state, tab: value }));
};

interface ExchangeDetailProps {
  readonly exchange: Exchange;
  readonly verdict: Verdict | null;
}

/** One exchange from every side. */
export function ExchangeDetail({ exchange, verdict }: ExchangeDetailProps) {
  const tab = useFlow((state) => state.tab);
  const issuer = usePage((state) => state.server?.issuer ?? '');
  const { method, path, status, number, duration_ms } = exchange;
  const content: Record<DetailTab, React.ReactNode> = {
    why: <WhyTab exchange={exchange} verdict={verdict} />,
    request: <RawTab what="request" raw={(pretty) => rawRequest(exchange, pretty)} />,
    response: <RawTab what="response" raw={(pretty) => rawResponse(exchange, pretty)} />,
    token: <TokenTab key={number} exchange={exchange} />,
    clock: <ClockTab exchange={exchange} />,
  };
  return (
    <>
      <PanelHead
        title={<span className={classes.title}>{`${method} ${path.split('?')[0]}`}</span>}
        note={
          <>
            <StatusTag tone={toneOf(status)}>{status}</StatusTag> #{number} ·{' '}
            {milliseconds(duration_ms)}
          </>
        }
      >
        <CopyButton value={curlOf(exchange, issuer)} label="Copy as curl" text="Copy as curl" />
      </PanelHead>
      <Tabs value={tab} onChange={openTab} keepMounted={false} className={classes.tabs}>
        <Tabs.List>
          {DETAIL_TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {NAMES[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {DETAIL_TABS.map((name) => (
          <Tabs.Panel key={name} value={name} className={classes.panel} tabIndex={0}>
            {content[name]}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
