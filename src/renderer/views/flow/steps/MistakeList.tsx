import { TextInput } from '@mantine/core';
import { IconPlayerPlay, IconSearch } from '@tabler/icons-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { filtered } from '../../../ui/grid/arrange.ts';
import { useChoice } from '../choice.ts';
import { answerInWords } from '../mistakes/answers.ts';
import { MISTAKES, type BreakableStep } from '../mistakes/by-step.ts';
import type { Mistake } from '../mistakes/mistake.ts';
import { runMistakes } from '../mistakes/run-all.ts';
import { materialOf, runMistake } from '../mistakes/run.ts';
import { expectationOf, type Expectation } from '../mistakes/verdict.ts';
import classes from './MistakeList.module.css';

interface Offered {
  readonly mistake: Mistake;
  /** Why it cannot be tried now, or null. */
  readonly blocked: string | null;
  readonly expected: Expectation;
}

const textOf = ({ mistake: { title, sends, section }, expected }: Offered): string =>
  `${title} ${sends} ${answerInWords(expected)} ${section}`;

/** Up and down lead from the filter through the list and back. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, [role="menuitem"]')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[(at + by + stops.length) % stops.length]?.focus();
  event.preventDefault();
}

interface ItemProps {
  readonly blocked: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

const Item = ({ blocked, onChoose, children }: ItemProps) => (
  <button
    type="button"
    role="menuitem"
    className={classes.item}
    aria-disabled={blocked || undefined}
    onClick={blocked ? undefined : onChoose}
  >
    {children}
  </button>
);

function MistakeWords({ mistake, blocked, expected }: Offered) {
  return (
    <>
      <span className={classes.title}>{mistake.title}</span>
      <span className={classes.sends}>{blocked ?? mistake.sends}</span>
      <span className={classes.expects} data-ok={expected.error === null || undefined}>
        expected <b>{answerInWords(expected)}</b>
      </span>
    </>
  );
}

interface MistakeListProps {
  readonly step: BreakableStep;
  readonly onChoose: () => void;
}

/** The mistakes of a step, those first of all that a filter leaves. */
export function MistakeList({ step, onChoose }: MistakeListProps) {
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
  const choose = (run: () => Promise<void>) => () => {
    onChoose();
    void run();
  };
  return (
    <div onKeyDown={moveFocus}>
      <TextInput
        data-autofocus
        className={classes.filter ?? ''}
        aria-label="Filter mistakes"
        placeholder="Filter mistakes"
        leftSection={<IconSearch size="1.1em" aria-hidden="true" />}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {all.length === 0 ? (
        <p className={classes.label} role="status">
          No mistake matches “{text.trim()}”.
        </p>
      ) : (
        <div role="menu" aria-label="Mistakes">
          {all.length > 1 && (
            <Item blocked={false} onChoose={choose(() => runMistakes(step, all))}>
              <span className={classes.all}>
                <IconPlayerPlay size="1.1em" aria-hidden="true" />
                {text.trim() === ''
                  ? `Run all ${all.length} mistakes`
                  : `Run these ${all.length} mistakes`}
              </span>
            </Item>
          )}
          {groups.map(({ name, found }) => (
            <div key={name} role="group" aria-label={name}>
              <div className={classes.label} aria-hidden="true">
                {name}
              </div>
              {found.map((offered) => (
                <Item
                  key={offered.mistake.id}
                  blocked={offered.blocked !== null}
                  onChoose={choose(() => runMistake(step, offered.mistake))}
                >
                  <MistakeWords {...offered} />
                </Item>
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
