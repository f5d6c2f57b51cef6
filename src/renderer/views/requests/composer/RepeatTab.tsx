import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { CountField } from '../../../ui/CountField.tsx';
import { whileBusy } from '../../../ui/while-busy.ts';
import { atOnce, atRate, MOST } from '../../../sending/burst.ts';
import { wantedBy } from '../credential-places.ts';
import { useRequests } from '../requests-store.ts';
import { sendMany } from '../send.ts';
import classes from './Composer.module.css';

const WAYS = [
  { value: 'parallel', label: 'In parallel' },
  { value: 'rate', label: 'At a rate' },
] as const;

type Way = (typeof WAYS)[number]['value'];

/** The request at hand, many times. */
export function RepeatTab() {
  const busy = useRequests((state) => state.busy !== null);
  const single = useRequests((state) => wantedBy(state.draft).code);
  const [way, setWay] = useState<Way>('parallel');
  const [count, setCount] = useState(50);
  const [parallel, setParallel] = useState(10);
  const [rate, setRate] = useState(10);
  const pace = way === 'parallel' ? atOnce(count, parallel) : atRate(count, rate);
  return (
    <>
      <div className={classes.repeat}>
        <CountField label="Times" value={count} most={MOST.count} onChange={setCount} />
        <div data-wide>
          <SegmentedControl aria-label="How" value={way} onChange={setWay} data={[...WAYS]} />
        </div>
        {way === 'parallel' ? (
          <CountField
            label="At once"
            value={parallel}
            most={MOST.parallel}
            onChange={setParallel}
          />
        ) : (
          <CountField label="Per second" value={rate} most={MOST.per_second} onChange={setRate} />
        )}
      </div>
      <Button
        className={`${classes.add} ${classes.busy}`}
        variant="filled"
        onClick={() => void sendMany(pace)}
        {...whileBusy(busy)}
      >
        {`Send ${count.toLocaleString('en')} times`}
      </Button>
      <p className={classes.remark}>
        {single
          ? 'A code works only once: no more than one of these requests gets tokens.'
          : 'Each is a separate request over real HTTP and is throttled like any other.'}
      </p>
    </>
  );
}
