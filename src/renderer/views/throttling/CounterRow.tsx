import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Counter } from '../../../control/schemas.ts';
import { countdown, timeOfDay } from '../../connection/clock.ts';
import { durationInWords } from '../../../words.ts';
import { useReach } from '../../connection/reach.ts';
import { StatusTag } from '../../ui/status.tsx';
import { BlockedCount } from './BlockedCount.tsx';
import { BlockedRow } from './BlockedRow.tsx';
import { isFull, isOpen, usedNow } from './counters.ts';
import classes from './Throttling.module.css';
import { UsageBar } from './UsageBar.tsx';
import { useNeed } from '../../ui/use-need.ts';

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

const resetWords = (counter: Counter, now: number): string =>
  isOpen(counter, now) ? countdown((Date.parse(counter.resets_at) - now) / 1000) : 'over';

interface CounterRowProps {
  readonly counter: Counter;
  readonly now: number;
  /** Whether a full counter rejects requests (mode enforce). */
  readonly enforced: boolean;
  readonly onRelease: () => void;
}

export function CounterRow({ counter, now, enforced, onRelease }: CounterRowProps) {
  const { id, credential, kind, client_id, ip, limit, limit_from, window_seconds } = counter;
  const { allowed, blocked, last_seen_at } = counter;
  const full = isFull(counter, now);
  const [opened, setOpened] = useState(false);
  const needs = useNeed('connection');
  const live = useReach((reach) => reach.live);
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
        <td className={classes.resets}>{live ? resetWords(counter, now) : 'unknown'}</td>
        <td className={classes.allowed}>{allowed.toLocaleString('en')}</td>
        <td className={classes.blockedColumn}>
          <span className={classes.blocked}>
            {full && (
              <StatusTag tone={enforced && live ? 'warn' : 'muted'}>
                {enforced && live ? '429 now' : 'full'}
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
          <Button
            variant="subtle"
            onClick={onRelease}
            aria-describedby={`counter-${id}`}
            {...needs}
          >
            Release
          </Button>
        </td>
      </tr>
      {opened && blocked > 0 && <BlockedRow counter={counter} id={history} columns={COLUMNS} />}
    </>
  );
}
