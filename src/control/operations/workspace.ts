// The settings, the imitated provider, and the whole workspace as one document.

import { MOST_FORMER } from '../../core/records/bounds.ts';
import { z } from '../../core/records/zod.ts';
import * as s from '../schemas.ts';
import { op, typed } from './op.ts';

/** Nested members may be omitted as well; null resets a member to its default. */
type MergePatch<T> = {
  readonly [K in keyof T]?: (T[K] extends object ? MergePatch<T[K]> : T[K]) | null | undefined;
};

/** Accepts any object: the settings are validated as a whole after the patch was applied. */
const settingsPatch = typed<MergePatch<s.Settings>>(z.record(z.string(), z.unknown()));

export const settings = {
  get: op('GET /settings', 'Read the settings', 'Returns the settings of the sandbox.').output(
    s.settingsSchema,
  ),
  update: op(
    'PATCH /settings',
    'Change settings (merge patch)',
    'Applies a merge patch (RFC 7396), effective from the next request; null resets a member to its default.',
  )
    .meta({
      example: { throttle: { limit: 2, window_seconds: 10 } },
      conflict: 'The current issuer is the default audience of a client.',
    })
    .input(settingsPatch)
    .output(s.settingsSchema),
};

export const workspace = {
  get: op(
    'GET /workspace',
    'Read the whole workspace',
    'Returns all records and settings in the format of a workspace file.',
  ).output(s.workspaceSchema),
  put: op(
    'PUT /workspace',
    'Replace the whole workspace',
    'Replaces all records and settings. Omitted members get their defaults, but saved_flows, saved_requests and client_checks remain unless given. All problems are reported together. Credentials of clients that the new workspace does not have are revoked. The replaced workspace is kept as a former workspace if it differs from the new one and there is room.',
  )
    .meta({
      example: { version: 1, clients: [{ client_id: 'shop', client_secret: 'shop-secret' }] },
    })
    .input(z.record(z.string(), z.unknown()))
    .output(s.workspaceSchema),
  preview: op(
    'POST /workspace/preview',
    'Check a workspace and which credentials it would revoke',
    'Checks the text of a workspace file, a former workspace, or the workspace that a reset restores, without changing anything. Returns every problem with its position, a summary, and the credentials that would end if it replaced the current workspace.',
  )
    .meta({
      example: { text: '{"version": 1, "name": "Empty"}' },
      example_answer: {
        problems: [],
        contents: { name: 'Empty', clients: 0, users: 0, audiences: 0, faults: 0 },
        ends: { codes: 1, refresh_tokens: 30, access_tokens: 44 },
        unchanged: false,
        undo: true,
      },
      conflict: 'The workspace file cannot be read.',
    })
    .input(s.previewSchema)
    .output(s.previewedSchema),
  former: op(
    'GET /workspace/former',
    'List the workspaces that were replaced, newest first',
    `Returns the workspaces replaced since the start by an import, a reset to the workspace file or a restore: the newest ${MOST_FORMER}, within a memory limit that includes the current workspace.`,
  ).output(s.listOf(s.formerWorkspaceSchema)),
  restore: op(
    'POST /workspace/former/{id}/restore',
    'Restore a former workspace',
    'Restores a former workspace with its secrets and keys. The replaced workspace is kept as a former workspace. Revoked credentials remain revoked.',
  )
    .input(s.formerKey)
    .output(s.workspaceSchema),
};

/** Accepts any object: the shape is validated as a whole. */
const shapeInput = typed<s.Shape>(z.looseObject({}));

const CHANGES = ['The issuer ends in /realms/sandbox.', 'Refresh tokens are signed JWTs.'];
const EXAMPLE = { shape: { provider: 'keycloak' }, name: 'Keycloak', changes: CHANGES };

export const shape = {
  get: op(
    'GET /shape',
    'Read the provider shape',
    'Returns the shape of the imitated provider and its changes.',
  )
    .meta({ example_answer: EXAMPLE })
    .output(s.shapeStateSchema),
  set: op(
    'PUT /shape',
    'Imitate a provider',
    'Replaces the shape, effective from the next request, and applies the settings that it contains.',
  )
    .meta({ example: { provider: 'keycloak' }, example_answer: EXAMPLE })
    .input(shapeInput)
    .output(s.shapeStateSchema),
  remove: op(
    'DELETE /shape',
    'Imitate no provider',
    'Removes the shape. Settings that it contained are reset to their defaults unless they were changed since.',
    204,
  ),
  providers: op(
    'GET /shape-providers',
    'List the providers that can be imitated',
    'Returns the built-in shapes and what each one changes.',
  )
    .meta({
      example_answer: {
        items: [{ provider: 'keycloak', title: 'Keycloak', changes: CHANGES }],
        next: null,
      },
    })
    .output(s.listOf(s.shippedShapeSchema)),
};
