// Every control operation: input, output, errors and REST route, and nothing of how it is carried
// out. The window speaks it over a MessagePort, the browser tab over a WebSocket, automation over
// REST with the OpenAPI document made of it.

import { eventIterator, type Schema } from '@orpc/contract';
import { z } from '../core/records/zod.ts';
import * as f from './fault-schemas.ts';
import * as e from './export-schemas.ts';
import { op, records, typed } from './operations.ts';
import * as s from './schemas.ts';

const idKey = z.object({ id: z.string() });

/** Members of members may be left out too; null puts one back to its default. */
type MergePatch<T> = {
  readonly [K in keyof T]?: (T[K] extends object ? MergePatch<T[K]> : T[K]) | null | undefined;
};

/** Any object here: the settings are judged as a whole, with the patch in them. */
const settingsPatch = typed<MergePatch<s.Settings>>(z.record(z.string(), z.unknown()));

/** Spelled out: inferred, it would name a package that is not among our dependencies. */
interface Feed extends AsyncGenerator<s.FeedBatch, unknown, void> {
  return(value?: unknown): Promise<IteratorResult<s.FeedBatch, unknown>>;
}

const feed: Schema<AsyncIteratorObject<s.FeedBatch, unknown, void>, Feed> = eventIterator(
  s.feedBatchSchema,
);

