import { IconBolt } from '@tabler/icons-react';
import type { Exchange } from '../../control/schemas.ts';
import { usePage } from '../connection/state.ts';
import { ViewLink } from '../ui/ViewLink.tsx';
import classes from './Why.module.css';

/** The fault on demand that the request ran into: not the service's doing, but a rule's. */
export function FaultBox({ exchange: { fault } }: { readonly exchange: Exchange }) {
  const known = usePage((state) => state.faults.some(({ id }) => id === fault?.id));
  if (fault === null) return null;
  const name = fault.name === '' ? fault.id : fault.name;
  return (
    <section className={classes.cause} data-tone="warn" aria-label="Fault">
      <h3 className={classes.summary}>
        <IconBolt className={classes.bolt} size="1.1em" aria-hidden="true" /> Fault on demand
      </h3>
      <p className={classes.advice}>{fault.what}</p>
      <p>
        By the rule{' '}
        {known ? (
          <ViewLink view="faults" item={fault.id}>
            {name}
          </ViewLink>
        ) : (
          name
        )}
        .
      </p>
    </section>
  );
}
