import type { Exchange, ExchangeSummary } from '../../../../control/schemas.ts';
import { timeOfDay } from '../../../connection/clock.ts';
import { answerTone, isRefused } from '../../../exchange/answer.ts';
import { CauseBox } from '../../../exchange/CauseBox.tsx';
import { ExchangeLink } from '../../../exchange/ExchangeLink.tsx';
import { StatusTag } from '../../../ui/StatusTag.tsx';
import { statusWords } from '../../../ui/status.ts';
import { useLoaded } from '../../../ui/use-loaded.ts';
import classes from './Connect.module.css';
import { meaningOf } from './meaning.ts';

function Meaning({ exchange }: { readonly exchange: Exchange }) {
  if (exchange.why !== null) return <CauseBox exchange={exchange} />;
  const meaning = isRefused(exchange) ? exchange.cause : meaningOf(exchange);
  return meaning === null ? null : <p className={classes.meaning}>{meaning}</p>;
}

interface AppExchangeProps {
  readonly title: string;
  readonly summary: ExchangeSummary;
  /** Reads it whole. */
  readonly load: () => Promise<Exchange>;
}

/** One request of the app: its status, what that means, and where it is explained in full. */
export function AppExchange({ title, summary, load }: AppExchangeProps) {
  const { known } = useLoaded(load, summary.number);
  const { number, at, method, path, status, client_id } = known ?? summary;
  return (
    <section className={classes.exchange} aria-label={title}>
      <h3 className={classes.title}>
        {title}
        <span className={classes.facts}>
          {timeOfDay(Date.parse(at))}
          {client_id !== null && ` · ${client_id}`}
        </span>
      </h3>
      <p className={classes.request}>
        <StatusTag tone={answerTone(known ?? summary)}>{statusWords(status)}</StatusTag>
        <code className={classes.path}>{`${method} ${path.split('?')[0]}`}</code>
        <ExchangeLink number={number} />
      </p>
      {known !== null && <Meaning exchange={known} />}
    </section>
  );
}
