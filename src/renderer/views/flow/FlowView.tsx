import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Place, ThreePanes } from '../../ui/ThreePanes.tsx';
import { AppLine, ConnectPane } from './ConnectPane.tsx';
import {
  type BurstEvent,
  type ControlEvent,
  type ExchangeEvent,
  type FlowEvent,
  selectedEvent,
} from './flow-state.ts';
import { loadSteps } from './flow-run.ts';
import { changeFlow, useFlow } from './flow-store.ts';
import { usePrefetch } from '../../ui/lazy-part.tsx';
import { MistakesDialog } from './MistakesDialog.tsx';
import { SequencePane } from './SequencePane.tsx';
import { StepList } from './StepList.tsx';
import { CopyButton } from '../../ui/buttons.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Hint, PanelHead } from '../../ui/panel.tsx';
import { StatusTag } from '../../ui/status.tsx';
import { controlWords } from './messages.ts';
import { curlOf } from '../../exchange/curl.ts';
import { ExchangeDetail } from '../../exchange/ExchangeDetail.tsx';
import { useIssuer } from '../../connection/state.ts';
import { takeHandedOver, useHandedOver } from '../../sending/handover.ts';
import { replay } from './flow-actions.ts';
import { VerdictLine } from './VerdictLine.tsx';

/** Runs the saved flow that was opened. */
function useReplay(): void {
  const scenario = useHandedOver('flow');
  useEffect(() => {
    if (scenario === null) return;
    takeHandedOver();
    void replay(scenario.name, JSON.stringify(scenario, null, 2));
  }, [scenario]);
}

/** The Flow view: the steps, their sequence diagram, and the selected message, or else the app under test. */
export function FlowView() {
  const [shown, setShown] = useState<Place>('second');
  const event = useFlow(selectedEvent);
  const app = useRef<HTMLDivElement>(null);
  useReplay();
  usePrefetch(loadSteps);
  const showApp = () => {
    flushSync(() => {
      changeFlow((state) => ({ ...state, selected: null }));
      setShown('third');
    });
    // The button that had the focus is gone.
    app.current?.focus();
  };
  const openMessage = useCallback(() => setShown('third'), []);
  const steps = (
    <>
      <StepList />
      {event !== null && <AppLine onOpen={showApp} />}
      <MistakesDialog />
    </>
  );
  return (
    <ThreePanes
      width="calc(var(--steps) + var(--s4))"
      shown={shown}
      onShow={setShown}
      first={{ name: 'Steps', content: steps }}
      second={{ name: 'Sequence', content: <SequencePane onOpen={openMessage} /> }}
      third={
        event === null
          ? { name: 'Your app', content: <ConnectPane ref={app} /> }
          : { name: 'Exchange', content: <DetailPane event={event} /> }
      }
    />
  );
}

/** An action over the control API, which has no client request. */
function ControlDetail({ event }: { readonly event: ControlEvent }) {
  const { request, reply, tone, lead, facts, copy } = controlWords(event);
  return (
    <>
      <PanelHead title={<span className="mono">{request}</span>}>
        <StatusTag tone={tone}>
          {event.kind === 'issue' || event.kind === 'minted' ? 'issued' : reply}
        </StatusTag>
        {copy !== undefined && <CopyButton value={copy} label="Copy redirect" text="Copy" />}
      </PanelHead>
      <Hint px="md" pt="md">
        {lead}
      </Hint>
      <Facts facts={facts.map(([name, value]) => [name, <code key={name}>{value}</code>])} />
    </>
  );
}

/** The right column: the message that is selected in the diagram. */
function DetailPane({ event }: { readonly event: FlowEvent }) {
  return event.kind === 'exchange' || event.kind === 'burst' ? (
    <EventDetail event={event} />
  ) : (
    <ControlDetail event={event} />
  );
}

/** An exchange that the flow sent. */
function EventDetail({ event }: { readonly event: ExchangeEvent | BurstEvent }) {
  const tab = useFlow((state) => state.tab);
  const issuer = useIssuer();
  const { exchange } = event;
  const verdict = event.kind === 'exchange' ? event.verdict : null;
  return (
    <ExchangeDetail
      exchange={exchange}
      tab={tab}
      onTab={(chosen) => changeFlow((state) => ({ ...state, tab: chosen }))}
      actions={
        <CopyButton value={curlOf(exchange, issuer)} label="Copy as curl" text="Copy as curl" />
      }
      lead={verdict !== null && <VerdictLine verdict={verdict} />}
    />
  );
}
