// The flows kept by this browser or window: scenarios by name. A scenario is checked as a whole when it is run; here
// only what the list shows.

import { z } from '../../control/zod.ts';
import type { Scenario } from '../../scenario/schema.ts';

export const KEY = 'grantbench.scenarios';

export const MOST_FLOWS = 50;
export const LONGEST_NAME = 80;

const savedFlowSchema = z.strictObject({
  /** Machine time. */
  saved_at: z.iso.datetime(),
  scenario: z.looseObject({
    name: z.string().check(z.minLength(1), z.maxLength(LONGEST_NAME)),
    steps: z.array(z.unknown()),
  }),
});

const unconvertedSchema = z.strictObject({ name: z.string(), reason: z.string() });

export interface SavedFlow {
  readonly saved_at: string;
  readonly scenario: Pick<Scenario, 'name'> & { readonly steps: readonly unknown[] };
}

/** A flow of an earlier version, and why it could not be converted. */
export type Unconverted = z.infer<typeof unconvertedSchema>;

export interface Kept {
  /** The newest first. */
  readonly flows: readonly SavedFlow[];
  readonly unconverted: readonly Unconverted[];
}

const NOTHING_KEPT: Kept = { flows: [], unconverted: [] };

const listOf = (found: unknown): readonly unknown[] => (Array.isArray(found) ? found : []);

/** What of the text can be read; another version may have written more. */
export function readKept(stored: string | null): Kept {
  let found: unknown;
  try {
    found = JSON.parse(stored ?? '{}');
  } catch {
    return NOTHING_KEPT;
  }
  const { flows, unconverted } = Object(found) as Record<string, unknown>;
  return {
    flows: listOf(flows)
      .flatMap((one) => savedFlowSchema.safeParse(one).data ?? [])
      .slice(0, MOST_FLOWS),
    unconverted: listOf(unconverted).flatMap((one) => unconvertedSchema.safeParse(one).data ?? []),
  };
}

export const nameOf = ({ scenario }: SavedFlow): string => scenario.name;
