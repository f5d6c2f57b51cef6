import { useState } from 'react';
import { usePage } from '../../../connection/state.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { curlOf } from '../../../exchange/curl.ts';
import { ExchangeDetail } from '../../../exchange/ExchangeDetail.tsx';
import type { BurstEvent, ExchangeEvent } from '../flow-state.ts';
import { changeFlow, useFlow } from '../flow-store.ts';
import { VerdictLine } from '../VerdictLine.tsx';

/** An exchange that the flow sent: its secrets are the person's own, and only masked. */
export function EventDetail({ event }: { readonly event: ExchangeEvent | BurstEvent }) {
  const tab = useFlow((state) => state.tab);
  const issuer = usePage((state) => state.server?.issuer ?? location.origin);
  const [revealed, onReveal] = useState(false);
  const { exchange } = event;
  const verdict = event.kind === 'exchange' ? event.verdict : null;
  return (
    <ExchangeDetail
      exchange={exchange}
      tab={tab}
      onTab={(chosen) => changeFlow((state) => ({ ...state, tab: chosen }))}
      secrets={{ revealed, onReveal }}
      actions={
        <CopyButton value={curlOf(exchange, issuer)} label="Copy as curl" text="Copy as curl" />
      }
      lead={verdict !== null && <VerdictLine verdict={verdict} />}
    />
  );
}
