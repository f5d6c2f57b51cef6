// A number input takes its label and its bounds from its schema; the arrow keys stop at the bounds. A typed value
// beyond them stays, and validation reports it.

import { NumberInput } from '@mantine/core';
import { fieldAt, type Field, type PathIn } from '../../control/fields.ts';
import type { z } from '../../control/zod.ts';

/** The placeholder of an empty field: a value saved as null is the default. */
export const defaultInWords = ({ defaultValue }: Field): string | undefined =>
  typeof defaultValue === 'number' ? `Default: ${defaultValue.toLocaleString('en-US')}` : undefined;

export function numberField<S extends z.core.$ZodType>(schema: S, path: PathIn<z.output<S>>) {
  const field = fieldAt(schema, path);
  return {
    label: field.label,
    ...field.bounds,
    clampBehavior: 'none' as const,
    allowNegative: false,
    placeholder: defaultInWords(field),
  };
}

interface CountFieldProps {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

/** A whole number from 1, for counts. */
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
