// The workspace document: its records, and what must hold between them.

import { z } from '../zod.ts';
import { faultSchema, MAX_FAULTS } from './fault.ts';
import { ALWAYS, isObject, orEmpty, text } from './members.ts';
import { audienceSchema, clientSchema, userSchema } from './registry.ts';
import { settingsSchema } from './settings.ts';
import { signingKeySchema } from './signing-key.ts';

type RecordList = 'audiences' | 'clients' | 'users' | 'faults';

const listOf = <T extends z.core.SomeType>(record: T, max: number) =>
  z._default(z.array(record, 'must be an array').check(z.maxLength(max)), []);

export const workspaceSchema = z
  .strictObject({
    version: z.literal(1, 'must be 1: the only workspace format this release reads'),
    name: z._default(text(200), 'Untitled'),
    settings: orEmpty(settingsSchema),
    audiences: listOf(audienceSchema, 10_000),
    clients: listOf(clientSchema, 10_000),
    users: listOf(userSchema, 10_000),
    /** In the order in which they are tried. */
    faults: listOf(faultSchema, MAX_FAULTS),
    /** Signing keys; the first one with the wanted `alg` signs. Empty: new ones at every start. */
    keys: z.optional(z.array(signingKeySchema, 'must be an array').check(z.maxLength(20))),
  })
  .check(
    z.superRefine((workspace, ctx) => {
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
            ctx.addIssue({
              code: 'custom',
              path: [list, index, key],
              message: `repeats "${value}"`,
            });
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
    }, ALWAYS),
  );
