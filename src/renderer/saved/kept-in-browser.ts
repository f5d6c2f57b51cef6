// Parses the flows that this browser has stored by name. Pure.

import { z } from '../../control/zod.ts';
import type { Scenario } from '../../scenario/schema.ts';

export const MOST_FLOWS = 50;
export const LONGEST_NAME = 80;

/** Only what the list shows is checked here. The whole scenario is checked when it is run. */
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

/** Returns undefined when the text is not JSON. */
export function parsed(stored: string | null): unknown {
  try {
    return JSON.parse(stored ?? 'null');
  } catch {
    return undefined;
  }
}

/** The flows in the text that can be parsed, newest first. Another version may have written others. */
export function readKept(stored: string | null): readonly SavedFlow[] {
  const { flows } = Object(parsed(stored)) as Record<string, unknown>;
  return listOf(flows)
    .flatMap((one) => savedFlowSchema.safeParse(one).data ?? [])
    .slice(0, MOST_FLOWS);
}
