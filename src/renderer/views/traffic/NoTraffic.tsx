import { Button, Group } from '@mantine/core';
import { IconArrowsExchange, IconEraser, IconFilterOff, IconPlayerPlay } from '@tabler/icons-react';
import { startServer } from '../../actions/sandbox.ts';
import { runCommand } from '../../navigation/run-command.ts';
import { useReach } from '../../connection/reach.ts';
import { usePage } from '../../connection/state.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { EmptyState } from '../../ui/panel.tsx';
import { NO_FILTER } from './filter.ts';
import { showCleared } from './traffic-actions.ts';
import { changeTraffic } from './traffic-store.ts';

/** No requests yet: what the view is for, and how to fill it. */
export function NothingYet() {
  const issuer = usePage((state) => state.server?.issuer ?? '');
  const server = useReach((reach) => reach.server);
  const running = server === 'running';
  if (server === 'unknown') {
    return (
      <EmptyState
        icon={<IconArrowsExchange />}
        title="No requests are known"
        text="Requests of your app are listed here after reconnecting."
      />
    );
  }
  const action = running ? (
    <Group gap="xs">
      <CopyButton value={issuer} label="Copy base URL" text="Copy base URL" />
      <Button variant="filled" onClick={() => void runCommand('run-all')}>
        Run the flow
      </Button>
    </Group>
  ) : (
    <Button
      variant="filled"
      leftSection={<IconPlayerPlay size="1.1em" aria-hidden="true" />}
      onClick={() => void startServer()}
    >
      Start server
    </Button>
  );
  return (
    <EmptyState
      icon={<IconArrowsExchange />}
      title="No requests yet"
      text={
        running
          ? `Point your app at ${issuer}. Every request it makes is listed here: what it sent, what it got, and why it was rejected.`
          : 'The server is not running and receives no requests. Start it, and every request your app makes is listed here: what it sent, what it got, and why it was rejected.'
      }
      action={action}
    />
  );
}

export function NothingSinceCleared() {
  return (
    <EmptyState
      icon={<IconEraser />}
      title="No requests since you cleared the view"
      text="New requests appear here. Earlier ones are still kept."
      action={<Button onClick={showCleared}>Show cleared exchanges</Button>}
    />
  );
}

export function NothingFits() {
  const reset = () => changeTraffic((state) => ({ ...state, filter: NO_FILTER }));
  return (
    <EmptyState
      icon={<IconFilterOff />}
      title="No matching exchanges"
      text="New matching exchanges appear automatically."
      action={<Button onClick={reset}>Remove the filter</Button>}
    />
  );
}
