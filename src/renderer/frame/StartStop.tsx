import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { startServer, stopServer } from '../actions/sandbox.ts';
import { useReach } from '../connection/reach.ts';
import { useNeed } from '../ui/use-need.ts';

export function StartStop() {
  const state = useReach((reach) => reach.server);
  const needs = useNeed('connection');
  const running = state === 'running';
  const [busy, setBusy] = useState(false);
  const label =
    state === 'unknown' ? 'Start or stop server' : running ? 'Stop server' : 'Start server';
  const Shape = running ? IconPlayerStop : IconPlayerPlay;
  const toggle = async () => {
    setBusy(true);
    await (running ? stopServer() : startServer());
    setBusy(false);
  };
  return (
    <Tooltip label={label} disabled={state === 'unknown'}>
      <ActionIcon
        variant="default"
        aria-label={label}
        loading={busy}
        onClick={() => void toggle()}
        {...needs}
      >
        <Shape size="1.1em" stroke={1.8} />
      </ActionIcon>
    </Tooltip>
  );
}
