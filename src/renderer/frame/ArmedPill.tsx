import { IconBolt } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { hrefOf, navigate } from '../navigation/route.ts';
import { usePage } from '../connection/state.ts';
import { isArmed } from '../views/faults/rule-words.ts';
import classes from './TopBar.module.css';

const go = (event: MouseEvent) => {
  event.preventDefault();
  void navigate('faults');
};

/** Stands while a fault rule is armed: it explains odd answers. Leads to the rules. */
export function ArmedPill() {
  const armed = usePage((state) => state.faults.filter(isArmed).length);
  if (armed === 0) return null;
  const words = `${armed.toLocaleString('en')} ${armed === 1 ? 'fault' : 'faults'} armed`;
  return (
    <a
      className={`${classes.pill} ${classes.armed}`}
      href={hrefOf('faults')}
      onClick={go}
      aria-label={words}
      title={`${words}: responses may be rejected, delayed or changed`}
    >
      <IconBolt size="1.1em" stroke={1.8} aria-hidden="true" />
      <b>{armed.toLocaleString('en')}</b>
      <span className={classes.minor}>
        {armed === 1 ? 'fault' : 'faults'}
        <span className={classes.least}> armed</span>
      </span>
    </a>
  );
}
