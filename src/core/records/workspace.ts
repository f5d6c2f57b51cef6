// The workspace document: its records, and what must hold between them.

import { isJsonObject } from './json-object.ts';
import type { Bounds } from '../collections/bounded-map.ts';
import { recordBytes } from '../collections/weight.ts';
import { described } from './described.ts';
import { z } from './zod.ts';
import { FAULT_BOUNDS, RECORD_BOUNDS, SAVED_BOUNDS, SIGNING_KEY_BOUNDS } from './bounds.ts';
import { faultSchema } from './fault.ts';
import { ALWAYS, atMostEntries, orEmpty, text } from './members.ts';
import { audienceSchema, clientSchema, userSchema } from './registered.ts';
import { savedFlowSchema, savedRequestSchema } from './saved.ts';
import { settingsSchema } from './settings.ts';
import { shapeSchema } from './shape.ts';
import { signingKeySchema } from './signing-key.ts';

type RecordList = 'audiences' | 'clients' | 'users' | 'faults' | 'saved_flows' | 'saved_requests';

const objectOf = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {});

const MIB = 1024 * 1024;

const bytesOf = (records: readonly unknown[]) =>
  records.reduce((bytes: number, record) => bytes + recordBytes(record), 0);

const boundedList = <T extends z.core.SomeType>(record: T, { entries, bytes }: Bounds) =>
  z.array(record, 'must be an array').check(
    atMostEntries(entries),
    z.refine(
      (records) => records.length > entries || bytesOf(records) <= bytes,
      `must not take more than ${bytes / MIB} MiB in memory`,
    ),
  );

const listOf = <T extends z.core.SomeType>(record: T, bounds: Bounds) =>
  z._default(boundedList(record, bounds), []);

export const workspaceSchema = z
  .strictObject({
    version: described(
      z.literal(1, 'must be 1: the only workspace format that this release supports'),
      'Version of the format: 1.',
    ),
    name: described(
      z._default(text(200), 'Untitled'),
      'Name of the workspace, shown in the status line.',
    ),
    settings: described(orEmpty(settingsSchema), 'How the service behaves.'),
    shape: described(
      z.optional(shapeSchema),
      'The provider that the service imitates; left out for none.',
    ),
    audiences: described(listOf(audienceSchema, RECORD_BOUNDS.audiences), 'The registered APIs.'),
    clients: described(listOf(clientSchema, RECORD_BOUNDS.clients), 'The registered clients.'),
    users: described(listOf(userSchema, RECORD_BOUNDS.users), 'The registered users.'),
    faults: described(
      listOf(faultSchema, FAULT_BOUNDS),
      'Fault rules, in the order in which they are tried.',
    ),
    keys: described(
      z.optional(
        z
          .array(signingKeySchema, 'must be an array')
          .check(atMostEntries(SIGNING_KEY_BOUNDS.entries)),
      ),
      'Private signing keys as JWKs. The first one for signing_alg signs. If empty, new keys are created at each start.',
    ),
    saved_flows: described(
      z.optional(boundedList(savedFlowSchema, SAVED_BOUNDS.flows)),
      'Flows that were saved by name, as scenarios without secrets; left out for none.',
    ),
    saved_requests: described(
      z.optional(boundedList(savedRequestSchema, SAVED_BOUNDS.requests)),
      'Requests that were saved by name, without secrets; left out for none.',
    ),
  })
  .check(
    z.superRefine((workspace, ctx) => {
      if (!isJsonObject(workspace)) return;
      const recordsOf = (list: RecordList): Record<string, unknown>[] => {
        const records: unknown = workspace[list];
        return Array.isArray(records) ? records.map(objectOf) : [];
      };
      /** @param path of the member whose values differ */
      const repeated = (list: RecordList, ...path: readonly string[]) => {
        const seen = new Set<unknown>();
        recordsOf(list).forEach((record, index) => {
          const value = path.reduce<unknown>((inner, name) => objectOf(inner)[name], record);
          if (typeof value === 'string' && seen.has(value)) {
            ctx.addIssue({
              code: 'custom',
              path: [list, index, ...path],
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
      repeated('saved_flows', 'scenario', 'name');
      repeated('saved_requests', 'name');
      const settings: unknown = workspace.settings;
      const known = new Set(recordsOf('audiences').map((audience) => audience['uri']));
      if (isJsonObject(settings)) known.add(settings['issuer']);
      recordsOf('clients').forEach((client, index) => {
        const wanted = client['default_audience'];
        if (typeof wanted === 'string' && !known.has(wanted)) {
          ctx.addIssue({
            code: 'custom',
            path: ['clients', index, 'default_audience'],
            message: `is "${wanted}", which is not a registered audience`,
          });
        }
      });
    }, ALWAYS),
  );
