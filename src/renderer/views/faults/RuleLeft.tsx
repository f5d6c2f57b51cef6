import { Button } from '@mantine/core';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { StatusTag } from '../../ui/StatusTag.tsx';
import { rearm } from './fault-actions.ts';
import classes from './Faults.module.css';
import { leftInWords, titleOf } from './rule-words.ts';

/** How many more requests a rule applies to; a rule that is used up can be armed again. */
export function RuleLeft({ rule }: { readonly rule: FaultState }) {
  if (rule.enabled && rule.remaining === 0) {
    return (
      <span className={classes.spent}>
        <StatusTag tone="muted">used up</StatusTag>
        <Button
          variant="subtle"
          onClick={() => void rearm(rule)}
          aria-label={`Arm again: ${titleOf(rule)}`}
        >
          Arm again
        </Button>
      </span>
    );
  }
  if (!rule.enabled) return <StatusTag tone="muted">off</StatusTag>;
  return <span className={classes.left}>{leftInWords(rule)}</span>;
}
