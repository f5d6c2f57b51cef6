// A schema's findings as a form shows them: one sentence at each field.

import { IN_WORDS } from '../../control/schemas.ts';
import type { FormErrors } from '@mantine/form';
import type { z } from 'zod/mini';

/** A URL at its beginning stays as it is. */
export const sentence = (message: string): string => {
  const isUrl = /^https?:/.test(message);
  const first = isUrl ? message.charAt(0) : message.charAt(0).toUpperCase();
  return `${first}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
};

/**
 * Messages by field path. A field in `whole` is typed as one text though it is a list or an object in
 * the record, so what is found inside it is shown at the field itself.
 */
export function problemsByField(
  schema: z.ZodMiniType,
  value: unknown,
  whole: readonly string[] = [],
): FormErrors {
  const errors: FormErrors = {};
  for (const issue of schema.safeParse(value, IN_WORDS).error?.issues ?? []) {
    const head = String(issue.path[0] ?? '');
    const field = whole.includes(head) ? head : issue.path.join('.');
    errors[field] ??= sentence(issue.message);
  }
  return errors;
}
