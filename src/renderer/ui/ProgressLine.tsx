import type { ReactNode } from 'react';
import classes from './ProgressLine.module.css';

interface ProgressLineProps {
  /** What is counted: "Requests answered". */
  readonly label: string;
  readonly done: number;
  readonly of: number;
  readonly words: string;
  /** The way to stop it. */
  readonly action: ReactNode;
}

/** How far something long has come: a bar, the count in words, and the way to stop it. */
export function ProgressLine({ label, done, of, words, action }: ProgressLineProps) {
  return (
    <div className={classes.line}>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={of}
        aria-valuenow={done}
      >
        <span style={{ width: `${(100 * done) / of}%` }} />
      </div>
      <span>{words}</span>
      {action}
    </div>
  );
}
