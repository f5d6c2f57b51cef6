import { Button } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { EmptyState, PanelHead } from '../../ui/panel.tsx';
import { sentence } from '../../ui/problems.ts';
import { ExchangeDetail } from '../../exchange/ExchangeDetail.tsx';
import { CloseDetail, DetailActions } from './DetailActions.tsx';
import { DetailFacts } from './DetailFacts.tsx';
import classes from './Traffic.module.css';
import { changeTraffic, useTraffic } from './traffic-store.ts';
import { useExchange } from './use-exchange.ts';

interface TrafficDetailProps {
  readonly number: number;
  readonly onClose: () => void;
  readonly region: RefObject<HTMLElement | null>;
}

/** The exchange that is open, read when it is looked at. */
function Content({ number, onClose }: Omit<TrafficDetailProps, 'region'>) {
  const tab = useTraffic((state) => state.tab);
  const revealed = useTraffic((state) => state.revealed);
  const { exchange, problem, again } = useExchange(number, revealed);
  if (problem !== null) {
    const missing = problem.code === 'not_found';
    return (
      <>
        <PanelHead title={`Exchange ${number}`}>
          <CloseDetail onClose={onClose} />
        </PanelHead>
        <EmptyState
          icon={<IconSearchOff />}
          title={missing ? 'Exchange not found' : 'The exchange could not be loaded'}
          text={sentence(problem.message)}
          action={<Button onClick={again}>Try again</Button>}
        />
      </>
    );
  }
  if (exchange === null) {
    return (
      <>
        <PanelHead title={`Exchange ${number}`}>
          <CloseDetail onClose={onClose} />
        </PanelHead>
        <p className={classes.loading}>Loading…</p>
      </>
    );
  }
  return (
    <ExchangeDetail
      exchange={exchange}
      tab={tab}
      onTab={(chosen) => changeTraffic((state) => ({ ...state, tab: chosen }))}
      secrets={{
        revealed,
        onReveal: (wanted) => changeTraffic((state) => ({ ...state, revealed: wanted })),
      }}
      actions={<DetailActions exchange={exchange} revealed={revealed} onClose={onClose} />}
      facts={<DetailFacts exchange={exchange} />}
    />
  );
}

export function TrafficDetail({ region, ...rest }: TrafficDetailProps) {
  return (
    <section
      ref={region}
      className={classes.detail}
      aria-label="Exchange"
      onKeyDown={({ key, target, currentTarget }) => {
        // A menu of ours is elsewhere in the page, and closes by itself.
        if (key === 'Escape' && currentTarget.contains(target as Node)) rest.onClose();
      }}
    >
      <Content {...rest} />
    </section>
  );
}
