import { Button } from '@mantine/core';
import { IconGauge } from '@tabler/icons-react';
import { EmptyState } from '../../ui/panel.tsx';
import { startHammer } from './hammer/hammer.ts';
import { useNeed } from '../../ui/use-need.ts';

/** What the view is for, and the one action that fills it. */
export function NoCounters({ off }: { readonly off: boolean }) {
  const needs = useNeed('server');
  const action = (
    <Button onClick={() => void startHammer()} {...needs}>
      Start the hammer
    </Button>
  );
  return off ? (
    <EmptyState
      icon={<IconGauge />}
      title="Throttling is off"
      text="Requests are not counted. Choose observe or enforce above to see every code and refresh token listed here."
    />
  ) : (
    <EmptyState
      icon={<IconGauge />}
      title="No counters yet"
      text="Each code or refresh token gets a row per client IP when it is used: how much of the limit is used, when it resets, and how many requests were blocked. The hammer above repeats one request to exceed the limit."
      action={action}
    />
  );
}
