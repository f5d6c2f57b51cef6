import type { ReactNode } from 'react';
import { ProgressLine } from '../ui/ProgressLine.tsx';
import { pluralize } from '../ui/short-forms.ts';
import type { Run } from './tally.ts';

interface RunProgressProps {
  readonly run: Run;
  /** The way to stop it. */
  readonly action: ReactNode;
}

/** How many of a run's requests are answered. */
export function RunProgress({ run: { tally, goal }, action }: RunProgressProps) {
  return (
    <ProgressLine
      label="Requests answered"
      done={tally.sent}
      of={goal}
      words={`${tally.sent.toLocaleString('en')} of ${pluralize(goal, 'request')} answered`}
      action={action}
    />
  );
}
