import { Button } from '@mantine/core';
import { pluralize } from '../../../ui/short-forms.ts';
import classes from './Saved.module.css';
import type { Unconverted } from '../../../saved/saved-flow.ts';
import { dismissUnconverted } from './saved-store.ts';

/** Flows of an earlier version that are no scenarios, each with its reason. */
export function UnconvertedFlows({ all }: { readonly all: readonly Unconverted[] }) {
  return (
    <section className={classes.unconverted} aria-label="Flows that could not be converted">
      <p>
        {pluralize(all.length, 'flow')} of an earlier version could not be converted to scenarios.
        The originals were not deleted.
      </p>
      <ul>
        {all.map(({ name, reason }, index) => (
          <li key={index}>
            <b>{name}:</b> {reason}.
          </li>
        ))}
      </ul>
      <Button variant="subtle" onClick={dismissUnconverted}>
        Dismiss
      </Button>
    </section>
  );
}
