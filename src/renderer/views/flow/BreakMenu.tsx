import { Popover } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { WALK_STEPS, type WalkStepId } from '../../../scenario/walks.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { ActionButton } from '../../ui/buttons.tsx';
import classes from './Flow.module.css';

const MistakeList = lazyPart(async () => (await import('./MistakeList.tsx')).MistakeList);

/** These steps send no request of the client that could be wrong. */
const UNBREAKABLE: readonly WalkStepId[] = ['client', 'subject', 'assertion', 'token'];

export const isBreakable = (step: WalkStepId): boolean => !UNBREAKABLE.includes(step);

interface BreakMenuProps {
  readonly step: WalkStepId;
  readonly busy: boolean;
  /** Whether the step is open. */
  readonly wide: boolean;
}

/** Deliberate mistakes, each with the expected response. */
export function BreakMenu({ step, busy, wide }: BreakMenuProps) {
  const [opened, setOpened] = useState(false);
  const open = async () => {
    await MistakeList.load().catch(() => undefined);
    setOpened(true);
  };
  const shown = opened && !busy;
  const label = `Break it: ${WALK_STEPS[step].title}`;
  return (
    <Popover
      opened={shown}
      onChange={setOpened}
      position="right-start"
      width={390}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionButton
          variant={wide ? 'default' : 'subtle'}
          aria-label={label}
          onClick={() => (shown ? setOpened(false) : void open())}
          {...(wide ? { rightSection: <IconChevronDown size="1.1em" /> } : {})}
          busy={busy}
          needs="server"
        >
          Break it
        </ActionButton>
      </Popover.Target>
      <Popover.Dropdown
        p="var(--s1)"
        mah="min(60vh, 520px)"
        className={classes.scroll}
        aria-label={label}
      >
        <MistakeList step={step} onChoose={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
