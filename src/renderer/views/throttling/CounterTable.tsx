import { useCallback, useState } from 'react';
import { Box, Group, Text } from '@mantine/core';
import type { Counter } from '../../../control/schemas.ts';
import { durationInWords } from '../../../words.ts';
import { timeOfDay, countdown, useSandboxNow } from '../../connection/clock.ts';
import { control } from '../../connection/control.ts';
import { useReach } from '../../connection/reach.ts';
import { StatusTag } from '../../ui/status.tsx';
import { sortedBy, type Sorting } from '../../ui/grid/arrange.ts';
import { GridTable, useShownRows } from '../../ui/grid/GridTable.tsx';
import { Hint } from '../../ui/panel.tsx';
import { Meter } from '../../ui/progress.tsx';
import table from '../../ui/grid/table.module.css';
import classes from './Throttling.module.css';
import { ActionButton, Disclose } from '../../ui/buttons.tsx';
import { ExchangeLink } from '../../exchange/ExchangeLine.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';

// The counters as the table shows them: whether their window is still open, and their order. Pure.

type SortKey = 'blocked' | 'used' | 'resets' | 'allowed' | 'seen';

/** The page's time is cut to the second and lags a little, so a window that has just opened may seem to be in the future. */
const BEHIND_MS = 2000;

/** Whether the window is open. It is not if it has ended, or starts in the future because the clock was moved back. */
export function isOpen(counter: Counter, now: number): boolean {
  return Date.parse(counter.opened_at) < now + BEHIND_MS && now < Date.parse(counter.resets_at);
}

/** Requests counted in the window as of now. */
export const usedNow = (counter: Counter, now: number): number =>
  isOpen(counter, now) ? counter.used : 0;

/** Whether the next request with this credential from this address would be throttled. */
export const isFull = (counter: Counter, now: number): boolean =>
  usedNow(counter, now) >= counter.limit;

/** Sorts the counters. Equal ones are ordered by use, then as they were: by their latest request. */
function sorted(
  counters: readonly Counter[],
  sorting: Sorting<SortKey>,
  now: number,
): readonly Counter[] {
  const ranks: Record<SortKey, (counter: Counter) => number> = {
    blocked: ({ blocked }) => blocked,
    used: (counter) => usedNow(counter, now) / counter.limit,
    resets: (counter) => (isOpen(counter, now) ? Date.parse(counter.resets_at) - now : 0),
    allowed: ({ allowed }) => allowed,
    seen: ({ last_seen_at }) => Date.parse(last_seen_at),
  };
  const byUse = sortedBy(counters, { key: 'used', descending: true }, ranks);
  return sortedBy(byUse, sorting, ranks);
}

/** The text that the filter searches: digest, client, address and kind. */
export const counterText = ({ credential, client_id, ip, kind }: Counter): string =>
  `${credential} ${client_id} ${ip} ${kind}`;

/** Requests counted in the open window against the limit. */
function UsageBar({ used, limit }: { readonly used: number; readonly limit: number }) {
  const share = Math.min(1, used / limit);
  const full = used >= limit;
  const words = `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`;
  return (
    <Group gap={10} wrap="nowrap" miw={160}>
      <Box flex={1} miw={70}>
        <Meter
          label="Used"
          value={Math.min(used, limit)}
          max={limit}
          words={`${words}${full ? ', full' : ''}`}
          color={full ? 'var(--bad)' : share > 0.8 ? 'var(--warn)' : undefined}
        />
      </Box>
      <Hint span className="figures" miw="8ch" ta="right" aria-hidden="true">
        {words}
      </Hint>
    </Group>
  );
}

const RIGHT = { className: table.number } as const;
const RIGHT_MINOR = { className: `${table.number} ${table.from900}` } as const;

const COLUMNS = [
  { id: 'credential', name: 'Credential' },
  { id: 'client', name: 'Client and IP' },
  { id: 'used', name: 'Used', sortsBy: 'used', width: '13rem' },
  { id: 'resets', name: 'Resets in', sortsBy: 'resets', width: '7rem', ...RIGHT },
  { id: 'allowed', name: 'Allowed', sortsBy: 'allowed', width: '6.5rem', ...RIGHT_MINOR },
  { id: 'blocked', name: 'Throttled', sortsBy: 'blocked', width: '9rem', ...RIGHT },
  { id: 'seen', name: 'Last seen', sortsBy: 'seen', width: '7rem', ...RIGHT_MINOR },
  { id: 'actions', name: 'Actions', unseen: true, width: '7rem' },
] as const;

