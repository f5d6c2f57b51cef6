import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { startServer, stopServer } from '../actions/sandbox.ts';
import { usePage } from '../connection/state.ts';

export function StartStop() {
  const running = usePage((state) => state.server?.state === 'running');
  const [busy, setBusy] = useState(false);
  const label = running ? 'Stop server' : 'Start server';
  const Shape = running ? IconPlayerStop : IconPlayerPlay;
  const toggle = async () => {
    setBusy(true);
    await (running ? stopServer() : startServer());
    setBusy(false);
  };
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" aria-label={label} loading={busy} onClick={() => void toggle()}>
        <Shape size="1.1em" stroke={1.8} />
      </ActionIcon>
    </Tooltip>
  );
}
