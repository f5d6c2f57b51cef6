import { IconCheck } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { pluralize } from '../../ui/short-forms.ts';
import classes from './Faults.module.css';
import { queuesOf, type Queue, type Stop } from './queue.ts';
import { chanceInWords, delayWords, matchInWords, titleOf, whatInWords } from './rule-words.ts';

/** Beyond this number, kinds of requests are only counted. */
const MOST_SHOWN = 4;

const go = (id: string) => (event: MouseEvent) => {
  event.preventDefault();
  void navigate('faults', id);
};

/** A scripted response in short, by its status only; the table shows the rest. */
function brief(rule: FaultState): string {
  const { effect, delay_ms } = rule;
  if (effect.kind !== 'answer') return whatInWords(rule);
  return delay_ms === 0 ? `${effect.status}` : `${effect.status}, after ${delayWords(delay_ms)}`;
}

function how({ rule, count }: Stop, first: boolean): string {
  const often = count === null ? (first ? 'every time' : 'from then on') : `${count} ×`;
  const chance = chanceInWords(rule.probability);
  if (chance === '') return often;
  return count === null ? `for ${chance}` : `${often}, ${chance}`;
}

function StopChip({ stop, first }: { readonly stop: Stop; readonly first: boolean }) {
  const { rule } = stop;
  return (
    <a
      className={classes.stop}
      href={hrefOf('faults', rule.id)}
      onClick={go(rule.id)}
      title={titleOf(rule)}
    >
      <small>{how(stop, first)}</small> {brief(rule)}
    </a>
  );
}

function QueueLine({ queue: { match, stops, ends } }: { readonly queue: Queue }) {
  return (
    <div className={classes.queue}>
      <span className={classes.match}>{matchInWords(match)}</span>
      <ol className={classes.stops} aria-label={`Upcoming responses for ${matchInWords(match)}`}>
        {stops.map((stop, index) => (
          <li key={stop.rule.id}>
            <StopChip stop={stop} first={index === 0} />
          </li>
        ))}
        {ends && (
          <li className={classes.normal}>
            <IconCheck size="1.1em" aria-hidden="true" /> then normal responses
          </li>
        )}
      </ol>
    </div>
  );
}

/** The upcoming responses, as a queue for each kind of request. */
export function Queues({ rules }: { readonly rules: readonly FaultState[] }) {
  const queues = queuesOf(rules);
  const more = queues.length - MOST_SHOWN;
  return (
    <section className={classes.queues} aria-label="Upcoming responses">
      {queues.length === 0 && (
        <p className={classes.calm}>
          <IconCheck size="1.1em" aria-hidden="true" /> No faults active: all responses are normal.
        </p>
      )}
      {queues.slice(0, MOST_SHOWN).map((queue) => (
        <QueueLine key={matchInWords(queue.match)} queue={queue} />
      ))}
      {more > 0 && (
        <p className={classes.more}>and {pluralize(more, 'more kind', 'more kinds')} of requests</p>
      )}
    </section>
  );
}
