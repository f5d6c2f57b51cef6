// The provider that is imitated, and those that can be.

import { described } from '../../core/records/described.ts';
import { PROVIDERS } from '../../core/records/enumerations.ts';
import { shapeSchema } from '../../core/records/schemas.ts';
import { z } from '../../core/records/zod.ts';

const changes = described(
  z.array(z.string()),
  'What is different with the shape, a sentence for each change.',
);

export const shapeStateSchema = z.object({
  shape: described(z.nullable(shapeSchema), 'The shape, as the workspace has it; null for none.'),
  name: described(z.nullable(z.string()), 'Display name of the shape; null for none.'),
  changes,
});

export const shippedShapeSchema = z.object({
  provider: described(z.enum(PROVIDERS), 'The provider.'),
  title: described(z.string(), 'Display name of the provider.'),
  changes,
});

export type ShapeState = z.infer<typeof shapeStateSchema>;
