import type { ReactNode } from 'react';
import { wentWell } from './status.ts';
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

/** The tone of an HTTP status; 0, which no answer has, is as bad as a refusal. */
export function toneOf(status: number): Tone {
  if (status === 429) return 'warn';
  return wentWell(status) ? 'ok' : 'bad';
}
