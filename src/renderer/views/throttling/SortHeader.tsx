import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { SortKey, Sorting } from './counters.ts';
import classes from './Throttling.module.css';

interface SortHeaderProps {
  readonly name: string;
  readonly by: SortKey;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}

/** A column's name that sorts by it: most first, then least first. */
export function SortHeader({ name, by, sorting, onSort }: SortHeaderProps) {
  const current = sorting.key === by;
  const order = sorting.descending ? 'descending' : 'ascending';
  const Icon = !current ? IconArrowsSort : sorting.descending ? IconArrowDown : IconArrowUp;
  return (
    <th scope="col" className={classes.number} aria-sort={current ? order : 'none'}>
      <button
        type="button"
        className={classes.sort}
        onClick={() => onSort({ key: by, descending: current ? !sorting.descending : true })}
      >
        {name}
        <Icon aria-hidden="true" data-current={current || undefined} />
      </button>
    </th>
  );
}
