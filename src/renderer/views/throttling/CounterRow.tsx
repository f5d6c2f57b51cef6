import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Counter } from '../../../control/schemas.ts';
import { countdown, timeOfDay } from '../../connection/clock.ts';
import { durationInWords } from '../../../oauth/moments.ts';
import { StatusTag } from '../../ui/StatusTag.tsx';
import { BlockedCount } from './BlockedCount.tsx';
import { BlockedRow } from './BlockedRow.tsx';
import { isFull, isOpen, usedNow } from './counters.ts';
import classes from './Throttling.module.css';
import { UsageBar } from './UsageBar.tsx';

const KINDS: Record<Counter['kind'], string> = {
  code: 'code',
  refresh_token: 'refresh token',
  subject_token: 'subject token',
  device_code: 'device code',
  username: 'username',
  client: 'client',
  unknown: 'unknown',
};

const COLUMNS = 8;

interface CounterRowProps {
  readonly counter: Counter;
  readonly now: number;
  /** Whether a full counter rejects requests (mode enforce). */
  readonly enforced: boolean;
  readonly onRelease: () => void;
}

export function CounterRow({ counter, now, enforced, onRelease }: CounterRowProps) {
  const { id, credential, kind, client_id, ip, limit, limit_from, window_seconds } = counter;
  const { resets_at, allowed, blocked, last_seen_at } = counter;
  const full = isFull(counter, now);
  const [opened, setOpened] = useState(false);
  const history = `blocked-${id}`;
  return (
    <>
      <tr data-full={full || undefined}>
        <th scope="row" className={classes.key} id={`counter-${id}`}>
          <code>{credential}</code>
          <small>{KINDS[kind]}</small>
        </th>
        <td className={classes.key}>
          {client_id}
          <small>{ip}</small>
        </td>
        <td className={classes.key}>
          <UsageBar used={usedNow(counter, now)} limit={limit} />
          {limit_from === 'client' && (
            <small>the client’s own limit, per {durationInWords(window_seconds)}</small>
          )}
        </td>
        <td className={classes.resets}>
          {isOpen(counter, now) ? countdown((Date.parse(resets_at) - now) / 1000) : 'over'}
        </td>
        <td className={classes.allowed}>{allowed.toLocaleString('en')}</td>
        <td className={classes.blockedColumn}>
          <span className={classes.blocked}>
            {full && (
              <StatusTag tone={enforced ? 'warn' : 'muted'}>
                {enforced ? '429 now' : 'full'}
              </StatusTag>
            )}
            <BlockedCount
              blocked={blocked}
              opened={opened}
              controls={history}
              onToggle={() => setOpened(!opened)}
            />
          </span>
        </td>
        <td className={classes.seen}>{timeOfDay(Date.parse(last_seen_at))}</td>
        <td className={classes.act}>
          <Button variant="subtle" onClick={onRelease} aria-describedby={`counter-${id}`}>
            Release
          </Button>
        </td>
      </tr>
      {opened && blocked > 0 && <BlockedRow counter={counter} id={history} columns={COLUMNS} />}
    </>
  );
}
