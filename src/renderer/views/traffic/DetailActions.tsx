import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconRepeat, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Exchange } from '../../../control/schemas.ts';
import { usePage } from '../../connection/state.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { curlOf } from '../../exchange/curl.ts';
import { exportExchanges, FORMATS } from './export-exchanges.ts';
import {
  copyLink,
  copyWithSecrets,
  editInRequests,
  sendAgain,
  showLineage,
  togglePin,
} from './traffic-actions.ts';
import { useTraffic } from './traffic-store.ts';

function SendAgain({ number }: { readonly number: number }) {
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    await sendAgain(number);
    setBusy(false);
  };
  return (
    <Tooltip label="Send again">
      <ActionIcon aria-label="Send again" loading={busy} onClick={() => void send()}>
        <IconRepeat size="1.2em" />
      </ActionIcon>
    </Tooltip>
  );
}

function More({ exchange }: { readonly exchange: Exchange }) {
  const { number, lineage_id } = exchange;
  const pinned = useTraffic((state) => state.pinned.some((one) => one.number === number));
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
        <Menu.Item onClick={() => void editInRequests(number)}>Edit in Requests</Menu.Item>
        <Menu.Item onClick={() => void copyWithSecrets(number)}>
          Copy as curl, with secrets
        </Menu.Item>
        <Menu.Item onClick={() => void copyLink(number)}>Copy link</Menu.Item>
        <Menu.Item onClick={() => togglePin(exchange)}>{pinned ? 'Unpin' : 'Pin to top'}</Menu.Item>
        {lineage_id !== null && (
          <Menu.Item onClick={() => showLineage(lineage_id)}>
            Show its lineage as sequence
          </Menu.Item>
        )}
        <Menu.Divider />
        {FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => void exportExchanges([number], format, false)}>
            Export as {format.toUpperCase()}
          </Menu.Item>
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
