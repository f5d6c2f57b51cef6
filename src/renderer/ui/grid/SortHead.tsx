import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { Sorting } from './arrange.ts';
import classes from './SortHead.module.css';

interface SortHeadProps<K extends string> {
  readonly name: string;
  readonly by: K;
  readonly sorting: Sorting<K> | null;
  readonly onSort: (by: K) => void;
  readonly className?: string | undefined;
}

/** A column's name that sorts by it. */
export function SortHead<K extends string>(props: SortHeadProps<K>) {
  const { name, by, sorting, onSort, className } = props;
  const current = sorting?.key === by ? sorting : null;
  const order = current?.descending === true ? 'descending' : 'ascending';
  const Icon = current === null ? IconArrowsSort : current.descending ? IconArrowDown : IconArrowUp;
  return (
    <th scope="col" className={className} aria-sort={current === null ? 'none' : order}>
      <button type="button" className={classes.sort} onClick={() => onSort(by)}>
        {name}
        <Icon aria-hidden="true" data-current={current !== null || undefined} />
      </button>
    </th>
  );
}
