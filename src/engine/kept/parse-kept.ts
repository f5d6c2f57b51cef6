// Parses the --keep file: version 1, and the older version with only keys.

import { isJsonObject } from '../../json.ts';
import { z } from '../../core/records/zod.ts';
import { parseJsonText } from '../../core/records/json-text.ts';
import { atMostEntries } from '../../core/records/members.ts';
import { IN_WORDS, problemsOf } from '../../core/records/problems.ts';
import { signingKeySchema } from '../../core/records/schemas.ts';
import { type Checked, checkKeys, newer } from '../workspace/document.ts';
import { KEPT_BOUNDS } from '../../core/records/bounds.ts';

/** Milliseconds since the epoch. */
const ms = z.int('must be whole milliseconds').check(z.minimum(0, 'must be at least 0'));

/** `<epoch>.<lineage>`, `<epoch>.<lineage>.<n>`, or `<epoch>.client-<digest>`. */
const DENIED = /^[\w-]{1,64}\.([0-9a-z]{1,12}(\.\d{1,12})?|client-[\w-]{1,64})$/;

const denialSchema = z.strictObject({
  key: z
    .string('must be a string')
    .check(z.regex(DENIED, 'must identify a token, a lineage or a client')),
  reason: z.enum(['revoked', 'expired'], 'must be revoked or expired'),
  at: ms,
  until: ms,
  up_to: z.exactOptional(z.int('must be a whole number').check(z.minimum(0, 'must be at least 0'))),
  with_client: z.exactOptional(z.literal(true, 'must be true')),
});

const journalSchema = z.array(denialSchema);

const epochSchema = z.strictObject({
  epoch: z.string('must be a string').check(z.regex(/^[\w-]{1,64}$/, 'must be an epoch')),
  until: ms,
});

const keptSchema = z.strictObject({
  version: z.literal(1, 'must be 1: the only format that this release supports'),
  keys: z
    .array(z.strictObject({ created_at: ms, jwk: signingKeySchema }), 'must be an array')
    .check(atMostEntries(KEPT_BOUNDS.keys)),
  /** Earlier epochs whose access tokens remain valid until they expire. */
  epochs: z.array(epochSchema, 'must be an array').check(atMostEntries(KEPT_BOUNDS.epochs)),
  denials: z.array(denialSchema, 'must be an array'),
});

const keysAloneSchema = z.strictObject({
  keys: z.array(signingKeySchema, 'must be an array').check(atMostEntries(KEPT_BOUNDS.keys)),
});

export type Kept = z.infer<typeof keptSchema>;

const isOfKeysAlone = (data: unknown): boolean =>
  isJsonObject(data) && !('version' in data) && 'keys' in data;

async function readKeysAlone(data: unknown, now: number): Promise<Checked<Kept>> {
  const result = keysAloneSchema.safeParse(data, IN_WORDS);
  if (!result.success) return { problems: problemsOf(result.error.issues, data) };
  const problems = await checkKeys(result.data.keys);
  if (problems.length > 0) return { problems };
  const keys = result.data.keys.map((jwk) => ({ created_at: now, jwk }));
  return { value: { version: 1, keys, epochs: [], denials: [] } };
}

/**
 * Parses the document, and returns every problem with its path.
 * @param now the creation time of keys of unknown age, in ms on the sandbox clock
 */
export async function parseKept(text: string, now: number): Promise<Checked<Kept>> {
  const parsed = parseJsonText(text);
  if ('problems' in parsed) return parsed;
  const data = parsed.value;
  const tooNew = newer(data);
  if (tooNew !== null) return { problems: [tooNew] };
  if (isOfKeysAlone(data)) return readKeysAlone(data, now);
  const result = keptSchema.safeParse(data, IN_WORDS);
  if (!result.success) return { problems: problemsOf(result.error.issues, data) };
  const jwks = result.data.keys.map(({ jwk }) => jwk);
  const problems = await checkKeys(jwks, (index) => `keys[${index}].jwk`);
  return problems.length > 0 ? { problems } : { value: result.data };
}

export function parseJournal(lines: readonly unknown[]): Checked<Kept['denials']> {
  const result = journalSchema.safeParse(lines, IN_WORDS);
  if (result.success) return { value: result.data };
  return { problems: problemsOf(result.error.issues, lines) };
}
