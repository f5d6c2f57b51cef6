import { Button, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { changeClock } from '../actions/sandbox.ts';
import { readMoment, typedMoment, zoneName } from '../connection/clock.ts';
import classes from './ClockControl.module.css';

/** Sets the clock to a moment in the person's time zone, as every time in the page is. */
export function SetTimeForm({ now }: { readonly now: number }) {
  const [wanted, setWanted] = useState(() => typedMoment(now));
  const moment = readMoment(wanted);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (moment !== null) void changeClock({ now: new Date(moment).toISOString() });
  };
  return (
    <form className={classes.row} onSubmit={submit}>
      <TextInput
        className={classes.grow}
        aria-label={`Moment (${zoneName(moment ?? now)})`}
        value={wanted}
        error={moment === null && `Enter a moment such as ${typedMoment(now)}.`}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <Button type="submit" size="sm" disabled={moment === null}>
        Set
      </Button>
    </form>
  );
}
