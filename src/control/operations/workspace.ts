// The settings, the provider that the service imitates, and the whole workspace as one document.

import { z } from '../../core/records/zod.ts';
import * as s from '../schemas.ts';
import { op, typed } from './op.ts';

/** Members of members may be left out too; null puts one back to its default. */
type MergePatch<T> = {
  readonly [K in keyof T]?: (T[K] extends object ? MergePatch<T[K]> : T[K]) | null | undefined;
};

/** Any object here: the settings are validated as a whole, with the patch in them. */
const settingsPatch = typed<MergePatch<s.Settings>>(z.record(z.string(), z.unknown()));

export const settings = {
  get: op
    .route({
      method: 'GET',
      path: '/settings',
      summary: 'Read the settings',
      description: 'Returns the settings of the service.',
    })
    .output(s.settingsSchema),
  update: op
    .route({
      method: 'PATCH',
      path: '/settings',
      summary: 'Change settings (merge patch)',
      description:
        'Applies a merge patch (RFC 7396), effective from the next request; null restores the default of a member.',
    })
    .meta({
      example: { throttle: { limit: 2, window_seconds: 10 } },
      conflict: 'The former issuer is the default audience of a client.',
    })
    .input(settingsPatch)
    .output(s.settingsSchema),
};

export const workspace = {
  get: op
    .route({
      method: 'GET',
      path: '/workspace',
      summary: 'Read the whole workspace',
      description: 'Returns all records and settings in the format of a workspace file.',
    })
    .output(s.workspaceSchema),
  put: op
    .route({
      method: 'PUT',
      path: '/workspace',
      summary: 'Replace the whole workspace',
      description:
        'Replaces all records and settings. Omitted members get their defaults; saved_flows and saved_requests stay as they are unless they are given. All problems are reported at once. The credentials of clients that it does not have are revoked. What it replaces is kept as a former workspace.',
    })
    .meta({
      example: { version: 1, clients: [{ client_id: 'shop', client_secret: 'shop-secret' }] },
    })
    .input(z.record(z.string(), z.unknown()))
    .output(s.workspaceSchema),
  preview: op
    .route({
      method: 'POST',
      path: '/workspace/preview',
      summary: 'Check a workspace and see what it would end',
      description:
        'Checks the text of a workspace file, or looks at a former workspace or at what a reset restores, and changes nothing: every problem with its place, what it contains, and what would be lost if it replaced the current one.',
    })
    .meta({
      example: { text: '{"version": 1, "name": "Empty"}' },
      example_answer: {
        problems: [],
        contents: { name: 'Empty', clients: 0, users: 0, audiences: 0, faults: 0 },
        ends: { codes: 1, refresh_tokens: 30, access_tokens: 44 },
        undo: true,
      },
      conflict: 'The workspace file cannot be read.',
    })
    .input(s.previewSchema)
    .output(s.previewedSchema),
  former: op
    .route({
      method: 'GET',
      path: '/workspace/former',
      summary: 'List the workspaces that were replaced, newest first',
      description:
        'Returns the workspaces that an import, a reset to the workspace file or a restoration has replaced since the start: the newest 10, within the memory that the current one leaves.',
    })
    .output(s.listOf(s.formerWorkspaceSchema)),
  restore: op
    .route({
      method: 'POST',
      path: '/workspace/former/{id}/restore',
      summary: 'Restore a former workspace',
      description:
        'Puts a former workspace back as it was, with its secrets and keys. What it replaces is kept as a former workspace. Credentials that have ended stay so.',
    })
    .input(s.formerKey)
    .output(s.workspaceSchema),
};

/** Any object here: the shape is validated as a whole. */
const shapeInput = typed<s.Shape>(z.looseObject({}));

const CHANGES = ['The issuer ends in /realms/sandbox.', 'Refresh tokens are signed JWTs.'];
const EXAMPLE = { shape: { provider: 'keycloak' }, name: 'Keycloak', changes: CHANGES };

export const shape = {
  get: op
    .route({
      method: 'GET',
      path: '/shape',
      summary: 'Read the provider shape',
      description: 'Returns the shape of the provider that is imitated, and what it changes.',
    })
    .meta({ example_answer: EXAMPLE })
    .output(s.shapeStateSchema),
  set: op
    .route({
      method: 'PUT',
      path: '/shape',
      summary: 'Imitate a provider',
      description:
        'Puts a shape in place of the former one, effective from the next request. The settings that come with it are set.',
    })
    .meta({ example: { provider: 'keycloak' }, example_answer: EXAMPLE })
    .input(shapeInput)
    .output(s.shapeStateSchema),
  remove: op.route({
    method: 'DELETE',
    path: '/shape',
    successStatus: 204,
    summary: 'Imitate no provider',
    description:
      'Removes the shape. Settings that came with it return to their defaults unless they were changed since.',
  }),
  providers: op
    .route({
      method: 'GET',
      path: '/shape-providers',
      summary: 'List the providers that can be imitated',
      description: 'Returns the shipped shapes and what each one changes.',
    })
    .meta({
      example_answer: {
        items: [{ provider: 'keycloak', title: 'Keycloak', changes: CHANGES }],
        next: null,
      },
    })
    .output(s.listOf(s.shippedShapeSchema)),
};
