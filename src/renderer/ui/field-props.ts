// Props that the inputs of several forms share.

import type { InputWrapperProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { fieldAt, type Field, type PathIn } from '../../control/fields.ts';
import type { z } from '../../control/zod.ts';

/** A text that is compared character by character. */
export const MONO = { classNames: { input: 'mono' }, spellCheck: false } as const;

/** The description stands below the input. */
export const BELOW = {
  inputWrapperOrder: ['label', 'input', 'error', 'description'],
} satisfies InputWrapperProps;

/** The values of a member with their descriptions, as the options of an input. */
export const choicesOf = ({ values }: Field) =>
  Object.entries(values).map(([value, label]) => ({ value, label }));

/** The label that the schema of a record has for a member, and the member's value in the form. */
export const memberProps = <S extends z.core.$ZodType, V extends Record<string, unknown>>(
  schema: S,
  form: UseFormReturnType<V>,
  path: PathIn<z.output<S>>,
) => ({ label: fieldAt(schema, path).label, ...form.getInputProps(path) });
