// The settings, and the whole workspace as one document.

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
        'Replaces all records and settings. Omitted members get their defaults; saved_flows and saved_requests stay as they are unless they are given. All problems are reported at once.',
    })
    .meta({
      example: { version: 1, clients: [{ client_id: 'shop', client_secret: 'shop-secret' }] },
    })
    .input(z.record(z.string(), z.unknown()))
    .output(s.workspaceSchema),
};
