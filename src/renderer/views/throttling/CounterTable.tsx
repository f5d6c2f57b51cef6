import { useState } from 'react';
import { Button } from '@mantine/core';
import type { Counter } from '../../../control/schemas.ts';
import { useSandboxNow } from '../../connection/clock.ts';
import { CounterRow } from './CounterRow.tsx';
import { sorted, type Sorting, type SortKey } from './counters.ts';
import { GridTable } from '../../ui/grid/GridTable.tsx';
import classes from './Throttling.module.css';

const AT_ONCE = 100;

const COLUMNS = [
  { id: 'credential', name: 'Credential', className: classes.credential },
  { id: 'client', name: 'Client and IP', className: classes.client },
  { id: 'used', name: 'Used', sortsBy: 'used', className: classes.used },
  { id: 'resets', name: 'Resets in', sortsBy: 'resets', className: classes.resets },
  { id: 'allowed', name: 'Allowed', sortsBy: 'allowed', className: classes.allowed },
  { id: 'blocked', name: 'Blocked', sortsBy: 'blocked', className: classes.blockedColumn },
  { id: 'seen', name: 'Last seen', sortsBy: 'seen', className: classes.seen },
  { id: 'actions', name: 'Actions', unseen: true, className: classes.act },
] as const;

interface CounterTableProps {
  readonly counters: readonly Counter[];
  readonly enforced: boolean;
  readonly onRelease: (counter: Counter) => void;
}

export function CounterTable({ counters, enforced, onRelease }: CounterTableProps) {
  const now = useSandboxNow();
  const [sorting, setSorting] = useState<Sorting>({ key: 'blocked', descending: true });
  const [shown, setShown] = useState(AT_ONCE);
  const rows = sorted(counters, sorting, now);
  // Most first, then least first.
  const onSort = (key: SortKey) =>
    setSorting({ key, descending: sorting.key === key ? !sorting.descending : true });
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="Throttle counters">
      <GridTable
        name="counters"
        columns={COLUMNS}
        className={classes.table}
        sorting={sorting}
        onSort={onSort}
      >
        {rows.slice(0, shown).map((counter) => (
          <CounterRow
            key={counter.id}
            counter={counter}
            now={now}
            enforced={enforced}
            onRelease={() => onRelease(counter)}
          />
        ))}
      </GridTable>
      {rows.length > shown && (
        <Button variant="subtle" onClick={() => setShown((count) => count + AT_ONCE)}>
          {`Show more (${(rows.length - shown).toLocaleString('en')} left)`}
        </Button>
      )}
    </div>
  );
}
