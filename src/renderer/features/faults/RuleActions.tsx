import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconCopyPlus,
  IconDots,
  IconPencil,
  IconTargetArrow,
  IconTrash,
} from '@tabler/icons-react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { copyItem } from '../../draft-route.ts';
import { navigate } from '../../route.ts';
import { page } from '../../state.ts';
import { deleteFault } from './fault-actions.ts';
import classes from './Faults.module.css';
import type { Direction } from './RuleRow.tsx';
import { isArmed, titleOf } from './rule-words.ts';
import { fireAt } from './test-fire.ts';
import { shotFor, shotInWords } from './test-shot.ts';

interface RuleActionsProps {
  readonly rule: FaultState;
  readonly first: boolean;
  readonly last: boolean;
  /** Whether a request is on its way already. */
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
    <Tooltip label={`Move ${direction} (Alt ${direction === 'up' ? '↑' : '↓'})`}>
      <ActionIcon
        className={classes.move}
        aria-label={`Move ${direction}: ${titleOf(rule)}`}
        aria-keyshortcuts={`Alt+${key}`}
        aria-disabled={end || undefined}
        data-move={direction}
        data-rule={rule.id}
        onClick={onMove}
      >
        <Shape size={ICON} />
      </ActionIcon>
    </Tooltip>
  );
}

function TryButton({ rule, waiting }: Pick<RuleActionsProps, 'rule' | 'waiting'>) {
  const idle = !isArmed(rule);
  const shot = shotInWords(shotFor(rule, page.getState().clients));
  const label = idle ? 'Arm it to try it' : `Try it: send ${shot}`;
  return (
    <Tooltip label={label} multiline maw="22rem">
      <ActionIcon
        aria-label={`Try: ${titleOf(rule)}`}
        aria-disabled={idle || waiting || undefined}
        className={classes.move}
        onClick={() => {
          if (!idle && !waiting) void fireAt(rule);
        }}
      >
        <IconTargetArrow size={ICON} />
      </ActionIcon>
    </Tooltip>
  );
}

/** What can be done to one rule. */
export function RuleActions({ rule, first, last, waiting, onMove }: RuleActionsProps) {
  return (
    <span className={classes.actions}>
      <TryButton rule={rule} waiting={waiting} />
      <MoveButton rule={rule} direction="up" end={first} onMove={() => onMove('up')} />
      <MoveButton rule={rule} direction="down" end={last} onMove={() => onMove('down')} />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={`More: ${titleOf(rule)}`}>
            <IconDots size={ICON} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPencil size={ICON} aria-hidden="true" />}
            onClick={() => void navigate('faults', rule.id)}
          >
            Edit
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopyPlus size={ICON} aria-hidden="true" />}
            onClick={() => void navigate('faults', copyItem(rule.id))}
          >
            Duplicate
          </Menu.Item>
          {!first && (
            <Menu.Item
              leftSection={<IconArrowUp size={ICON} aria-hidden="true" />}
              onClick={() => onMove('up')}
            >
              Move up
            </Menu.Item>
          )}
          {!last && (
            <Menu.Item
              leftSection={<IconArrowDown size={ICON} aria-hidden="true" />}
              onClick={() => onMove('down')}
            >
              Move down
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconTrash size={ICON} aria-hidden="true" />}
            onClick={() => void deleteFault(rule)}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}
