import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Cited } from '../../ui/citation/Cited.tsx';
import { answerInWords, type Verdict } from './mistake.ts';
import classes from './Verdict.module.css';

/** What a deliberate mistake was announced to bring, and whether it did. */
export function VerdictLine({ verdict }: { readonly verdict: Verdict }) {
  const { title, expected, got, came } = verdict;
  const Icon = came ? IconCircleCheck : IconCircleX;
  return (
    <p className={classes.verdict} data-came={came}>
      <Icon aria-hidden="true" />
      <span>
        <b>{title}:</b> announced {answerInWords(expected)} (<Cited text={expected.section} />
        ); <b>{came ? 'it came' : `got ${answerInWords(got)}`}</b>
      </span>
    </p>
  );
}
