import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { StepStatus } from '../flow-state.ts';
import classes from './Steps.module.css';

const WORDS: Record<StepStatus, string> = {
  todo: 'not run',
  running: 'running',
  ok: 'done',
  refused: 'failed',
};

/** The step's number until it has been run, then its result. */
export function StepMark({
  number,
  status,
}: {
  readonly number: number;
  readonly status: StepStatus;
}) {
  return (
    <span className={classes.mark} data-status={status}>
      {status === 'ok' && <IconCheck aria-hidden="true" stroke={2.4} />}
      {status === 'refused' && <IconAlertTriangle aria-hidden="true" stroke={2} />}
      {(status === 'todo' || status === 'running') && number}
      <span className="visually-hidden">{WORDS[status]}</span>
    </span>
  );
}
