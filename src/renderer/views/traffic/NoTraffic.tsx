import { Button, Group } from '@mantine/core';
import { IconArrowsExchange, IconEraser, IconFilterOff, IconPlayerPlay } from '@tabler/icons-react';
import { startServer } from '../../actions/sandbox.ts';
import { runCommand } from '../../navigation/run-command.ts';
import { usePage } from '../../connection/state.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { NO_FILTER } from './filter.ts';
import { showCleared } from './traffic-actions.ts';
import { changeTraffic } from './traffic-store.ts';

/** Nothing has come yet: what the view is for, and how to fill it. */
export function NothingYet() {
  const server = usePage((state) => state.server);
  const issuer = server?.issuer ?? '';
  const running = server?.state === 'running';
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
      title="Nothing has come yet"
      text={
        running
          ? `Point your app at ${issuer} and every request it makes shows up here: what it sent, what it got, and why it was refused.`
          : 'The server is stopped, so nothing can come. Once it runs, every request your app makes shows up here: what it sent, what it got, and why it was refused.'
      }
      action={action}
    />
  );
}

export function NothingSinceCleared() {
  return (
    <EmptyState
      icon={<IconEraser />}
      title="Nothing since you cleared the view"
      text="The next request shows up here. What was listed before is still kept."
      action={<Button onClick={showCleared}>Show what was cleared</Button>}
    />
  );
}

export function NothingFits() {
  const reset = () => changeTraffic((state) => ({ ...state, filter: NO_FILTER }));
  return (
    <EmptyState
      icon={<IconFilterOff />}
      title="No exchange fits the filter"
      text="New ones that fit show up by themselves."
      action={<Button onClick={reset}>Remove the filter</Button>}
    />
  );
}
