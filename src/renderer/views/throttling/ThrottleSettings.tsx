import { Input, SegmentedControl } from '@mantine/core';
import { useEffect, useState } from 'react';
import { THROTTLE_MODES, type Settings } from '../../../control/schemas.ts';
import { attempt, changeSettings } from '../../actions/sandbox.ts';
import { LimitField } from './LimitField.tsx';
import classes from './Throttling.module.css';

type Mode = Settings['throttle']['mode'];

const WORDS: Record<Mode, string> = {
  off: 'Nothing is counted, and no rate headers are sent.',
  observe: 'Requests are counted and the headers sent, but nothing is ever refused.',
  enforce: 'A request over the limit is answered 429 with Retry-After.',
};

const SAVED_MS = 2500;

const setMode = (mode: Mode) =>
  attempt('The mode was not changed.', () => changeSettings({ throttle: { mode } }));

/** The limit as it is in force, changed in place. */
export function ThrottleSettings({ throttle }: { readonly throttle: Settings['throttle'] }) {
  const [saved, setSaved] = useState(0);
  useEffect(() => {
    if (saved === 0) return undefined;
    const timer = setTimeout(() => setSaved(0), SAVED_MS);
    return () => clearTimeout(timer);
  }, [saved]);
  const tellSaved = () => setSaved((count) => count + 1);
  return (
    <section className={classes.settings} aria-label="Limit">
      <div className={classes.fields}>
        <Input.Wrapper label="Mode" labelElement="div">
          <SegmentedControl
            aria-label="Mode"
            value={throttle.mode}
            onChange={(mode) => void setMode(mode)}
            data={THROTTLE_MODES.map((value) => ({ value, label: value }))}
          />
        </Input.Wrapper>
        <LimitField
          name="limit"
          label="Limit"
          suffix=" requests"
          value={throttle.limit}
          onSaved={tellSaved}
        />
        <LimitField
          name="window_seconds"
          label="Window"
          suffix=" s"
          value={throttle.window_seconds}
          onSaved={tellSaved}
        />
        <span className={classes.saved} role="status">
          {saved > 0 && 'In force now'}
        </span>
      </div>
      <p className={classes.how}>
        {WORDS[throttle.mode]} Counted is each code or refresh token per client IP, once client and
        required fields have passed, in a fixed window that opens with the first request counted. A
        client may have a limit of its own, in its record.{' '}
        <span className={classes.ref}>behaviour 5, spec 8.1</span>
      </p>
    </section>
  );
}
