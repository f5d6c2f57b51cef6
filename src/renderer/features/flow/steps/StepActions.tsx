import { ActionIcon, Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { StepId } from '../flow-state.ts';
import { changeFlow, useFlow } from '../flow-store.ts';
import { runStep } from '../run.ts';
import { STEP_TITLES } from '../step-words.ts';
import { BreakMenu } from './BreakMenu.tsx';
import classes from './Steps.module.css';

interface StepActionsProps {
  readonly id: StepId;
  /** The open step has words on its buttons, the others icons. */
  readonly wide: boolean;
}

const toggleEditing = (id: StepId) =>
  changeFlow((state) => ({ ...state, editing: state.editing === id ? null : id }));

/** Steps with something to enter; reading a token and hammering take what is there. */
const EDITABLE: readonly StepId[] = ['client', 'code', 'exchange', 'refresh'];

export function StepActions({ id, wide }: StepActionsProps) {
  const busy = useFlow((state) => state.running !== null);
  const editing = useFlow((state) => state.editing === id);
  const run = () => void runStep(id);
  const breakable = id === 'exchange' || id === 'refresh';
  const title = STEP_TITLES[id];
  return (
    <div className={wide ? classes.actions : classes.icons}>
      {wide && (
        <Button variant="filled" onClick={run} disabled={busy} aria-label={`Run: ${title}`}>
          Run
        </Button>
      )}
      {breakable && <BreakMenu step={id} disabled={busy} wide={wide} />}
      {!wide && (
        <ActionIcon
          size={24}
          onClick={run}
          disabled={busy}
          title="Run"
          aria-label={`Run: ${title}`}
        >
          <IconPlayerPlay size="1.1em" />
        </ActionIcon>
      )}
      {wide && EDITABLE.includes(id) && (
        <Button
          variant="subtle"
          onClick={() => toggleEditing(id)}
          aria-label={`Edit: ${title}`}
          aria-expanded={editing}
        >
          {editing ? 'Done' : 'Edit'}
        </Button>
      )}
    </div>
  );
}
