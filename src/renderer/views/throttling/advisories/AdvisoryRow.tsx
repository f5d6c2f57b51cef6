import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { AdvisoryEntry } from '../../../../control/schemas.ts';
import { timeOfDay, useSandboxNow } from '../../../connection/clock.ts';
import { pastInWords } from '../../../../oauth/moments.ts';
import { durationInWords } from '../../../../words.ts';
import { ExchangeLink } from '../../../exchange/ExchangeLink.tsx';
import disclose from '../../../ui/disclose.module.css';
import classes from './Advisories.module.css';

const COLUMNS = 5;
const SHOWN = 20;

function adviceWords({ kind, seconds_left }: AdvisoryEntry): string {
  const left = durationInWords(seconds_left);
  return kind === 'over_fetch'
    ? `requested again with ${left} of the previous token left`
    : `authorized again with ${left} of the previous token left`;
}

interface AdvisoryRowProps {
  readonly counts: {
    readonly client_id: string;
    readonly over_fetch: number;
    readonly repeated_authorization: number;
  };
  /** Newest first, as far as they are listed. */
  readonly newest: readonly AdvisoryEntry[];
}

/** One client's count and newest advisory; opens the ones before it. */
export function AdvisoryRow({ counts, newest }: AdvisoryRowProps) {
  const { client_id, over_fetch, repeated_authorization } = counts;
  const [opened, setOpened] = useState(false);
  const id = useId();
  const now = useSandboxNow();
  const [last] = newest;
  return (
    <>
      <tr>
        <th scope="row">
          <button
            type="button"
            className={`${disclose.disclose} ${classes.name}`}
            aria-expanded={opened}
            aria-controls={id}
            onClick={() => setOpened(!opened)}
          >
            <IconChevronRight aria-hidden="true" />
            {client_id === '' ? 'unknown' : client_id}
            <span className="visually-hidden">, show advisories</span>
          </button>
        </th>
        <td className={classes.number}>{over_fetch.toLocaleString('en')}</td>
        <td className={classes.number}>{repeated_authorization.toLocaleString('en')}</td>
        <td className={classes.newest}>
          {last === undefined ? (
            'no longer listed'
          ) : (
            <>
              {pastInWords(Date.parse(last.at), now)} <small>{adviceWords(last)}</small>
            </>
          )}
        </td>
        <td>{last !== undefined && <ExchangeLink number={last.exchange} />}</td>
      </tr>
      {opened && (
        <tr className={`${disclose.opened} ${classes.history}`} id={id}>
          <td colSpan={COLUMNS}>
            <ol aria-label={`Newest advisories of ${client_id}`}>
              {newest.slice(0, SHOWN).map((advisory, index) => (
                <li key={`${advisory.exchange} ${index}`}>
                  <time dateTime={advisory.at}>{timeOfDay(Date.parse(advisory.at))}</time>
                  <ExchangeLink number={advisory.exchange} />
                  <span title={advisory.text}>{adviceWords(advisory)}</span>
                </li>
              ))}
            </ol>
          </td>
        </tr>
      )}
    </>
  );
}
