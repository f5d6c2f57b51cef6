import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { settingsSchema } from '../../../control/schemas.ts';
import { changeSettings } from '../../actions/sandbox.ts';
import { problemOf } from '../../connection/control.ts';

const RULES = settingsSchema.shape.throttle.def.innerType.shape;

interface LimitFieldProps {
  readonly name: 'limit' | 'window_seconds';
  readonly label: string;
  readonly value: number;
  readonly suffix: string;
  readonly onSaved: () => void;
}

/** A number of the throttle, in force as soon as the field is left or Enter is pressed. */
export function LimitField({ name, label, value, suffix, onSaved }: LimitFieldProps) {
  const [typed, setTyped] = useState<number | string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const save = async () => {
    if (typed === null) return;
    const read = RULES[name].safeParse(typed === '' ? undefined : typed);
    if (typed === '' || !read.success) {
      setProblem(`It ${read.error?.issues[0]?.message ?? 'must be a whole number'}.`);
      return;
    }
    setProblem(null);
    if (read.data === value) {
      setTyped(null);
      return;
    }
    try {
      await changeSettings({ throttle: { [name]: read.data } });
      setTyped(null);
      onSaved();
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  };

  return (
    <NumberInput
      label={label}
      value={typed ?? value}
      suffix={suffix}
      thousandSeparator=","
      allowDecimal={false}
      allowNegative={false}
      error={problem}
      onChange={setTyped}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void save();
        if (event.key === 'Escape') {
          setTyped(null);
          setProblem(null);
        }
      }}
    />
  );
}
