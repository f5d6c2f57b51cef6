import { Button, NumberInput, Select } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { changeClock } from '../actions/sandbox.ts';
import classes from './ClockControl.module.css';

const UNITS = [
  { value: '1', label: 'seconds' },
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
];

/** Advances the clock by an amount of one's own. */
export function AdvanceForm() {
  const [amount, setAmount] = useState<number | string>(5);
  const [unit, setUnit] = useState('60');
  const valid = typeof amount === 'number' && amount > 0;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (valid) void changeClock({ advance_seconds: amount * Number(unit) });
  };
  return (
    <form className={classes.row} onSubmit={submit}>
      <NumberInput
        className={classes.grow}
        aria-label="Amount"
        min={0}
        allowNegative={false}
        value={amount}
        onChange={setAmount}
      />
      <Select
        className={classes.unit}
        aria-label="Unit"
        data={UNITS}
        value={unit}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => value !== null && setUnit(value)}
      />
      <Button type="submit" size="sm" disabled={!valid}>
        Advance
      </Button>
    </form>
  );
}
