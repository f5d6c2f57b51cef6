import { type Icon, IconPlugConnectedX, IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { timeOfDay } from '../connection/clock.ts';
import { reconnect } from '../connection/control.ts';
import { useReach } from '../connection/reach.ts';
import { usePage } from '../connection/state.ts';
import { notify } from '../ui/notify.tsx';
import { startServer } from '../actions/sandbox.ts';
import { sentence } from '../ui/problems.ts';
import { askForToken } from './TokenDialog.tsx';
import panel from '../ui/panel.module.css';

interface BannerProps {
  readonly tone: 'warn' | 'bad';
  readonly icon: Icon;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

function Banner({ tone, icon: Shape, title, children, action }: BannerProps) {
  return (
    <Group
      className={panel.bar}
      data-tone={tone}
      gap={10}
      wrap="nowrap"
      px="md"
      py="xs"
      bg="var(--tone-soft)"
    >
      <Shape color="var(--tone)" size="1.23em" aria-hidden="true" />
      <Text flex={1} miw={0} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <b>{title}</b> {children}
      </Text>
      {action !== undefined && (
        <Group gap="xs" wrap="nowrap">
          {action}
        </Group>
      )}
    </Group>
  );
}

/** Shown while the feed is lost; notifies when it is restored. */
function LostFeed() {
  const connection = usePage((state) => state.connection);
  const loaded = usePage((state) => state.loaded);
  const since = usePage((state) => state.lost_ms);
  const live = useReach((reach) => reach.live);
  const wasLost = useRef(false);
  useEffect(() => {
    if (live && wasLost.current) notify('Reconnected; everything was reloaded');
    wasLost.current = !live && (since !== null || wasLost.current);
  }, [live, since]);
  if (since === null) return null;
  const refused = connection === 'refused';
  const next = refused ? 'Enter the new token to reconnect' : 'It reconnects automatically';
  return (
    <Banner
      tone="warn"
      icon={IconPlugConnectedX}
      title={refused ? 'Control token rejected' : 'Connection lost'}
      action={
        refused ? (
          <Button onClick={() => askForToken(true)}>Enter the new token</Button>
        ) : (
          <Button onClick={reconnect}>Try now</Button>
        )
      }
    >
      {loaded
        ? `This page may be out of date since ${timeOfDay(since)}. ${next}; what you typed is kept.`
        : 'Grantbench does not respond. This page retries automatically.'}
    </Banner>
  );
}

/** Warnings that concern every view: the connection is lost, the server failed, or the workspace is not saved. */
export function Banners() {
  const live = useReach((reach) => reach.live);
  const known = usePage((state) => state.server);
  const server = live ? known : null;
  const problem = server?.state === 'failed' ? server.problem : null;
  const unsaved =
    server?.workspace.state === 'failed' || server?.workspace.state === 'conflict'
      ? server.workspace
      : null;
  const free = problem?.free_port ?? null;
  return (
    <div role="status">
      <LostFeed />
      {problem !== null && (
        <Banner
          tone="bad"
          icon={IconAlertTriangle}
          title="The server is not running"
          action={
            <>
              <Button onClick={() => void startServer()}>Try again</Button>
              {free !== null && (
                <Button variant="filled" onClick={() => void startServer(free)}>
                  Start on port {free}
                </Button>
              )}
            </>
          }
        >
          {sentence(problem.message)}
        </Banner>
      )}
      {unsaved !== null && (
        <Banner tone="bad" icon={IconAlertTriangle} title="The workspace is not saved">
          {unsaved.message ??
            'The workspace file was changed by another program. Nothing was overwritten.'}
        </Banner>
      )}
    </div>
  );
}
