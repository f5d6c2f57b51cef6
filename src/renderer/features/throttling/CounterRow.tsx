import { Button } from '@mantine/core';
import type { Counter } from '../../../control/schemas.ts';
import { countdown, timeOfDay } from '../../clock.ts';
import { StatusTag } from '../../ui/StatusTag.tsx';
import { isFull, isOpen, usedNow } from './counters.ts';
import classes from './Throttling.module.css';
import { UsageBar } from './UsageBar.tsx';

const KINDS: Record<Counter['kind'], string> = {
  code: 'code',
  refresh_token: 'refresh token',
  client: 'client',
  unknown: 'unknown',
};

interface CounterRowProps {
  readonly counter: Counter;
  readonly now: number;
  /** Whether a full counter refuses, or only would. */
  readonly enforced: boolean;
  readonly onRelease: () => void;
}

export function CounterRow({ counter, now, enforced, onRelease }: CounterRowProps) {
  const { id, credential, kind, client_id, ip, limit, resets_at, allowed, blocked, last_seen_at } =
    counter;
  const full = isFull(counter, now);
  return (
    <tr data-full={full || undefined}>
      <th scope="row" className={classes.key} id={`counter-${id}`}>
        <code>{credential}</code>
        <small>{KINDS[kind]}</small>
      </th>
      <td className={classes.key}>
        {client_id}
        <small>{ip}</small>
      </td>
      <td>
        <UsageBar used={usedNow(counter, now)} limit={limit} />
      </td>
      <td className={classes.number}>
        {isOpen(counter, now) ? countdown((Date.parse(resets_at) - now) / 1000) : 'over'}
      </td>
      <td className={classes.number}>{allowed.toLocaleString('en')}</td>
      <td className={classes.number}>
        <span className={classes.blocked}>
          {full && (
            <StatusTag tone={enforced ? 'warn' : 'muted'}>
              {enforced ? '429 now' : 'full'}
            </StatusTag>
          )}
          {blocked.toLocaleString('en')}
        </span>
      </td>
      <td className={classes.number}>{timeOfDay(Date.parse(last_seen_at))}</td>
      <td className={classes.act}>
        <Button variant="subtle" onClick={onRelease} aria-describedby={`counter-${id}`}>
          Release
        </Button>
      </td>
    </tr>
  );
}
