import { Button } from '@mantine/core';
import { IconGauge } from '@tabler/icons-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { startHammer } from './hammer/hammer.ts';

/** What the view is for, and the one action that fills it. */
export function NoCounters({ off }: { readonly off: boolean }) {
  const action = <Button onClick={() => void startHammer()}>Fire the hammer</Button>;
  return off ? (
    <EmptyState
      icon={<IconGauge />}
      title="Throttling is off"
      text="Nothing is counted. Choose observe or enforce above, and every code and refresh token presented gets a row here."
    />
  ) : (
    <EmptyState
      icon={<IconGauge />}
      title="No counters yet"
      text="Each code or refresh token gets a row per client IP when it is presented: how much of the limit is used, when the window turns over, what was blocked. The hammer above sends one request again and again until the limit bites."
      action={action}
    />
  );
}
