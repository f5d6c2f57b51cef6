import { useEffect, useState, type MouseEvent } from 'react';
import type { Counter, CounterDetail } from '../../../control/schemas.ts';
import { timeOfDay } from '../../connection/clock.ts';
import { control } from '../../connection/control.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import disclose from '../../ui/disclose.module.css';
import classes from './Throttling.module.css';

type BlockedRequests = CounterDetail['blocked_requests'];

/** The newest requests that a counter refused, loaded anew as it refuses more; null before the first. */
function useBlockedRequests(id: string, blocked: number): BlockedRequests | null {
  const [requests, setRequests] = useState<BlockedRequests | null>(null);
  useEffect(() => {
    control.throttle.get({ id }).then(
      (counter) => setRequests(counter.blocked_requests),
      // A counter released meanwhile has no row any more.
      () => undefined,
    );
  }, [id, blocked]);
  return requests;
}

function open(event: MouseEvent, exchange: number) {
  event.preventDefault();
  void navigate('traffic', String(exchange));
}

const titleOf = (shown: number, blocked: number) =>
  shown < blocked
    ? `Blocked: the newest ${shown} of ${blocked.toLocaleString('en')}`
    : 'Blocked, newest first';

interface BlockedRowProps {
  readonly counter: Counter;
  readonly id: string;
  readonly columns: number;
}

/** What a counter refused last, each request with its exchange. */
export function BlockedRow({ counter, id, columns }: BlockedRowProps) {
  const { blocked } = counter;
  const requests = useBlockedRequests(counter.id, blocked);
  return (
    <tr className={disclose.opened} id={id}>
      <td colSpan={columns}>
        <span className={classes.historyTitle}>{titleOf(requests?.length ?? 0, blocked)}</span>
        <ol className={classes.requests} aria-label={`Blocked requests of ${counter.credential}`}>
          {requests?.map(({ at, exchange }) => (
            <li key={exchange}>
              <time dateTime={at}>{timeOfDay(Date.parse(at))}</time>
              <a
                href={hrefOf('traffic', String(exchange))}
                onClick={(event) => open(event, exchange)}
              >
                <span className="visually-hidden">exchange </span>#{exchange}
              </a>
            </li>
          ))}
        </ol>
      </td>
    </tr>
  );
}
