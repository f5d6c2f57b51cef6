import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconRepeat, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Exchange } from '../../../control/schemas.ts';
import { MenuAction } from '../../ui/MenuWay.tsx';
import { usePage } from '../../connection/state.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { curlOf } from '../../exchange/curl.ts';
import { exportExchanges, FORMATS } from './export-exchanges.ts';
import { furtherActions } from './exchange-menu.ts';
import { sendAgain } from './traffic-actions.ts';
import { useTraffic } from './traffic-store.ts';
import { useNeed } from '../../ui/use-need.ts';

function SendAgain({ number }: { readonly number: number }) {
  const [busy, setBusy] = useState(false);
  const needs = useNeed('server');
  const send = async () => {
    setBusy(true);
    await sendAgain(number);
    setBusy(false);
  };
  return (
    <Tooltip label="Send again">
      <ActionIcon aria-label="Send again" loading={busy} onClick={() => void send()} {...needs}>
        <IconRepeat size="1.2em" />
      </ActionIcon>
    </Tooltip>
  );
}

function More({ exchange }: { readonly exchange: Exchange }) {
  const { number } = exchange;
  // Whether it is pinned is among what the actions say.
  useTraffic(({ pinned }) => pinned);
  return (
    <Menu position="bottom-end">
      <Tooltip label="More">
        <Menu.Target>
          <ActionIcon aria-label="More for this exchange">
            <IconDots size="1.2em" />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
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
      </Menu.Dropdown>
    </Menu>
  );
}

interface DetailActionsProps {
  readonly exchange: Exchange;
  readonly revealed: boolean;
  readonly onClose: () => void;
}

export function DetailActions({ exchange, revealed, onClose }: DetailActionsProps) {
  const issuer = usePage((state) => state.server?.issuer ?? location.origin);
  return (
    <>
      <CopyButton
        value={curlOf(exchange, issuer)}
        label={revealed ? 'Copy as curl, with secrets' : 'Copy as curl, without secrets'}
      />
      <SendAgain number={exchange.number} />
      <More exchange={exchange} />
      <CloseDetail onClose={onClose} />
    </>
  );
}

export function CloseDetail({ onClose }: { readonly onClose: () => void }) {
  return (
    <Tooltip label="Close (Esc)">
      <ActionIcon aria-label="Close the exchange" onClick={onClose}>
        <IconX size="1.2em" />
      </ActionIcon>
    </Tooltip>
  );
}
