import { markDifference } from './differing.ts';
import classes from './Why.module.css';

interface MarkedTextProps {
  readonly expected: string | null;
  readonly got: string;
  readonly differs_at: number;
}

/** What came, with the part that differs marked, to the eye and in words. */
export function MarkedText({ expected, got, differs_at }: MarkedTextProps) {
  const { before, wrong, missing, after } = markDifference(expected, got, differs_at);
  return (
    <>
      {before}
      {wrong === '' ? (
        <mark className={classes.gap}>
          <span className="visually-hidden">missing here: </span>
          {missing}
        </mark>
      ) : (
        <mark className={classes.wrong}>
          <span className="visually-hidden">differs from here: </span>
          {wrong}
        </mark>
      )}
      {after}
    </>
  );
}
