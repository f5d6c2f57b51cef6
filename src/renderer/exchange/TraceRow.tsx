import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import type { Check } from '../../control/schemas.ts';
import { Cited } from '../ui/links.tsx';
import { Linked } from './Linked.tsx';
import { MarkedText } from './MarkedText.tsx';
import classes from './Why.module.css';

const VERDICTS = {
  passed: { Icon: IconCheck, word: 'passed' },
  tolerated: { Icon: IconAlertTriangle, word: 'tolerated' },
  failed: { Icon: IconX, word: 'failed' },
  not_reached: { Icon: IconMinus, word: 'not reached' },
} as const;

interface TraceRowProps {
  readonly check: Check;
  /** Where `got` begins to differ; only of the check that failed. */
  readonly differs_at: number | null;
}

/** One check: its verdict, its rule, where that stands, and on failure what was expected and came. */
export function TraceRow({ check, differs_at }: TraceRowProps) {
  const verdict = check.tolerated ? 'tolerated' : check.verdict;
  const { Icon, word } = VERDICTS[verdict];
  const { expected, got } = check;
  const compared = check.verdict === 'failed' && (expected !== null || got !== null);
  return (
    <li className={classes.check} data-verdict={verdict}>
      <Icon className={classes.verdict} aria-hidden="true" stroke={2} />
      <span className={classes.rule}>
        <span className="visually-hidden">{word}: </span>
        {check.rule}
        {check.tolerated && (
          <span className={classes.note}> only tolerated: strict rejects this</span>
        )}
        {check.note !== null && (
          <span className={classes.note}>
            {' '}
            <Linked sentence={check.note} />
          </span>
        )}
      </span>
      <span className={classes.section}>
        {check.verdict === 'not_reached' ? 'not reached' : <Cited text={check.section} />}
      </span>
      {compared && (
        <dl className={classes.compared}>
          {expected !== null && (
            <>
              <dt>expected</dt>
              <dd>{expected}</dd>
            </>
          )}
          {got !== null && (
            <>
              <dt>got</dt>
              <dd>
                {differs_at === null ? (
                  <Linked sentence={got} />
                ) : (
                  <MarkedText expected={expected} got={got} differs_at={differs_at} />
                )}
              </dd>
            </>
          )}
        </dl>
      )}
    </li>
  );
}
