import { IconAlertTriangle } from '@tabler/icons-react';
import { sentence } from '../ui/problems.ts';
import classes from './Inspector.module.css';

/** What is wrong with one part of a token, shown inside it. */
export function PartProblems({ problems }: { readonly problems: readonly string[] }) {
  return problems.map((problem) => (
    <p key={problem} className={classes.problem}>
      <IconAlertTriangle aria-hidden="true" />
      {sentence(`it ${problem}`)}
    </p>
  ));
}
