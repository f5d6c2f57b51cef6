import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { Sorting } from './arrange.ts';
import classes from './SortName.module.css';

interface SortNameProps {
  readonly name: string;
  /** By this column; null when the list is sorted by another one, or not at all. */
  readonly sorting: Sorting | null;
  readonly onPress: () => void;
}

/** A column's name that sorts by it. */
export function SortName({ name, sorting, onPress }: SortNameProps) {
  const Icon = sorting === null ? IconArrowsSort : sorting.descending ? IconArrowDown : IconArrowUp;
  return (
    <button type="button" className={classes.sort} onClick={onPress}>
      {name}
      <Icon aria-hidden="true" data-current={sorting !== null || undefined} />
    </button>
  );
}
