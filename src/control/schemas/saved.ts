// What is saved by name, as it is put: the name is in the path.

import { described } from '../../core/records/described.ts';
import { savedFlowSchema, savedRequestSchema } from '../../core/records/schemas.ts';
import { z } from '../../core/records/zod.ts';

const { name, ...request } = savedRequestSchema.shape;

const drafted = {
  replace: described(
    z._default(z.boolean('must be true or false'), true),
    'Whether one of this name is replaced; otherwise that is a conflict.',
  ),
  saved_at: described(
    z.optional(request.saved_at),
    'When it was saved; the time of the machine by default.',
  ),
};

export const savedFlowDraftSchema = z.strictObject({ ...savedFlowSchema.shape, ...drafted });
export const savedRequestDraftSchema = z.strictObject({ ...request, ...drafted });

export const putFlowSchema = z.strictObject({ name, ...savedFlowDraftSchema.shape });
export const putRequestSchema = z.strictObject({ name, ...savedRequestDraftSchema.shape });

export type PutFlow = z.input<typeof putFlowSchema>;
export type PutRequest = z.input<typeof putRequestSchema>;
