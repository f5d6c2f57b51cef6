import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPencil, IconRepeat } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Exchange } from '../../../../control/schemas.ts';
import { usePage } from '../../../connection/state.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { curlOf } from '../../../exchange/curl.ts';
import { ExchangeDetail } from '../../../exchange/ExchangeDetail.tsx';
import { edit, resend } from '../request-actions.ts';
import type { Sent } from '../requests-state.ts';
import { changeRequests, useRequests } from '../requests-store.ts';

interface AnsweredPaneProps {
  readonly sent: Sent;
  readonly exchange: Exchange;
  /** In the place of what can be done with it. */
  readonly actions?: ReactNode;
}

function Actions({ sent, exchange }: AnsweredPaneProps) {
  const issuer = usePage((state) => state.server?.issuer ?? location.origin);
  return (
    <>
      <CopyButton value={curlOf(exchange, issuer)} label="Copy as curl" />
      <Tooltip label="Edit and send">
        <ActionIcon aria-label="Edit and send" onClick={() => void edit(sent)}>
          <IconPencil size="1.2em" />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Resend unchanged">
        <ActionIcon aria-label="Resend unchanged" onClick={() => void resend(sent)}>
          <IconRepeat size="1.2em" />
        </ActionIcon>
      </Tooltip>
    </>
  );
}

/** An answer from every side. Its secrets are the person's own, and only masked. */
export function AnsweredPane(props: AnsweredPaneProps) {
  const tab = useRequests((state) => state.detail);
  const [revealed, onReveal] = useState(false);
  return (
    <ExchangeDetail
      exchange={props.exchange}
      tab={tab}
      onTab={(detail) => changeRequests((state) => ({ ...state, detail }))}
      secrets={{ revealed, onReveal }}
      actions={props.actions ?? <Actions {...props} />}
    />
  );
}
