import { ColumnHandle } from '../../ui/columns/ColumnHandle.tsx';
import { COLUMN_IDS, COLUMN_TITLES } from './columns.ts';
import classes from './Table.module.css';

/** The last column takes what is left. */
const SIZED = COLUMN_IDS.slice(0, -1);

export function TableHead() {
  return (
    <div role="row" aria-rowindex={1} className={`${classes.row} ${classes.head}`}>
      {COLUMN_IDS.map((column, index) => (
        <span
          key={column}
          role="columnheader"
          aria-label={COLUMN_TITLES[column]}
          className={classes[column]}
        >
          {COLUMN_TITLES[column]}
          {index < SIZED.length && (
            <ColumnHandle
              table="traffic"
              column={column}
              title={COLUMN_TITLES[column]}
              first={index === 0}
            />
          )}
        </span>
      ))}
    </div>
  );
}
