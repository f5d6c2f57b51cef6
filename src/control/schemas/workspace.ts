// Workspaces that are looked at before they replace another one, those that were replaced, and what a workspace has that
// is answered or put in another form: users without passwords, what is saved by name, the provider that is imitated.

import { described, z } from '../../core/records/zod.ts';
import { liveCountsSchema } from './credentials.ts';
import { at, whole } from './values.ts';
import {
  savedFlowSchema,
  savedRequestSchema,
  shapeSchema,
  type User as UserRecord,
  userSchema,
} from '../../core/records/schemas.ts';
import { PROVIDERS } from '../../core/records/enumerations.ts';

const contents = {
  name: described(z.string(), 'Display name of the workspace.'),
  clients: described(whole, 'Number of clients.'),
  users: described(whole, 'Number of users.'),
  audiences: described(whole, 'Number of audiences.'),
  faults: described(whole, 'Number of fault rules.'),
};

export const formerKey = z.object({
  id: described(
    z.coerce.number<number>().check(z.int(), z.nonnegative()),
    'Identifier of the former workspace.',
  ),
});

export const formerWorkspaceSchema = z.object({
  id: described(whole, 'Identifier of the former workspace, unique until the next start.'),
  ...contents,
  replaced_at: described(at, 'When another workspace took its place, by the clock of the machine.'),
});

export const previewSchema = z
  .strictObject({
    text: described(z.optional(z.string()), 'The text of a workspace file.'),
    former: described(z.optional(whole), 'Identifier of a former workspace.'),
    reset: described(
      z.optional(z.literal(true)),
      'What a reset with workspace restores: the workspace file, or what there was at the start.',
    ),
  })
  .check(
    z.refine(
      (asked) => Object.values(asked).filter((value) => value !== undefined).length === 1,
      'must have exactly one of text, former, reset',
    ),
  );

export const previewedSchema = z.object({
  problems: described(
    z.array(
      z.object({
        path: described(z.string(), 'The member at fault; empty for the text as a whole.'),
        message: described(z.string(), 'What is wrong with it; reads on from the path.'),
        line: described(whole, 'The line where it begins, from 1.'),
        column: described(whole, 'The column where it begins, from 1.'),
      }),
    ),
    'What is wrong with the text, from top to bottom, at most 100 problems; empty if it can be used.',
  ),
  contents: described(
    z.nullable(z.object(contents)),
    'What the workspace contains; null if there are problems.',
  ),
  ends: described(
    liveCountsSchema,
    'The live credentials that end with it: those of clients that it does not have.',
  ),
  undo: described(
    z.boolean(),
    'Whether the current workspace would be kept as a former one. One that is too large would not.',
  ),
});

export type FormerWorkspace = z.infer<typeof formerWorkspaceSchema>;
export type WorkspacePreview = z.infer<typeof previewedSchema>;

const { password: _password, ...shown } = userSchema.shape;

export const answeredUserSchema = z.strictObject({
  ...shown,
  has_password: described(
    z.boolean(),
    'Whether the user has a password, which is never answered. Read-only: ignored when sent.',
  ),
});

export type User = z.infer<typeof answeredUserSchema>;

/** What can be set of a user. */
export type UserMembers = UserRecord & Pick<User, 'has_password'>;

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
