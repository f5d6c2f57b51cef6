import type { BurstEvent, ControlEvent, ExchangeEvent, FlowEvent } from './flow-state.ts';
import { changeFlow, useFlow } from './flow-store.ts';
import { CopyButton } from '../../ui/buttons.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Hint, PanelHead } from '../../ui/panel.tsx';
import { StatusTag } from '../../ui/status.tsx';
import { controlWords } from './messages.ts';
import { curlOf } from '../../exchange/curl.ts';
import { ExchangeDetail } from '../../exchange/ExchangeDetail.tsx';
import { useIssuer } from '../../connection/state.ts';
import { VerdictLine } from './VerdictLine.tsx';

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

export function DetailPane({ event }: { readonly event: FlowEvent }) {
  return event.kind === 'exchange' || event.kind === 'burst' ? (
    <EventDetail event={event} />
  ) : (
    <ControlDetail event={event} />
  );
}
