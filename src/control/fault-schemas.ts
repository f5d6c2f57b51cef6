// Fault rules as control shows and takes them (behaviour 8): the workspace's own record with what became
// of it in this run, and the ready-made ones.

import { z } from '../core/records/zod.ts';
import { faultSchema } from '../core/records/schemas.ts';
import { whole } from './schemas/values.ts';

export { fitsPattern } from '../core/records/path-pattern.ts';
export { faultSchema, MAX_FAULTS } from '../core/records/schemas.ts';
export type { Fault } from '../core/records/schemas.ts';

/** A rule with its counts. They are of this run: a workspace keeps the rule as it was written. */
export const faultStateSchema = z.object({
  ...faultSchema.shape,
  /** Requests it did something to, since start or reset. */
  hits: whole,
  /** How many of its `times` are left; null: no end. A change of the rule begins anew. */
  remaining: z.nullable(whole),
});

export type FaultDraft = Partial<z.input<typeof faultSchema>> & { readonly preset?: string };

/** A rule to add: members left out take their defaults, or those of the preset; an `id` is made. */
export const newFaultSchema = z.looseObject({
  preset: z.optional(z.string()),
}) as unknown as z.ZodMiniType<FaultDraft, FaultDraft>;

const { id: _id, ...ready } = faultSchema.shape;

/** A ready-made rule; `POST /faults` takes its `id` as `preset`. */
export const faultPresetSchema = z.object({
  id: z.string(),
  /** What the client sees and why it matters. */
  text: z.string(),
  fault: z.object(ready),
});

export const moveFaultSchema = z.strictObject({
  id: z.string(),
  /** Counted from 0, which is tried first; beyond the end is the end. */
  position: whole,
});

/** The mark on an exchange that ran into a rule. */
export const faultMarkSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** What the fault did, in a sentence or two. */
  what: z.string(),
});

export type FaultState = z.infer<typeof faultStateSchema>;
export type FaultPreset = z.infer<typeof faultPresetSchema>;
