import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { timeOfDay } from '../connection/clock.ts';
import { reconnect } from '../connection/control.ts';
import { useReach } from '../connection/reach.ts';
import { usePage } from '../connection/state.ts';
import { notify } from '../ui/notify.tsx';
import { Banner } from './Banner.tsx';
import { askForToken } from './TokenDialog.tsx';

/** Shown while the feed is lost; notifies when it is restored. */
export function LostFeed() {
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
  const next = refused ? 'It waits for the new token' : 'It reconnects automatically';
  return (
    <Banner
      tone="warn"
      icon={IconPlugConnectedX}
      title={refused ? 'Access token rejected' : 'Connection lost'}
      action={
        refused ? (
          <Button onClick={() => askForToken(true)}>Enter the new token</Button>
        ) : (
          <Button onClick={reconnect}>Try now</Button>
        )
      }
    >
      {loaded
        ? `Since ${timeOfDay(since)} this page may be out of date. ${next}; what you typed is kept.`
        : 'Grantbench does not answer. This page tries again automatically.'}
    </Banner>
  );
}