const titleOf = (shown: number, blocked: number) =>
  shown < blocked
    ? `Throttled: the newest ${shown} of ${blocked.toLocaleString('en')}`
    : 'Throttled, newest first';

/** The newest throttled requests of a counter, each with a link to its exchange. */
function BlockedRow({ counter, id }: { readonly counter: Counter; readonly id: string }) {
  const { blocked } = counter;
  const load = useCallback(() => control.throttle.get({ id: counter.id }), [counter.id]);
  const requests = useLoaded(load, blocked).known?.blocked_requests;
  return (
    <tr className={table.opened} id={id}>
      <td colSpan={COLUMNS.length}>
        <Text mb={4} size="xs" fw="var(--w-medium)" c="var(--text)">
          {titleOf(requests?.length ?? 0, blocked)}
        </Text>
        <Group
          component="ol"
          role="list"
          gap="var(--s1) var(--s4)"
          className="figures"
          aria-label={`Throttled requests of ${counter.credential}`}
        >
          {requests?.map(({ at, exchange }) => (
            <li key={exchange}>
              <time dateTime={at}>{timeOfDay(Date.parse(at))}</time>{' '}
              <ExchangeLink number={exchange} />
            </li>
          ))}
        </Group>
      </td>
    </tr>
  );
}

const resetWords = (counter: Counter, now: number): string =>
  isOpen(counter, now) ? countdown((Date.parse(counter.resets_at) - now) / 1000) : 'over';

interface CounterRowProps {
  readonly counter: Counter;
  readonly now: number;
  /** Whether a full counter rejects requests (mode enforce). */
  readonly enforced: boolean;
  readonly onReset: () => void;
}

function CounterRow({ counter, now, enforced, onReset }: CounterRowProps) {
  const { id, credential, kind, client_id, ip, limit, limit_from, window_seconds } = counter;
  const { allowed, blocked, last_seen_at } = counter;
  const full = isFull(counter, now);
  const [opened, setOpened] = useState(false);
  const live = useReach((reach) => reach.live);
  const rejects = useReach(({ server }) => server === 'running') && enforced;
  const history = `blocked-${id}`;
  return (
    <>
      <tr data-full={full || undefined}>
        <th scope="row" className={classes.key} id={`counter-${id}`}>
          <code>{credential}</code>
          <small>{kind.replaceAll('_', ' ')}</small>
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
        <td className={table.number}>{live ? resetWords(counter, now) : 'unknown'}</td>
        <td className={`${table.number} ${table.from900}`}>{allowed.toLocaleString('en')}</td>
        <td className={table.number}>
          <Group gap="xs" justify="flex-end" wrap="nowrap">
            {full && (
              <StatusTag tone={rejects ? 'warn' : 'muted'}>
                {rejects ? '429 now' : 'full'}
              </StatusTag>
            )}
            {blocked === 0 ? (
              '0'
            ) : (
              <Disclose opened={opened} aria-controls={history} onToggle={() => setOpened(!opened)}>
                {blocked.toLocaleString('en')}
                <span className="visually-hidden"> throttled, show the latest</span>
              </Disclose>
            )}
          </Group>
        </td>
        <td className={`${table.number} ${table.from900}`}>
          {timeOfDay(Date.parse(last_seen_at))}
        </td>
        <td style={{ textAlign: 'right' }}>
          <ActionButton
            variant="subtle"
            onClick={onReset}
            aria-describedby={`counter-${id}`}
            needs="connection"
          >
            Reset
          </ActionButton>
        </td>
      </tr>
      {opened && blocked > 0 && <BlockedRow counter={counter} id={history} />}
    </>
  );
}

interface CounterTableProps {
  readonly counters: readonly Counter[];
  readonly enforced: boolean;
  readonly onReset: (counter: Counter) => void;
}

export function CounterTable({ counters, enforced, onReset }: CounterTableProps) {
  const now = useSandboxNow();
  const [sorting, setSorting] = useState<Sorting<SortKey>>({ key: 'blocked', descending: true });
  const { shown, more } = useShownRows();
  const rows = sorted(counters, sorting, now);
  // The first click sorts in descending order, the second in ascending order.
  const onSort = (key: SortKey) =>
    setSorting({ key, descending: sorting.key === key ? !sorting.descending : true });
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="Throttle counters">
      <GridTable name="counters" columns={COLUMNS} least={640} sorting={sorting} onSort={onSort}>
        {rows.slice(0, shown).map((counter) => (
          <CounterRow
            key={counter.id}
            counter={counter}
            now={now}
            enforced={enforced}
            onReset={() => onReset(counter)}
          />
        ))}
      </GridTable>
      {more(rows.length - shown)}
    </div>
  );
}
