import { Button, Menu, TextInput } from '@mantine/core';
import { IconBug, IconChevronDown, IconPlayerPlay, IconSearch } from '@tabler/icons-react';
import { Fragment, useState, type KeyboardEvent } from 'react';
import { filtered } from '../../../ui/grid/arrange.ts';
import { useChoice } from '../choice.ts';
import { answerInWords } from '../mistakes/answers.ts';
import { expectationOf, type Expectation } from '../mistakes/verdict.ts';
import type { Mistake } from '../mistakes/mistake.ts';
import { MISTAKES, type BreakableStep } from '../mistakes/by-step.ts';
import { runMistakes } from '../mistakes/run-all.ts';
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

interface Offered {
  readonly mistake: Mistake;
  /** Why it cannot be tried now, or null. */
  readonly blocked: string | null;
  readonly expected: Expectation;
}

const textOf = ({ mistake: { title, sends, section }, expected }: Offered): string =>
  `${title} ${sends} ${answerInWords(expected)} ${section}`;

/** From the field of the filter into the list below it. */
function toFirstItem(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown') return;
  const menu = event.currentTarget.closest('[role="menu"]');
  menu?.querySelector<HTMLElement>('[role="menuitem"]:not([data-disabled])')?.focus();
  event.preventDefault();
  event.stopPropagation();
}

function MistakeItem({
  step,
  offered,
}: {
  readonly step: BreakableStep;
  readonly offered: Offered;
}) {
  const { mistake, blocked, expected } = offered;
  return (
    <Menu.Item disabled={blocked !== null} onClick={() => void runMistake(step, mistake)}>
      <span className={classes.title}>{mistake.title}</span>
      <span className={classes.sends}>{blocked ?? mistake.sends}</span>
      <span className={classes.expects} data-ok={expected.error === null || undefined}>
        expected <b>{answerInWords(expected)}</b>
      </span>
    </Menu.Item>
  );
}

function MistakeItems({ step }: { readonly step: BreakableStep }) {
  const [text, setText] = useState('');
  const rules = useChoice();
  const material = materialOf(step);
  const offer = (mistake: Mistake): Offered => ({
    mistake,
    blocked: mistake.blocked?.(material) ?? null,
    expected: expectationOf(mistake, rules),
  });
  const groups = MISTAKES[step]
    .map(({ name, mistakes }) => ({ name, found: filtered(mistakes.map(offer), text, textOf) }))
    .filter(({ found }) => found.length > 0);
  const all = groups.flatMap(({ found }) => found.map(({ mistake }) => mistake));
  return (
    <>
      <div className={classes.filter}>
        <TextInput
          data-autofocus
          aria-label="Filter mistakes"
          placeholder="Filter mistakes"
          leftSection={<IconSearch size="1.1em" aria-hidden="true" />}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={toFirstItem}
        />
      </div>
      {all.length === 0 && (
        <Menu.Label role="status">No mistake matches “{text.trim()}”.</Menu.Label>
      )}
      {all.length > 1 && (
        <Menu.Item
          leftSection={<IconPlayerPlay size="1.1em" aria-hidden="true" />}
          onClick={() => void runMistakes(step, all)}
        >
          {text.trim() === ''
            ? `Run all ${all.length} mistakes`
            : `Run these ${all.length} mistakes`}
        </Menu.Item>
      )}
      {groups.map(({ name, found }) => (
        <Fragment key={name}>
          <Menu.Label>{name}</Menu.Label>
          {found.map((offered) => (
            <MistakeItem key={offered.mistake.id} step={step} offered={offered} />
          ))}
        </Fragment>
      ))}
    </>
  );
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
