import { useEffect, useRef, useState } from 'react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { moveFault } from './fault-actions.ts';
import classes from './Faults.module.css';
import { shadowOf } from './queue.ts';
import { RuleRow, type Direction } from './RuleRow.tsx';
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
  const move = (index: number, direction: Direction) => {
    const rule = rules[index];
    const position = direction === 'up' ? index - 1 : index + 1;
    if (rule === undefined || position < 0 || position >= rules.length) return;
    moved.current = { id: rule.id, direction };
    void moveFault(rule, position).then((done) => {
      if (done) setTold(`${titleOf(rule)} is rule ${position + 1} of ${rules.length} now`);
    });
  };
  return { body, told, move };
}

/** A rule that was just added comes into sight. */
function useNewestInSight(rules: readonly FaultState[]) {
  const scroller = useRef<HTMLDivElement>(null);
  const known = useRef(rules.length);
  useEffect(() => {
    const more = rules.length > known.current;
    known.current = rules.length;
    if (more) scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [rules.length]);
  return scroller;
}

/** The rules in matching order. */
export function RuleTable({ rules, open }: RuleTableProps) {
  const { body, told, move } = useMoving(rules);
  const scroller = useNewestInSight(rules);
  return (
    <div className={classes.scroll} ref={scroller}>
      <table className={`${table.table} ${classes.table}`}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Place</span>
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
          {rules.map((rule, index) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              place={index + 1}
              last={index === rules.length - 1}
              shadow={shadowOf(rules, index)}
              open={rule.id === open}
              onMove={(direction) => move(index, direction)}
            />
          ))}
        </tbody>
      </table>
      <p className="visually-hidden" role="status">
        {told}
      </p>
    </div>
  );
}
