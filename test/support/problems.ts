// What a schema of the records finds wrong with a value.

import type { z } from 'zod/mini';
import { IN_WORDS } from '../../src/core/records/problems.ts';

/** Every problem as `path: message`, in the reported order. */
export function problems(schema: z.ZodMiniType, value: unknown): string[] {
  const { error } = schema.safeParse(value, IN_WORDS);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}
