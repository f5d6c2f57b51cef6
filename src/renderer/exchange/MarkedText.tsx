import classes from './Why.module.css';

interface Marked {
  before: string;
  /** The part that is wrong; empty when something is missing there. */
  wrong: string;
  /** What should have stood there instead. */
  missing: string;
  after: string;
}

/** Where what came begins and ceases to differ from what was expected. */
function markDifference(expected: string | null, got: string, differs_at: number): Marked {
  const want = expected?.slice(differs_at) ?? '';
  const have = got.slice(differs_at);
  let same = 0;
  const most = Math.min(want.length, have.length);
  while (same < most && want.at(-1 - same) === have.at(-1 - same)) same += 1;
  return {
    before: got.slice(0, differs_at),
    wrong: have.slice(0, have.length - same),
    missing: want.slice(0, want.length - same),
    after: have.slice(have.length - same),
  };
}

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
