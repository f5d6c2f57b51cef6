// What this browser has kept by name, as far as it can be read. Pure.

import { z } from '../../control/zod.ts';
import type { Scenario } from '../../scenario/schema.ts';

export const MOST_FLOWS = 50;
export const LONGEST_NAME = 80;

/** A scenario is checked as a whole when it is run; here only what the list shows. */
export interface SavedFlow {
  readonly saved_at: string;
  readonly scenario: Pick<Scenario, 'name'> & { readonly steps: readonly unknown[] };
}

const savedFlowSchema = z.strictObject({
  /** Machine time. */
  saved_at: z.iso.datetime(),
  scenario: z.looseObject({
    name: z.string().check(z.minLength(1), z.maxLength(LONGEST_NAME)),
    steps: z.array(z.unknown()),
  }),
});

export const listOf = (found: unknown): readonly unknown[] => (Array.isArray(found) ? found : []);

/** undefined for what is no JSON. */
export function parsed(stored: string | null): unknown {
  try {
    return JSON.parse(stored ?? 'null');
  } catch {
    return undefined;
  }
}

/** The flows of the text that can be read, the newest first; another version may have written more. */
export function readKept(stored: string | null): readonly SavedFlow[] {
  const { flows } = Object(parsed(stored)) as Record<string, unknown>;
  return listOf(flows)
    .flatMap((one) => savedFlowSchema.safeParse(one).data ?? [])
    .slice(0, MOST_FLOWS);
}
