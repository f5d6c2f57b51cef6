import { use } from 'react';
import { fullMoment, timedPieces, utcMoment, withLocalTimes } from '../connection/clock.ts';
import { StandsAlone } from './stands-alone.ts';

/** A text whose instants read in the person's time zone, with UTC on demand; a document keeps UTC. */
export function Timed({ text }: { readonly text: string }) {
  const alone = use(StandsAlone);
  if (alone) return text;
  return timedPieces(text).map(({ text: piece, at }, index) =>
    at === null ? (
      piece
    ) : (
      <time key={index} dateTime={piece} title={`${fullMoment(at)} · ${utcMoment(at)}`}>
        {withLocalTimes(piece)}
      </time>
    ),
  );
}
