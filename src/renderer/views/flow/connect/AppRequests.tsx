import { useCallback } from 'react';
import type { Exchange } from '../../../../control/schemas.ts';
import { control } from '../../../connection/control.ts';
import { page } from '../../../connection/state.ts';
import { AppExchange } from './AppExchange.tsx';
import { appTrafficOf, type AppTraffic } from '../../../connect/app-traffic.ts';
import classes from './Connect.module.css';

const read = (number: number) => control.exchanges.get({ number });

/** Whichever is the newest by then: under load not each of them is read. */
async function readNewest(): Promise<Exchange> {
  const newest = appTrafficOf(page.getState().exchanges)?.newest;
  if (newest === undefined) throw new Error('The sandbox was reset.');
  return read(newest.number);
}

/** The first request of the app, explained, and the newest one. */
export function AppRequests({ first, newest }: AppTraffic) {
  const { number } = first;
  const readFirst = useCallback(() => read(number), [number]);
  const more = newest.number !== number;
  return (
    <div className={classes.requests}>
      {more && <AppExchange title="Newest request" summary={newest} load={readNewest} />}
      <AppExchange title="First request" summary={first} load={readFirst} />
    </div>
  );
}
