import { COLUMN_IDS, COLUMN_TITLES } from './columns.ts';
import classes from './Table.module.css';

export function TableHead() {
  return (
    <div role="row" aria-rowindex={1} className={`${classes.row} ${classes.head}`}>
      {COLUMN_IDS.map((column) => (
        <span key={column} role="columnheader" className={classes[column]}>
          {COLUMN_TITLES[column]}
        </span>
      ))}
    </div>
  );
}