export const contract = {
  clients: records<s.Client, 'client_id', never>(
    '/clients',
    'a client',
    'client_id',
    s.clientSchema,
  ),
  users: records<s.User, 'sub', 'sub'>('/users', 'a user', 'sub', s.userSchema),
  audiences: records<s.Audience, 'uri', 'uri'>(
    '/audiences',
    'an audience',
    'uri',
    s.audienceSchema,
  ),
  codes: {
    create: op
      .route({
        method: 'POST',
        path: '/codes',
        successStatus: 201,
        summary: 'Issue an authorization code',
      })
      .input(s.issueCodeSchema)
      .output(s.issuedCodeSchema),
  },
  tokens: {
    list: op
      .route({ method: 'GET', path: '/tokens', summary: 'List credentials, newest first' })
      .input(z.extend(s.credentialFilterSchema, s.secretsSchema.shape))
      .output(s.listOf(s.credentialSchema)),
    mint: op
      .route({
        method: 'POST',
        path: '/tokens',
        successStatus: 201,
        summary: 'Mint a token pair without a code',
      })
      .input(s.mintTokensSchema)
      .output(s.mintedTokensSchema),
    get: op
      .route({ method: 'GET', path: '/tokens/{id}', summary: 'Read a credential' })
      .input(z.extend(idKey, s.secretsSchema.shape))
      .output(s.credentialSchema),
    revoke: op
      .route({ method: 'POST', path: '/tokens/{id}/revoke', summary: 'Revoke a credential' })
      .input(idKey)
      .output(s.credentialSchema),
    expire: op
      .route({ method: 'POST', path: '/tokens/{id}/expire', summary: 'Expire a credential now' })
      .input(idKey)
      .output(s.credentialSchema),
  },
  lineages: {
    get: op
      .route({
        method: 'GET',
        path: '/lineages/{id}',
        summary: 'Read everything that came of one authorization',
      })
      .input(idKey)
      .output(s.lineageSchema),
    revoke: op
      .route({
        method: 'POST',
        path: '/lineages/{id}/revoke',
        summary: 'Revoke everything that came of one authorization',
      })
      .input(idKey)
      .output(z.object({ lineage_id: z.string(), revoked_at: z.string() })),
  },
  requests: {
    send: op
      .route({
        method: 'POST',
        path: '/requests',
        summary: 'Send a request over real HTTP and read its exchange',
      })
      .input(s.sendRequestSchema)
      .output(s.exchangeSchema),
  },
  exchanges: {
    list: op
      .route({ method: 'GET', path: '/exchanges', summary: 'List exchanges, newest first' })
      .input(s.exchangeFilterSchema)
      .output(s.listOf(s.exchangeSummarySchema)),
    export: op
      .route({
        method: 'GET',
        path: '/exchanges/export',
        summary: 'Read exchanges as one document: HAR 1.2 or JSON',
      })
      .input(e.exchangeExportSchema)
      .output(z.union([e.harSchema, e.exchangeDocumentSchema])),
    get: op
      .route({ method: 'GET', path: '/exchanges/{number}', summary: 'Read an exchange' })
      .input(
        z.extend(
          z.object({ number: z.coerce.number<number>().check(z.int(), z.minimum(1)) }),
          s.secretsSchema.shape,
        ),
      )
      .output(s.exchangeSchema),
  },
  advisories: {
    list: op
      .route({
        method: 'GET',
        path: '/advisories',
        summary: 'List over-fetch advisories, newest first, with counts per client',
      })
      .input(s.advisoryFilterSchema)
      .output(
        z.extend(s.listOf(s.advisoryEntrySchema), { clients: z.array(s.advisoryCountsSchema) }),
      ),
  },
  throttle: {
    list: op
      .route({ method: 'GET', path: '/throttle', summary: 'List throttle counters' })
      .input(s.pageSchema)
      .output(s.listOf(s.counterSchema)),
    get: op
      .route({
        method: 'GET',
        path: '/throttle/{id}',
        summary: 'Read a counter with its newest blocked requests',
      })
      .input(idKey)
      .output(s.counterDetailSchema),
    releaseAll: op.route({
      method: 'DELETE',
      path: '/throttle',
      successStatus: 204,
      summary: 'Release all counters',
    }),
    release: op
      .route({
        method: 'DELETE',
        path: '/throttle/{id}',
        successStatus: 204,
        summary: 'Release one counter',
      })
      .input(idKey),
  },
  /** Listed in the order in which they are tried. */
  faults: {
    ...records<f.FaultState, 'id', never>('/faults', 'a fault rule', 'id', f.faultStateSchema),
    create: op
      .route({
        method: 'POST',
        path: '/faults',
        successStatus: 201,
        summary: 'Add a fault rule as the last one, of a preset if one is named',
      })
      .input(f.newFaultSchema)
      .output(f.faultStateSchema),
    move: op
      .route({ method: 'POST', path: '/faults/{id}/move', summary: 'Move a fault rule' })
      .input(f.moveFaultSchema)
      .output(f.faultStateSchema),
    removeAll: op.route({
      method: 'DELETE',
      path: '/faults',
      successStatus: 204,
      summary: 'Delete all fault rules',
    }),
    presets: op
      .route({ method: 'GET', path: '/fault-presets', summary: 'List ready-made fault rules' })
      .output(s.listOf(f.faultPresetSchema)),
  },
  settings: {
    get: op
      .route({ method: 'GET', path: '/settings', summary: 'Read the settings' })
      .output(s.settingsSchema),
    update: op
      .route({ method: 'PATCH', path: '/settings', summary: 'Change settings (merge patch)' })
      .input(settingsPatch)
      .output(s.settingsSchema),
  },
  workspace: {
    get: op
      .route({ method: 'GET', path: '/workspace', summary: 'Read the whole workspace' })
      .output(s.workspaceSchema),
    put: op
      .route({ method: 'PUT', path: '/workspace', summary: 'Replace the whole workspace' })
      .input(z.record(z.string(), z.unknown()))
      .output(s.workspaceSchema),
  },
  clock: {
    get: op
      .route({ method: 'GET', path: '/clock', summary: 'Read the sandbox clock' })
      .output(s.clockSchema),
    update: op
      .route({
        method: 'PATCH',
        path: '/clock',
        summary: 'Freeze, advance, set or reset the clock',
      })
      .input(s.clockPatchSchema)
      .output(s.clockSchema),
  },
  keys: {
    list: op
      .route({ method: 'GET', path: '/keys', summary: 'List signing keys, newest first' })
      .output(s.listOf(s.keySchema)),
    create: op
      .route({
        method: 'POST',
        path: '/keys',
        successStatus: 201,
        summary: 'Make or import a key that signs from now on',
      })
      .input(s.newKeySchema)
      .output(s.keySchema),
    retire: op
      .route({
        method: 'POST',
        path: '/keys/{kid}/retire',
        summary: 'Retire a key: no longer published, its tokens no longer good',
      })
      .input(z.object({ kid: z.string() }))
      .output(s.retiredKeySchema),
  },
  server: {
    get: op
      .route({ method: 'GET', path: '/server', summary: 'Read the state of the server' })
      .output(s.serverSchema),
    start: op
      .route({ method: 'POST', path: '/server/start', summary: 'Start the token service' })
      .input(z.strictObject({ port: z.optional(z.int().check(z.minimum(0), z.maximum(65_535))) }))
      .output(s.serverSchema),
    stop: op
      .route({ method: 'POST', path: '/server/stop', summary: 'Stop the token service' })
      .output(s.serverSchema),
  },
  reset: op
    .route({ method: 'POST', path: '/reset', summary: 'Empty credentials, exchanges and counters' })
    .input(s.resetSchema)
    .output(z.object({ reset_at: z.string() })),
  events: op
    .route({ method: 'GET', path: '/events', summary: 'The numbered, batched feed' })
    .output(feed),
};

export type Contract = typeof contract;
