import { Button, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { changeClock } from '../actions/sandbox.ts';
import { zoneName } from '../connection/clock.ts';
import classes from './ClockControl.module.css';

const two = (value: number) => String(value).padStart(2, '0');

/** The value of a field for local date and time: `2026-11-22T10:02:40`. */
function localValue(ms: number): string {
  const date = new Date(ms);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

/** Sets the clock to a moment in the person's time zone, as every time in the page is. */
export function SetTimeForm({ now }: { readonly now: number }) {
  const [wanted, setWanted] = useState(() => localValue(now));
  const moment = Date.parse(wanted);
  const valid = !Number.isNaN(moment);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (valid) void changeClock({ now: new Date(moment).toISOString() });
  };
  return (
    <form className={classes.row} onSubmit={submit}>
      <TextInput
        className={classes.grow}
        type="datetime-local"
        step={1}
        aria-label={`Moment (${zoneName(valid ? moment : now)})`}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <Button type="submit" size="sm" disabled={!valid}>
        Set
      </Button>
    </form>
  );
}
