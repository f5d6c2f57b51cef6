import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Exchange } from '../../control/schemas.ts';
import { milliseconds } from '../ui/short-forms.ts';
import { StatusTag, statusWords } from '../ui/status.tsx';
import { PanelHead } from '../ui/panel.tsx';
import { answerTone } from './answer.ts';
import { ClockTab } from './ClockTab.tsx';
import classes from './ExchangeDetail.module.css';
import { ProofReading } from './ProofReading.tsx';
import { RawTab } from './RawTab.tsx';
import { rawRequest, rawResponse } from './raw-http.ts';
import type { SecretsSwitch } from './secrets.ts';
import { DETAIL_TABS, isTab, TAB_NAMES, type DetailTab } from './tabs.ts';
import { TokenTab } from './TokenTab.tsx';
import { WhyTab } from './WhyTab.tsx';

interface ExchangeDetailProps {
  readonly exchange: Exchange;
  readonly tab: DetailTab;
  readonly onTab: (tab: DetailTab) => void;
  readonly secrets: SecretsSwitch;
  /** Buttons at the end of the head. */
  readonly actions: ReactNode;
  /** A line below the head. */
  readonly facts?: ReactNode;
  /** What the reasons begin with. */
  readonly lead?: ReactNode;
}

/** One exchange from every side. */
export function ExchangeDetail(props: ExchangeDetailProps) {
  const { exchange, tab, onTab, secrets, actions, facts, lead } = props;
  const { method, path, status, number, duration_ms } = exchange;
  const content: Record<DetailTab, ReactNode> = {
    why: <WhyTab exchange={exchange} lead={lead} />,
    request: (
      <>
        <RawTab what="request" raw={(pretty) => rawRequest(exchange, pretty)} secrets={secrets} />
        <ProofReading exchange={exchange} />
      </>
    ),
    response: (
      <RawTab what="response" raw={(pretty) => rawResponse(exchange, pretty)} secrets={secrets} />
    ),
    token: <TokenTab key={number} exchange={exchange} secrets={secrets} />,
    clock: <ClockTab exchange={exchange} />,
  };
  return (
    <>
      <PanelHead
        title={<span className={classes.title}>{`${method} ${path.split('?')[0]}`}</span>}
        note={
          <>
            <StatusTag tone={answerTone(exchange)}>{statusWords(status)}</StatusTag> #{number} ·{' '}
            {milliseconds(duration_ms)}
          </>
        }
      >
        {actions}
      </PanelHead>
      {facts}
      <Tabs
        value={tab}
        onChange={(value) => {
          if (isTab(value)) onTab(value);
        }}
        keepMounted={false}
        className={classes.tabs}
      >
        <Tabs.List>
          {DETAIL_TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {TAB_NAMES[name]}
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
