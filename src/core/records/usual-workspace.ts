// The schema of a workspace with the members that most files have, and the rules between its records. The schemas of the
// other members take as long to create as these, and few workspaces have such members.

import { jsonBytes, recordBytes } from '../collections/weight.ts';
import { described, z } from './zod.ts';
import { FAULT_BOUNDS, MAX_KEY_BYTES, RECORD_BOUNDS, SIGNING_KEY_BOUNDS } from './bounds.ts';
import { SIGNING_ALGS } from './enumerations.ts';
import { ALWAYS, atMostEntries, oneOf, orEmpty, text, visible } from './members.ts';
import { isJsonObject } from '../../json.ts';
import type { Bounds } from '../collections/bounded-map.ts';
import { audienceSchema, clientSchema, userSchema } from './registered.ts';
import { settingsSchema } from './settings.ts';

/** 256 bits in base64url (RFC 7518 3.2). */
const HS256_CHARACTERS = 43;

/** The type of key that each algorithm needs. */
export const KTY_OF_ALG = {
  RS256: 'RSA',
  PS256: 'RSA',
  ES256: 'EC',
  EdDSA: 'OKP',
  HS256: 'oct',
} as const;

/** A private signing key as a JWK (RFC 7517) with its `alg`; `kid` defaults to its thumbprint. */
export const signingKeySchema = z
  .looseObject({
    kty: described(
      z.enum(['RSA', 'EC', 'OKP', 'oct'], 'must be RSA, EC, OKP or oct'),
      'Type of the key (RFC 7517).',
    ),
    alg: described(oneOf(SIGNING_ALGS), 'The algorithm of the key.'),
    kid: described(
      z.optional(visible(200)),
      'Identifier of the key; its thumbprint (RFC 7638) by default.',
    ),
  })
  .check(
    z.superRefine((key, ctx) => {
      const { alg } = key;
      const kty = KTY_OF_ALG[alg];
      const secret = kty === 'oct' ? 'k' : 'd';
      const value = key[secret];
      if (key.kty !== kty) {
        const message = `must fit the key: ${alg} needs one of kty ${kty}`;
        ctx.addIssue({ code: 'custom', path: ['alg'], message });
      } else if (typeof value !== 'string') {
        const message = 'is required: a signing key must include its private part';
        ctx.addIssue({ code: 'custom', path: [secret], message });
      } else if (jsonBytes(key) > MAX_KEY_BYTES) {
        const message = `must not take more than ${MAX_KEY_BYTES / 1024} KiB in memory`;
        ctx.addIssue({ code: 'custom', message });
      } else if (alg === 'HS256' && value.length < HS256_CHARACTERS) {
        const bytes = Math.floor((value.length * 3) / 4);
        const message = `must be at least 32 bytes for HS256 (RFC 7518 3.2); it has ${bytes}`;
        ctx.addIssue({ code: 'custom', path: [secret], message });
      }
    }),
  );

type RecordList =
  'audiences' | 'apis' | 'clients' | 'users' | 'faults' | 'saved_flows' | 'saved_requests';

const objectOf = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {});

const MIB = 1024 * 1024;

const bytesOf = (records: readonly unknown[]) =>
  records.reduce((bytes: number, record) => bytes + recordBytes(record), 0);

export const boundedList = <T extends z.core.SomeType>(record: T, { entries, bytes }: Bounds) =>
  z.array(record, 'must be an array').check(
    atMostEntries(entries),
    z.refine(
      (records) => records.length > entries || bytesOf(records) <= bytes,
      `must not take more than ${bytes / MIB} MiB in memory`,
    ),
  );

/** An omitted list is empty. */
export const listOf = <T extends z.core.SomeType>(record: T, bounds: Bounds) =>
  z._default(boundedList(record, bounds), []);

/** Requires names that differ, and default audiences that exist. */
export const rulesBetweenRecords = z.superRefine((workspace: unknown, ctx) => {
  if (!isJsonObject(workspace)) return;
  const recordsOf = (list: RecordList): Record<string, unknown>[] => {
    const records: unknown = workspace[list];
    return Array.isArray(records) ? records.map(objectOf) : [];
  };
  /** @param path of the member whose values must differ */
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
  repeated('apis', 'name');
  repeated('faults', 'id');
  repeated('saved_flows', 'scenario', 'name');
  repeated('saved_requests', 'name');
  const paths = new Set<string>();
  recordsOf('apis').forEach(({ name, path }, index) => {
    const own = typeof path === 'string' ? path : `/api/${String(name)}`;
    // An API without a name has a problem of its own.
    if (typeof name === 'string' && paths.has(own)) {
      const message = `is "${own}", which another API already has`;
      ctx.addIssue({ code: 'custom', path: ['apis', index, 'path'], message });
    }
    paths.add(own);
  });
  const settings: unknown = workspace.settings;
  const known = new Set(recordsOf('audiences').map((audience) => audience['uri']));
  for (const { audience } of recordsOf('apis')) known.add(audience);
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
}, ALWAYS);

const UNTITLED = 'Untitled';

export const usualMembers = {
  version: described(
    z.literal(1, 'must be 1: the only workspace format that this release supports'),
    'Version of the format: 1.',
  ),
  name: described(
    // Rejecting a blank name would make files of earlier builds unreadable.
    z._default(
      text(200).check(z.overwrite((name) => (name.trim() === '' ? UNTITLED : name))),
      UNTITLED,
    ),
    'Name of the workspace, shown in the status line; a blank name is replaced by Untitled.',
  ),
  settings: described(orEmpty(settingsSchema), 'How the service behaves.'),
  audiences: described(listOf(audienceSchema, RECORD_BOUNDS.audiences), 'The registered APIs.'),
  clients: described(listOf(clientSchema, RECORD_BOUNDS.clients), 'The registered clients.'),
  users: described(listOf(userSchema, RECORD_BOUNDS.users), 'The registered users.'),
  keys: described(
    z.optional(
      z
        .array(signingKeySchema, 'must be an array')
        .check(atMostEntries(SIGNING_KEY_BOUNDS.entries)),
    ),
    'Private signing keys as JWKs. The first one for signing_alg signs. Without any, new keys are created at each start, unless --keep stores them.',
  ),
};

const { keys, ...members } = usualMembers;

/** Its list of faults is always empty. */
export const usualWorkspaceSchema = z
  .strictObject({ ...members, faults: listOf(z.never(), FAULT_BOUNDS), keys })
  .check(rulesBetweenRecords);

/** Returns whether a document has no member but these, so that its check needs no other schema. */
export function isUsualWorkspace(data: unknown): boolean {
  if (!isJsonObject(data)) return true;
  const { faults, ...others } = data;
  const hasFaults = faults !== undefined && !(Array.isArray(faults) && faults.length === 0);
  return !hasFaults && Object.keys(others).every((name) => Object.hasOwn(usualMembers, name));
}
