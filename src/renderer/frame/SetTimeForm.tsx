import { Button, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { changeClock } from '../actions/sandbox.ts';
import classes from './ClockControl.module.css';

/** Sets the clock to a moment; read as UTC, as every time in the page's records is. */
export function SetTimeForm({ now }: { readonly now: number }) {
  const [wanted, setWanted] = useState(() => new Date(now).toISOString().slice(0, 19));
  const moment = Date.parse(`${wanted}Z`);
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
        aria-label="Moment (UTC)"
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <Button type="submit" size="sm" disabled={!valid}>
        Set
      </Button>
    </form>
  );
}
