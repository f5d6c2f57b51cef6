import { Button } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { pluralize } from '../../ui/short-forms.ts';
import { page } from '../../connection/state.ts';
import { moveFault } from './fault-actions.ts';
import classes from './Faults.module.css';
import { shadowOf } from './queue.ts';
import type { Direction } from './direction.ts';
import { RuleRow } from './RuleRow.tsx';
import { titleOf } from './rule-words.ts';
import table from '../../ui/table.module.css';

interface RuleTableProps {
  readonly rules: readonly FaultState[];
  readonly open: string | null;
}

/** Moving a row in the document takes its focus away: it is given back to the button that moved it. */
function useMoving(rules: readonly FaultState[]) {
  const body = useRef<HTMLTableSectionElement>(null);
  const moved = useRef<{ id: string; direction: Direction } | null>(null);
  const [told, setTold] = useState('');
  useEffect(() => {
    const wanted = moved.current;
    if (wanted === null) return;
    moved.current = null;
    const buttons = body.current?.querySelectorAll<HTMLElement>(`[data-move=${wanted.direction}]`);
    [...(buttons ?? [])].find((button) => button.dataset['rule'] === wanted.id)?.focus();
  }, [rules]);
  const move = useCallback((rule: FaultState, direction: Direction) => {
    const { faults } = page.getState();
    const index = faults.findIndex(({ id }) => id === rule.id);
    const position = direction === 'up' ? index - 1 : index + 1;
    if (index < 0 || position < 0 || position >= faults.length) return;
    moved.current = { id: rule.id, direction };
    void moveFault(rule, position).then((done) => {
      if (done) setTold(`${titleOf(rule)} is now rule ${position + 1} of ${faults.length}`);
    });
  }, []);
  return { body, told, move };
}

/** Rows drawn at once; the others follow when they are asked for. */
const AT_ONCE = 50;

/** A rule that was just added, and stands last, comes into sight. */
function useRoom(count: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(AT_ONCE);
  const [known, setKnown] = useState(count);
  if (count !== known) {
    setKnown(count);
    if (count > known) setShown(Math.max(shown, count));
  }
  const before = useRef(count);
  useEffect(() => {
    const more = count > before.current;
    before.current = count;
    if (more) scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [count]);
  return { scroller, shown, showAll: () => setShown(count) };
}

/** The rules in matching order. */
export function RuleTable({ rules, open }: RuleTableProps) {
  const { body, told, move } = useMoving(rules);
  const { scroller, shown, showAll } = useRoom(rules.length);
  const hidden = rules.length - shown;
  return (
    <div className={classes.scroll} ref={scroller}>
      <table className={`${table.table} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Order</span>
            </th>
            <th scope="col">On</th>
            <th scope="col">Rule</th>
            <th scope="col" className={classes.minor}>
              Left
            </th>
            <th scope="col" className={`${table.number} ${classes.minor}`}>
              Hits
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rules.slice(0, shown).map((rule, index) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              place={index + 1}
              last={index === rules.length - 1}
              shadow={shadowOf(rules, index)}
              open={rule.id === open}
              onMove={move}
            />
          ))}
        </tbody>
      </table>
      {hidden > 0 && (
        <Button variant="subtle" onClick={showAll}>
          Show all ({pluralize(hidden, 'rule')} left)
        </Button>
      )}
      <p className="visually-hidden" role="status">
        {told}
      </p>
    </div>
  );
}
