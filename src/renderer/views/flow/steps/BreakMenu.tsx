import { Button, Popover } from '@mantine/core';
import { IconBug, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import type { BreakableStep } from '../mistakes/by-step.ts';
import { STEP_TITLES } from '../step-words.ts';
import classes from './BreakMenu.module.css';
import { MistakeList } from './MistakeList.tsx';
import steps from './Steps.module.css';
import { whileBusy } from '../../../ui/while-busy.ts';

interface BreakMenuProps {
  readonly step: BreakableStep;
  readonly busy: boolean;
  /** Whether the button shows its text. */
  readonly wide: boolean;
}

/** Deliberate mistakes, each with the expected response. */
export function BreakMenu({ step, busy, wide }: BreakMenuProps) {
  const [opened, setOpened] = useState(false);
  const label = `Break it: ${STEP_TITLES[step]}`;
  return (
    <Popover
      opened={opened && !busy}
      onChange={setOpened}
      position="right-start"
      width={390}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Button
          className={`${classes.target} ${steps.busy}`}
          variant={wide ? 'default' : 'subtle'}
          aria-label={label}
          title={wide ? '' : 'Break it'}
          data-wide={wide || undefined}
          onClick={() => setOpened(!opened && !busy)}
          {...(wide ? { rightSection: <IconChevronDown size="1.1em" /> } : {})}
          {...whileBusy(busy)}
        >
          {wide ? 'Break it' : <IconBug size="1.2em" />}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label={label}>
        <MistakeList step={step} onChoose={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
