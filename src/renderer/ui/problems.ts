// A schema's findings as a form shows them: one sentence at each field.

import { IN_WORDS } from '../../control/schemas.ts';
import type { FormErrors } from '@mantine/form';
import type { z } from 'zod/mini';

/** What is no word at its beginning, such as a URL or the name of a host, stays as it is. */
export const sentence = (message: string): string => {
  const isWord = /^[a-z]+(?![^\s,'’-])/.test(message);
  const first = isWord ? message.charAt(0).toUpperCase() : message.charAt(0);
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
