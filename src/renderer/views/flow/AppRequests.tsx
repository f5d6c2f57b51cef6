import { Group, Stack, Title } from '@mantine/core';
import { useCallback } from 'react';
import type { Exchange, ExchangeSummary } from '../../../control/schemas/exchanges.ts';
import { type AppTraffic, appTrafficOf } from '../../connect-app/app-traffic.ts';
import { timeOfDay } from '../../connection/clock.ts';
import { control } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { isRejected } from '../../exchange/answer.ts';
import { ExchangeLine } from '../../exchange/ExchangeLine.tsx';
import { CauseBox, FaultBox, HoldBox } from '../../exchange/WhyTab.tsx';
import { Hint } from '../../ui/panel.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { meaningOf } from './meaning.ts';
import classes from './Flow.module.css';

const read = (number: number) => control.exchanges.get({ number });

/** Reads the newest exchange at the time of the call. Under load, this skips some exchanges. */
async function readNewest(): Promise<Exchange> {
  const newest = appTrafficOf(page.getState())?.newest;
  if (newest === undefined) throw new Error('The sandbox was reset.');
  return read(newest.number);
}

/** An exchange whose number does not change. */
function FixedExchange({ title, summary }: Omit<AppExchangeProps, 'load'>) {
  const { number } = summary;
  const load = useCallback(() => read(number), [number]);
  return <AppExchange title={title} summary={summary} load={load} />;
}

function Meaning({ exchange }: { readonly exchange: Exchange }) {
  // A fault rule made this response, whatever the request was.
  if (exchange.fault !== null) return <FaultBox exchange={exchange} />;
  if (exchange.why !== null) {
    return (
      <>
        <HoldBox exchange={exchange} />
        <CauseBox exchange={exchange} />
      </>
    );
  }
  if (exchange.held?.changed === true) return <HoldBox exchange={exchange} />;
  const meaning = isRejected(exchange) ? exchange.cause : meaningOf(exchange);
  return meaning === null ? null : <Hint>{meaning}</Hint>;
}

interface AppExchangeProps {
  readonly title: string;
  readonly summary: ExchangeSummary;
  readonly load: () => Promise<Exchange>;
}

/** One request of the app: its status, what that means, and a link to the full explanation. */
function AppExchange({ title, summary, load }: AppExchangeProps) {
  const { known, problem } = useLoaded(load, summary.number);
  const exchange = known ?? summary;
  const { at, client_id } = exchange;
  return (
    <Stack component="section" gap="var(--s1h)" className={classes.breaks} aria-label={title}>
      <Group gap="xs" align="baseline">
        <Title order={3} fz="sm">
          {title}
        </Title>
        <Hint span>
          {timeOfDay(Date.parse(at))}
          {client_id !== null && ` · ${client_id}`}
        </Hint>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <ExchangeLine exchange={exchange} />
      </Group>
      {known !== null && <Meaning exchange={known} />}
      {known === null && problem !== null && <Hint>{problem}</Hint>}
    </Stack>
  );
}

/** The app's newest request, its newest rejected and redundant requests, and its first one, each explained. */
export function AppRequests({ first, newest, rejected, redundant }: AppTraffic) {
  const shown = new Set([first.number, newest.number]);
  const isOther = (exchange: ExchangeSummary | null): exchange is ExchangeSummary =>
    exchange !== null && !shown.has(exchange.number);
  return (
    <Stack gap="md">
      {newest.number !== first.number && (
        <AppExchange title="Newest request" summary={newest} load={readNewest} />
      )}
      {isOther(rejected) && <FixedExchange title="Newest rejection" summary={rejected} />}
      {isOther(redundant) && <FixedExchange title="Newest redundant request" summary={redundant} />}
      <FixedExchange title="First request" summary={first} />
    </Stack>
  );
}
