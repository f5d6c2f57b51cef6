import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Cited } from '../../ui/citation/Cited.tsx';
import { answerInWords } from './mistakes/answers.ts';
import type { Verdict } from './mistakes/verdict.ts';
import classes from './Verdict.module.css';

/** The response expected for a deliberate mistake, and whether it matched. */
export function VerdictLine({ verdict }: { readonly verdict: Verdict }) {
  const { title, expected, got, came } = verdict;
  const Icon = came ? IconCircleCheck : IconCircleX;
  return (
    <p className={classes.verdict} data-came={came}>
      <Icon aria-hidden="true" />
      <span>
        <b>{title}:</b> expected {answerInWords(expected)}{' '}
        <span className={classes.rule}>
          (<Cited text={expected.section} />
          );
        </span>{' '}
        <b>{came ? 'matched' : `actual ${answerInWords(got)}`}</b>
      </span>
    </p>
  );
}
