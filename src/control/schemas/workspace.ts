// Workspaces that are checked before they replace the current one, replaced workspaces, and records of a workspace
// that have another form here: users without passwords, saved flows and requests, the imitated provider.

import { described, z } from '../../core/records/zod.ts';
import { liveCountsSchema } from './credentials.ts';
import * as v from './values.ts';
import {
  savedFlowSchema,
  savedRequestSchema,
  shapeSchema,
  type User as UserRecord,
  userSchema,
} from '../../core/records/schemas.ts';
import { PROVIDERS } from '../../core/records/enumerations.ts';

const contents = {
  name: v.string('Display name of the workspace.'),
  clients: v.integer('Number of clients.'),
  users: v.integer('Number of users.'),
  audiences: v.integer('Number of audiences.'),
  faults: v.integer('Number of fault rules.'),
};

export const formerKey = z.object({
  id: described(
    z.coerce.number<number>().check(z.int(), z.nonnegative()),
    'Identifier of the former workspace.',
  ),
});

export const formerWorkspaceSchema = z.object({
  id: v.integer('Identifier of the former workspace, unique until the next start.'),
  ...contents,
  replaced_at: v.moment('When it was replaced, in machine time.'),
});

export const previewSchema = z
  .strictObject({
    text: v.optionalString('The text of a workspace file.'),
    former: described(z.optional(v.whole), 'Identifier of a former workspace.'),
    reset: described(
      z.optional(z.literal(true)),
      'The workspace that a reset with workspace restores: the file, or the one at the start.',
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
        path: v.string('The path of the invalid member; empty for the text as a whole.'),
        message: v.string('The problem, as a phrase that follows the path.'),
        line: v.integer('The line of the problem, from 1.'),
        column: v.integer('The column of the problem, from 1.'),
      }),
    ),
    'The problems of the text from top to bottom, at most 100; empty if the text is valid.',
  ),
  contents: described(
    z.nullable(z.object(contents)),
    'What the workspace contains; null if there are problems.',
  ),
  ends: described(
    liveCountsSchema,
    'The live credentials that would end: those of clients that the workspace does not have.',
  ),
  unchanged: v.boolean('Whether the current workspace already has these records and settings.'),
  undo: v.boolean(
    'Whether the current workspace would be kept as a former one; false if it is too large or unchanged.',
  ),
});

export type FormerWorkspace = z.infer<typeof formerWorkspaceSchema>;
export type WorkspacePreview = z.infer<typeof previewedSchema>;

const { password: _password, ...shown } = userSchema.shape;

export const answeredUserSchema = z.strictObject({
  ...shown,
  has_password: v.boolean(
    'Whether the user has a password, which is never returned. Read-only: ignored when sent.',
  ),
});

export type User = z.infer<typeof answeredUserSchema>;

/** The writable members of a user. */
export type UserMembers = UserRecord & Pick<User, 'has_password'>;

const { name, ...request } = savedRequestSchema.shape;

const drafted = {
  replace: described(
    z._default(z.boolean('must be true or false'), true),
    'Whether to replace an existing record with this name; false returns a conflict.',
  ),
  saved_at: described(
    z.optional(request.saved_at),
    'When it was saved; the current machine time by default.',
  ),
};

export const savedFlowDraftSchema = z.strictObject({ ...savedFlowSchema.shape, ...drafted });
export const savedRequestDraftSchema = z.strictObject({ ...request, ...drafted });

export const putFlowSchema = z.strictObject({ name, ...savedFlowDraftSchema.shape });
export const putRequestSchema = z.strictObject({ name, ...savedRequestDraftSchema.shape });

export type PutFlow = z.input<typeof putFlowSchema>;
export type PutRequest = z.input<typeof putRequestSchema>;

const changes = described(z.array(z.string()), 'The changes of the shape, one sentence each.');

export const shapeStateSchema = z.object({
  shape: described(z.nullable(shapeSchema), 'The shape, as in the workspace; null for none.'),
  name: v.stringOrNull('Display name of the shape; null for none.'),
  changes,
});

export const shippedShapeSchema = z.object({
  provider: described(z.enum(PROVIDERS), 'The provider.'),
  title: v.string('Display name of the provider.'),
  changes,
});

export type ShapeState = z.infer<typeof shapeStateSchema>;
