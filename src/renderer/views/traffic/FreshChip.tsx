import { IconArrowUp } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { pluralize } from '../../ui/short-forms.ts';
import classes from './Traffic.module.css';
import { follow } from './traffic-actions.ts';

/** A screen reader reads it now and then, not with every batch. */
const TELL_EVERY_MS = 5000;

function useToldNowAndThen(count: number): number {
  const [told, setTold] = useState(0);
  const newest = useRef(count);
  useEffect(() => {
    newest.current = count;
  }, [count]);
  useEffect(() => {
    const timer = setInterval(() => setTold(newest.current), TELL_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return told;
}

interface FreshChipProps {
  /** Exchanges that came while the list stands still. */
  readonly count: number;
}

export function FreshChip({ count }: FreshChipProps) {
  const told = useToldNowAndThen(count);
  return (
    <>
      <span role="status" className="visually-hidden">
        {told > 0 && count > 0 ? pluralize(told, 'new exchange') : ''}
      </span>
      {count > 0 && (
        <button type="button" className={classes.fresh} onClick={follow}>
          <IconArrowUp aria-hidden="true" />
          {count.toLocaleString('en')} new
        </button>
      )}
    </>
  );
}
