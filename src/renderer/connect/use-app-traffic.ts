import { useMemo } from 'react';
import { usePage } from '../connection/state.ts';
import { appTrafficOf, type AppTraffic } from './app-traffic.ts';

/** What the app under test has sent by now; null until it has. */
export function useAppTraffic(): AppTraffic | null {
  const exchanges = usePage((state) => state.exchanges);
  return useMemo(() => appTrafficOf(exchanges), [exchanges]);
}
