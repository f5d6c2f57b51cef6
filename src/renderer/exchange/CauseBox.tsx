import { use } from 'react';
import type { Exchange } from '../../control/schemas.ts';
import { hrefOf } from '../navigation/route.ts';
import { Cited, StandsAlone } from '../ui/links.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Linked } from './Linked.tsx';
import { MarkedText } from './MarkedText.tsx';
import classes from './Why.module.css';

const ProfileOffer = lazyPart(async () => (await import('./ProfileOffer.tsx')).ProfileOffer);

const FixOffer = lazyPart(async () => (await import('./FixOffer.tsx')).FixOffer);

/** Why the request was refused, what came instead, and what to change. */
export function CauseBox({ exchange }: { readonly exchange: Exchange }) {
  const alone = use(StandsAlone);
  const { why, trace, throttled } = exchange;
  if (why === null) return null;
  const check = trace.find(({ id }) => id === why.check);
  const got = check?.got ?? null;
  return (
    <section className={classes.cause} data-tone={throttled ? 'warn' : 'bad'} aria-label="Cause">
      <h3 className={classes.summary}>{why.summary}</h3>
      {why.differs_at !== null && got !== null && (
        <p className={classes.got}>
          <MarkedText expected={check?.expected ?? null} got={got} differs_at={why.differs_at} />
        </p>
      )}
      {why.detail !== null && (
        <p>
          <Linked sentence={why.detail} />
        </p>
      )}
      {why.advice !== null && (
        <p className={classes.advice}>
          <Cited text={why.advice} />
        </p>
      )}
      {!alone && (
        <p>
          <a href={hrefOf('help', `reference/causes.md#${why.reason}`)}>About this cause</a>
        </p>
      )}
      {exchange.sent_by === 'app' && !alone && <FixOffer exchange={exchange} />}
      {why.accepted_by !== null && !alone && (
        <ProfileOffer profile={why.accepted_by} client_id={exchange.client_id} />
      )}
    </section>
  );
}
