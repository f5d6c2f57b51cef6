import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { timeOfDay } from '../connection/clock.ts';
import { reconnect } from '../connection/control.ts';
import { usePage } from '../connection/state.ts';
import { notify } from '../ui/notify.tsx';
import { Banner } from './Banner.tsx';

/** Shown while the feed is lost; notifies when it is restored. */
export function LostFeed() {
  const connection = usePage((state) => state.connection);
  const since = usePage((state) => state.lost_ms);
  const wasLost = useRef(false);
  useEffect(() => {
    if (connection === 'open' && wasLost.current) {
      notify('Reconnected; everything was reloaded');
    }
    if (connection !== 'connecting') wasLost.current = connection === 'lost';
  }, [connection]);
  if (since === null) return null;
  return (
    <Banner
      tone="warn"
      icon={IconPlugConnectedX}
      title="Connection lost"
      action={<Button onClick={reconnect}>Try now</Button>}
    >
      Since {timeOfDay(since)}. The page shows the state from then. Reconnecting automatically; what
      you typed is kept.
    </Banner>
  );
}
