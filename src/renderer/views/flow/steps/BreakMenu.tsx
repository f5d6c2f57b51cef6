import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconBug } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useChoice } from '../choice.ts';
import { answerInWords } from '../mistakes/answers.ts';
import { expectationOf } from '../mistakes/verdict.ts';
import type { Mistake } from '../mistakes/mistake.ts';
import { MISTAKES, type BreakableStep } from '../mistakes/by-step.ts';
import { materialOf, runMistake } from '../mistakes/run.ts';
import { STEP_TITLES } from '../step-words.ts';
import classes from './BreakMenu.module.css';
import steps from './Steps.module.css';
import { whileBusy } from '../../../ui/while-busy.ts';

interface BreakMenuProps {
  readonly step: BreakableStep;
  readonly busy: boolean;
  /** Whether the button shows its text. */
  readonly wide: boolean;
}

function MistakeItems({ step }: { readonly step: BreakableStep }) {
  const { profile, dialect, mode } = useChoice();
  const material = materialOf(step);
  const item = (mistake: Mistake) => {
    const blocked = mistake.blocked?.(material) ?? null;
    const expected = expectationOf(mistake, { profile, dialect, mode });
    return (
      <Menu.Item
        key={mistake.id}
        disabled={blocked !== null}
        onClick={() => void runMistake(step, mistake)}
      >
        <span className={classes.title}>{mistake.title}</span>
        <span className={classes.sends}>{blocked ?? mistake.sends}</span>
        <span className={classes.expects} data-ok={expected.error === null || undefined}>
          expected <b>{answerInWords(expected)}</b>
        </span>
      </Menu.Item>
    );
  };
  return MISTAKES[step].map(({ name, mistakes }) => (
    <Fragment key={name}>
      <Menu.Label>{name}</Menu.Label>
      {mistakes.map(item)}
    </Fragment>
  ));
}

/** Deliberate mistakes, each with the expected response. */
export function BreakMenu({ step, busy, wide }: BreakMenuProps) {
  const label = `Break it: ${STEP_TITLES[step]}`;
  return (
    <Menu
      disabled={busy}
      position="right-start"
      width={390}
      menuItemTabIndex={0}
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: classes.dropdown, item: classes.item, label: classes.label }}
    >
      <Menu.Target>
        <Button
          className={`${classes.target} ${steps.busy}`}
          variant={wide ? 'default' : 'subtle'}
          aria-label={label}
          title={wide ? '' : 'Break it'}
          data-wide={wide || undefined}
          {...(wide ? { rightSection: <IconChevronDown size="1.1em" /> } : {})}
          {...whileBusy(busy)}
        >
          {wide ? 'Break it' : <IconBug size="1.2em" />}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <MistakeItems step={step} />
      </Menu.Dropdown>
    </Menu>
  );
}
