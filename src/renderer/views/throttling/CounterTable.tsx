import { useState } from 'react';
import { Button } from '@mantine/core';
import type { Counter } from '../../../control/schemas.ts';
import { useSandboxNow } from '../../connection/clock.ts';
import { CounterRow } from './CounterRow.tsx';
import { sorted, type Sorting, type SortKey } from './counters.ts';
import { SortHead } from '../../ui/grid/SortHead.tsx';
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
  // Most first, then least first.
  const onSort = (key: SortKey) =>
    setSorting({ key, descending: sorting.key === key ? !sorting.descending : true });
  const sort = { sorting, onSort, className: classes.number };
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="Throttle counters">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Credential</th>
            <th scope="col">Client and IP</th>
            <SortHead name="Used" by="used" {...sort} />
            <SortHead name="Resets in" by="resets" {...sort} />
            <SortHead name="Allowed" by="allowed" {...sort} />
            <SortHead name="Blocked" by="blocked" {...sort} />
            <SortHead name="Last seen" by="seen" {...sort} />
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
