// What went wrong, in sentences: the findings of a schema at their fields, and what the engine refused.

import { IN_WORDS } from '../../control/names.ts';
import type { FormErrors } from '@mantine/form';
import type { z } from 'zod/mini';

const ended = (message: string): string => `${message}${/[.!?]$/.test(message) ? '' : '.'}`;

/** What is no word at its beginning, such as a URL or the name of a host, stays as it is. */
export const sentence = (message: string): string => {
  const isWord = /^[a-z]+(?![^\s,'’])/.test(message);
  return ended(isWord ? `${message.charAt(0).toUpperCase()}${message.slice(1)}` : message);
};

/** What the engine refused, and why. A member's path at its beginning stays as somebody wrote it. */
export const problemSentence = ({
  field,
  message,
}: {
  readonly field: string | null;
  readonly message: string;
}): string => (field !== null && message.startsWith(field) ? ended(message) : sentence(message));

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
