import { useCallback } from 'react';
import type { Exchange, ExchangeSummary } from '../../../../control/schemas.ts';
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

/** One that stays the same. */
function Kept({ title, summary }: { readonly title: string; readonly summary: ExchangeSummary }) {
  const { number } = summary;
  const load = useCallback(() => read(number), [number]);
  return <AppExchange title={title} summary={summary} load={load} />;
}

/** The newest request of the app, the newest that was rejected or redundant, and the first one, each explained. */
export function AppRequests({ first, newest, rejected, redundant }: AppTraffic) {
  const shown = new Set([first.number, newest.number]);
  const isOther = (exchange: ExchangeSummary | null): exchange is ExchangeSummary =>
    exchange !== null && !shown.has(exchange.number);
  return (
    <div className={classes.requests}>
      {newest.number !== first.number && (
        <AppExchange title="Newest request" summary={newest} load={readNewest} />
      )}
      {isOther(rejected) && <Kept title="Newest rejection" summary={rejected} />}
      {isOther(redundant) && <Kept title="Newest redundant request" summary={redundant} />}
      <Kept title="First request" summary={first} />
    </div>
  );
}
