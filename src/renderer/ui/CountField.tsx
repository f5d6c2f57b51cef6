import { NumberInput } from '@mantine/core';

interface CountFieldProps {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

/** A whole number from 1 on: how many, how often. */
export function CountField({ label, value, most, onChange }: CountFieldProps) {
  return (
    <NumberInput
      label={label}
      min={1}
      max={most}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="blur"
      thousandSeparator=","
      value={value}
      onChange={(typed) => {
        if (typeof typed === 'number' && typed >= 1) onChange(Math.min(typed, most));
      }}
    />
  );
}
