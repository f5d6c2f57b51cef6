// Fault rules as control shows and takes them (behaviour 8): the workspace's own record with what became
// of it in this run, and the ready-made ones.

import { described, z } from '../core/records/zod.ts';
import { faultSchema } from '../core/records/schemas.ts';
import { boolean, integer, integerOrNull, optionalString, string } from './schemas/values.ts';

export { fitsPattern } from '../core/records/endpoints.ts';
export { faultSchema, MAX_FAULTS } from '../core/records/schemas.ts';
export type { Fault } from '../core/records/schemas.ts';

/** A rule with its counts. They are of this run: a workspace keeps the rule as it was written. */
export const faultStateSchema = z.object({
  ...faultSchema.shape,
  hits: integer('Number of requests that the rule applied to since start or reset.'),
  remaining: integerOrNull(
    'How many times the rule still applies; null for no limit. A change of the rule restarts the count.',
  ),
});

export type FaultDraft = Partial<z.input<typeof faultSchema>> & { readonly preset?: string };

/** A member of a rule to add that the rule itself does not have. */
export const presetSchema = optionalString(
  'The id of a preset to start from, as listed by GET /fault-presets.',
);

/** A rule to add: members left out take their defaults, or those of the preset; an `id` is made. */
export const newFaultSchema = z.looseObject({
  preset: presetSchema,
}) as unknown as z.ZodMiniType<FaultDraft, FaultDraft>;

const { id: _id, ...ready } = faultSchema.shape;

/** A ready-made rule; `POST /faults` takes its `id` as `preset`. */
export const faultPresetSchema = z.object({
  id: string('Identifier of the preset.'),
  text: string('What the client receives, and why it matters.'),
  fault: described(z.object(ready), 'The rule that the preset creates.'),
});

export const moveFaultSchema = z.strictObject({
  id: string('Identifier of the rule.'),
  position: integer(
    'Position from 0, which is tried first. A larger number than there are rules means the end.',
  ),
});

/** The mark on an exchange that ran into a rule. */
export const faultMarkSchema = z.object({
  id: string('Identifier of the rule.'),
  name: string('Display name.'),
  what: string('What the fault did, in one or two sentences.'),
});

/** What was done to an exchange while it was held, or why it was not (behaviour 8.9, 8.11). */
export const holdMarkSchema = z.object({
  what: string(
    'How long it was held, and how that ended, or why it was not held, in one or two sentences.',
  ),
  changed: boolean('Whether its request or response was edited, replaced or dropped.'),
});

export type FaultState = z.infer<typeof faultStateSchema>;
export type FaultPreset = z.infer<typeof faultPresetSchema>;
