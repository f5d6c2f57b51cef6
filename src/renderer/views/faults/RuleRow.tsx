import { Switch } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { memo, type KeyboardEvent, type MouseEvent } from 'react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import table from '../../ui/table.module.css';
import { StatusTag } from '../../ui/StatusTag.tsx';
import { setEnabled } from './fault-actions.ts';
import classes from './Faults.module.css';
import type { Direction } from './direction.ts';
import { FireResult } from './FireResult.tsx';
import { RuleActions } from './RuleActions.tsx';
import { RuleLeft } from './RuleLeft.tsx';
import {
  chanceInWords,
  isArmed,
  matchInWords,
  titleOf,
  WHEN_SHORT,
  whatInWords,
} from './rule-words.ts';
import { useFire } from './test-fire.ts';

interface RuleRowProps {
  readonly rule: FaultState;
  /** Counted from 1. */
  readonly place: number;
  readonly last: boolean;
  /** The rule before it that leaves nothing to it. */
  readonly shadow: FaultState | null;
  readonly open: boolean;
  readonly onMove: (rule: FaultState, direction: Direction) => void;
}

const KEYS: Readonly<Record<string, Direction>> = { ArrowUp: 'up', ArrowDown: 'down' };

function RuleWords({ rule, shadow }: Pick<RuleRowProps, 'rule' | 'shadow'>) {
  const chance = chanceInWords(rule.probability);
  return (
    <>
      <span className={classes.words}>
        {matchInWords(rule.match)}
        {chance !== '' && `, ${chance}`} <span aria-hidden="true">→</span>
        <span className="visually-hidden">:</span> <b>{whatInWords(rule)}</b>
      </span>
      {shadow !== null && (
        <span className={classes.shadow}>
          <IconAlertTriangle size="1.1em" aria-hidden="true" /> Never applied: “{titleOf(shadow)}”
          matches all of these first
        </span>
      )}
    </>
  );
}

/** One rule: its switch, what it does to whom, how often it still applies, and the result of a test. */
export const RuleRow = memo(function RuleRow(props: RuleRowProps) {
  const { rule, place, last, shadow, open, onMove } = props;
  const fire = useFire(rule.id);
  const title = titleOf(rule);
  const go = (event: MouseEvent) => {
    event.preventDefault();
    void navigate('faults', rule.id);
  };
  const moveByKey = (event: KeyboardEvent) => {
    const direction = event.altKey ? KEYS[event.key] : undefined;
    if (direction === undefined) return;
    event.preventDefault();
    onMove(rule, direction);
  };
  return (
    <>
      <tr
        className={classes.rule}
        data-open={open || undefined}
        data-idle={!isArmed(rule) || undefined}
        onKeyDown={moveByKey}
      >
        <td className={classes.place}>{place}</td>
        <td>
          <Switch
            aria-label={`${title}: armed`}
            checked={rule.enabled}
            onChange={(event) => void setEnabled(rule, event.currentTarget.checked)}
          />
        </td>
        <th scope="row" className={classes.about}>
          <span className={classes.title}>
            <a
              className={classes.name}
              href={hrefOf('faults', rule.id)}
              aria-current={open || undefined}
              onClick={go}
            >
              {title}
            </a>
            <StatusTag tone={rule.when === 'after' ? 'info' : 'muted'}>
              {WHEN_SHORT[rule.when]}
            </StatusTag>
          </span>
          <RuleWords rule={rule} shadow={shadow} />
        </th>
        <td className={classes.minor}>
          <RuleLeft rule={rule} />
        </td>
        <td className={`${table.number} ${classes.minor}`}>{rule.hits.toLocaleString('en')}</td>
        <td className={classes.act}>
          <RuleActions
            rule={rule}
            first={place === 1}
            last={last}
            waiting={fire?.state === 'waiting'}
            onMove={(direction) => onMove(rule, direction)}
          />
        </td>
      </tr>
      {fire !== null && (
        <tr className={classes.fired}>
          <td colSpan={6}>
            <FireResult rule={rule} fire={fire} />
          </td>
        </tr>
      )}
    </>
  );
});
