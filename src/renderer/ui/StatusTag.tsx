import type { ReactNode } from 'react';
import classes from './StatusTag.module.css';
import type { Tone } from './tone.ts';

/** A small word in a state's colour: an HTTP status, a verdict. The word carries the meaning. */
export function StatusTag({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
}) {
  return <span className={`${classes.tag} ${classes[tone]}`}>{children}</span>;
}
