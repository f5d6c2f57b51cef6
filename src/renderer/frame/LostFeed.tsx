import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { timeOfDay } from '../connection/clock.ts';
import { reconnect } from '../connection/control.ts';
import { usePage } from '../connection/state.ts';
import { notify } from '../ui/notify.tsx';
import { Banner } from './Banner.tsx';

/** Stands while the feed is lost, and tells when it is back. */
export function LostFeed() {
  const connection = usePage((state) => state.connection);
  const since = usePage((state) => state.lost_ms);
  const wasLost = useRef(false);
  useEffect(() => {
    if (connection === 'open' && wasLost.current) {
      notify('The live feed is back, and everything shown was loaded anew');
    }
    if (connection !== 'connecting') wasLost.current = connection === 'lost';
  }, [connection]);
  if (since === null) return null;
  return (
    <Banner
      tone="warn"
      icon={IconPlugConnectedX}
      title="The live feed is lost"
      action={<Button onClick={reconnect}>Try now</Button>}
    >
      Since {timeOfDay(since)}; what you see is as it was then. Grantbench is being reached again by
      itself, and what you typed stays.
    </Banner>
  );
}
