// The workspace document: its records, and what must hold between them.

import { z } from '../zod.ts';
import { faultSchema, MAX_FAULTS } from './fault.ts';
import { ALWAYS, isObject, text } from './members.ts';
import { audienceSchema, clientSchema, userSchema } from './registry.ts';
import { settingsSchema } from './settings.ts';
import { signingKeySchema } from './signing-key.ts';

type RecordList = 'audiences' | 'clients' | 'users' | 'faults';

export const workspaceSchema = z
  .strictObject({
    version: z.literal(1, 'must be 1: the only workspace format this release reads'),
    name: text(200).default('Untitled'),
    settings: settingsSchema.prefault({}),
    audiences: z.array(audienceSchema, 'must be an array').max(10_000).default([]),
    clients: z.array(clientSchema, 'must be an array').max(10_000).default([]),
    users: z.array(userSchema, 'must be an array').max(10_000).default([]),
    /** In the order in which they are tried. */
    faults: z.array(faultSchema, 'must be an array').max(MAX_FAULTS).default([]),
    /** Signing keys; the first one with the wanted `alg` signs. Empty: new ones at every start. */
    keys: z.array(signingKeySchema, 'must be an array').max(20).optional(),
  })
  .superRefine((workspace, ctx) => {
    if (!isObject(workspace)) return;
    const recordsOf = (list: RecordList): Record<string, unknown>[] => {
      const records: unknown = workspace[list];
      return Array.isArray(records)
        ? records.map((record) => (isObject(record) ? record : {}))
        : [];
    };
    const repeated = (list: RecordList, key: string) => {
      const seen = new Set<unknown>();
      recordsOf(list).forEach((record, index) => {
        const value = record[key];
        if (typeof value === 'string' && seen.has(value)) {
          ctx.addIssue({ code: 'custom', path: [list, index, key], message: `repeats "${value}"` });
        }
        seen.add(value);
      });
    };
    repeated('clients', 'client_id');
    repeated('users', 'sub');
    repeated('audiences', 'uri');
    repeated('faults', 'id');
    const settings: unknown = workspace.settings;
    const known = new Set(recordsOf('audiences').map((audience) => audience['uri']));
    if (isObject(settings)) known.add(settings['issuer']);
    recordsOf('clients').forEach((client, index) => {
      const wanted = client['default_audience'];
      if (typeof wanted === 'string' && !known.has(wanted)) {
        ctx.addIssue({
          code: 'custom',
          path: ['clients', index, 'default_audience'],
          message: `names "${wanted}", which is not among the audiences`,
        });
      }
    });
  }, ALWAYS);
