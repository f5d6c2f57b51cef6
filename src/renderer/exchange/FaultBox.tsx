import { IconBolt } from '@tabler/icons-react';
import type { Exchange } from '../../control/schemas.ts';
import { usePage } from '../connection/state.ts';
import { ViewLink } from '../ui/links.tsx';
import classes from './Why.module.css';

/** The fault that a rule injected into this exchange. */
export function FaultBox({ exchange: { fault } }: { readonly exchange: Exchange }) {
  const known = usePage((state) => state.faults.some(({ id }) => id === fault?.id));
  if (fault === null) return null;
  const name = fault.name === '' ? fault.id : fault.name;
  return (
    <section className={classes.cause} data-tone="fault" aria-label="Fault">
      <h3 className={classes.summary}>
        <IconBolt className={classes.bolt} size="1.1em" aria-hidden="true" /> Injected fault
      </h3>
      <p className={classes.advice}>{fault.what}</p>
      <p>
        Rule:{' '}
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
