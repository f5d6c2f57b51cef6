// Problems as sentences: the findings of a schema, by field, and rejections by the engine.

import { IN_WORDS } from '../../control/names.ts';
import { capitalized } from '../../words.ts';
import type { FormErrors } from '@mantine/form';
import type { z } from 'zod/mini';

const ended = (message: string): string => `${message}${/[.!?]$/.test(message) ? '' : '.'}`;

/** Capitalises the first word, unless it is not an ordinary word, such as a URL or a host name. */
export const sentence = (message: string): string => {
  const isWord = /^[a-z]+(?![^\s,'’])/.test(message);
  return ended(isWord ? capitalized(message) : message);
};

/** A rejection by the engine as a sentence. If it begins with a member's path, that keeps its case. */
export const problemSentence = ({
  field,
  message,
}: {
  readonly field: string | null;
  readonly message: string;
}): string => (field !== null && message.startsWith(field) ? ended(message) : sentence(message));

/**
 * Messages by field path. A field in `whole` is typed as one text, though it is a list or an object in the record, so
 * problems inside it are shown at the field itself.
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
