import { ActionIcon } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTargetArrow, IconTrash } from '@tabler/icons-react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { usePage } from '../../connection/state.ts';
import type { Direction } from './direction.ts';
import { deleteFault } from './fault-actions.ts';
import classes from './Faults.module.css';
import { isArmed, titleOf } from './rule-words.ts';
import { fireAt } from './test-fire.ts';
import { shotFor, shotInWords } from './test-shot.ts';

interface RuleActionsProps {
  readonly rule: FaultState;
  readonly first: boolean;
  readonly last: boolean;
  /** Whether a test request is already running. */
  readonly waiting: boolean;
  readonly onMove: (direction: Direction) => void;
}

const ICON = '1.15em';

interface MoveButtonProps {
  readonly rule: FaultState;
  readonly direction: Direction;
  readonly end: boolean;
  readonly onMove: () => void;
}

/** At its end it does nothing, and keeps the focus of who pressed it. */
function MoveButton({ rule, direction, end, onMove }: MoveButtonProps) {
  const Shape = direction === 'up' ? IconArrowUp : IconArrowDown;
  const key = direction === 'up' ? 'ArrowUp' : 'ArrowDown';
  return (
    <ActionIcon
      className={classes.move}
      aria-label={`Move ${direction}: ${titleOf(rule)}`}
      title={`Move ${direction} (Alt ${direction === 'up' ? '↑' : '↓'})`}
      aria-keyshortcuts={`Alt+${key}`}
      aria-disabled={end || undefined}
      data-move={direction}
      data-rule={rule.id}
      onClick={onMove}
    >
      <Shape size={ICON} />
    </ActionIcon>
  );
}

function TestButton({ rule, waiting }: Pick<RuleActionsProps, 'rule' | 'waiting'>) {
  const clients = usePage((state) => state.clients);
  const idle = !isArmed(rule);
  const label = idle
    ? 'Arm the rule to test it'
    : `Test: send ${shotInWords(shotFor(rule, clients))}`;
  return (
    <ActionIcon
      aria-label={`Test: ${titleOf(rule)}`}
      title={label}
      aria-disabled={idle || waiting || undefined}
      className={classes.move}
      onClick={() => {
        if (!idle && !waiting) void fireAt(rule);
      }}
    >
      <IconTargetArrow size={ICON} />
    </ActionIcon>
  );
}

/** What can be done to one rule. No tooltips: there may be 200 rules. */
export function RuleActions({ rule, first, last, waiting, onMove }: RuleActionsProps) {
  return (
    <span className={classes.actions}>
      <TestButton rule={rule} waiting={waiting} />
      <MoveButton rule={rule} direction="up" end={first} onMove={() => onMove('up')} />
      <MoveButton rule={rule} direction="down" end={last} onMove={() => onMove('down')} />
      <ActionIcon
        className={classes.delete}
        aria-label={`Delete: ${titleOf(rule)}`}
        title="Delete"
        onClick={() => void deleteFault(rule)}
      >
        <IconTrash size={ICON} />
      </ActionIcon>
    </span>
  );
}
