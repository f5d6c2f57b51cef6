import { useState } from 'react';
import { Button } from '@mantine/core';
import type { Counter } from '../../../control/schemas.ts';
import { useSandboxNow } from '../../connection/clock.ts';
import { CounterRow } from './CounterRow.tsx';
import { sorted, type Sorting } from './counters.ts';
import { SortHeader } from './SortHeader.tsx';
import classes from './Throttling.module.css';

const AT_ONCE = 100;

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
  const sort = { sorting, onSort: setSorting };
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="Throttle counters">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Credential</th>
            <th scope="col">Client and IP</th>
            <SortHeader name="Used" by="used" {...sort} />
            <SortHeader name="Resets in" by="resets" {...sort} />
            <SortHeader name="Allowed" by="allowed" {...sort} />
            <SortHeader name="Blocked" by="blocked" {...sort} />
            <SortHeader name="Last seen" by="seen" {...sort} />
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((counter) => (
            <CounterRow
              key={counter.id}
              counter={counter}
              now={now}
              enforced={enforced}
              onRelease={() => onRelease(counter)}
            />
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <Button variant="subtle" onClick={() => setShown((count) => count + AT_ONCE)}>
          {`Show more (${(rows.length - shown).toLocaleString('en')} left)`}
        </Button>
      )}
    </div>
  );
}
