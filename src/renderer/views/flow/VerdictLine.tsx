import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Cited } from '../../ui/links.tsx';
import type { Verdict } from './run-results.ts';
import classes from './Verdict.module.css';

/** The response expected for a deliberate mistake, and whether it matched. */
export function VerdictLine({ verdict }: { readonly verdict: Verdict }) {
  const { title, section, expected, actual, passed } = verdict;
  const Icon = passed ? IconCircleCheck : IconCircleX;
  return (
    <p className={classes.verdict} data-passed={passed}>
      <Icon aria-hidden="true" />
      <span>
        <b>{title}:</b> expected {expected}{' '}
        <span className={classes.rule}>
          (<Cited text={section} />
          );
        </span>{' '}
        <b>{passed ? 'matched' : `actual ${actual}`}</b>
      </span>
    </p>
  );
}
