import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { StepId } from '../flow-steps.ts';
import { changeFlow, useFlow } from '../flow-store.ts';
import { isBreakable } from '../mistakes/by-step.ts';
import { runStep } from '../run.ts';
import { STEP_TITLES } from '../step-words.ts';
import { BreakMenu } from './BreakMenu.tsx';
import classes from './Steps.module.css';
import { whileBusy } from '../../../ui/while-busy.ts';

interface StepActionsProps {
  readonly id: StepId;
  /** The open step has words on its buttons, the others icons. */
  readonly wide: boolean;
}

const toggleEditing = (id: StepId) => {
  changeFlow((state) => ({ ...state, editing: state.editing === id ? null : id }));
};

/** Steps with something to enter; reading a token and hammering take what is there. */
const EDITABLE: readonly StepId[] = [
  ...(['client', 'code', 'exchange', 'device', 'decide', 'poll', 'refresh', 'api'] as const),
  ...(['password', 'subject', 'swap', 'assertion', 'bearer'] as const),
];

/** The same buttons whether the step is open or not, so that the focus stays on the one pressed. */
export function StepActions({ id, wide }: StepActionsProps) {
  const busy = useFlow((state) => state.running !== null);
  const editing = useFlow((state) => state.editing === id);
  const title = STEP_TITLES[id];
  return (
    <div className={classes.actions} data-wide={wide || undefined}>
      <Button
        className={`${classes.run} ${classes.busy}`}
        variant={wide ? 'filled' : 'subtle'}
        onClick={() => void runStep(id)}
        aria-label={`Run: ${title}`}
        title={wide ? '' : 'Run'}
        {...whileBusy(busy)}
      >
        {wide ? 'Run' : <IconPlayerPlay size="1.2em" />}
      </Button>
      {isBreakable(id) && <BreakMenu step={id} busy={busy} wide={wide} />}
      {wide && EDITABLE.includes(id) && (
        <Button
          variant="subtle"
          onClick={() => {
            toggleEditing(id);
          }}
          aria-label={`Edit: ${title}`}
          aria-expanded={editing}
        >
          {editing ? 'Done' : 'Edit'}
        </Button>
      )}
    </div>
  );
}
