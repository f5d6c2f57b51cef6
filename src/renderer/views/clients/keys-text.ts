// The public keys of a client as the person pastes them: a JWK Set, one JWK, or an array of them.

import { isJsonObject } from '../../../oauth/json-object.ts';
import { clientSchema, type Client } from '../../../control/schemas.ts';
import { IN_WORDS } from '../../../control/names.ts';
import { lineOfMember, readJson } from '../../ui/json-text.ts';

type Keys = Client['jwks'];
type ReadKeys =
  { readonly ok: true; readonly jwks: Keys } | { readonly ok: false; readonly problem: string };

export const keysText = (jwks: Keys): string =>
  jwks === null ? '' : JSON.stringify(jwks, null, 2);

/** What beside `keys` a JWK Set has is to be ignored (RFC 7517 5). */
function asSet(value: unknown): unknown {
  if (Array.isArray(value)) return { keys: value as unknown };
  if (!isJsonObject(value)) return value;
  return 'keys' in value ? { keys: value['keys'] } : { keys: [value] };
}

export function readKeys(text: string): ReadKeys {
  if (text.trim() === '') return { ok: true, jwks: null };
  const json = readJson(text);
  if (!json.ok) return json;
  const read = clientSchema.shape.jwks.safeParse(asSet(json.value), IN_WORDS);
  if (read.success) return { ok: true, jwks: read.data };
  const issue = read.error.issues[0];
  const said = issue?.message ?? 'is not valid';
  const [, index, member] = issue?.path ?? [];
  if (typeof index !== 'number') return { ok: false, problem: `The keys ${said}.` };
  const key = `Key ${index + 1}`;
  if (typeof member !== 'string') return { ok: false, problem: `${key} ${said}.` };
  const line = text.includes(JSON.stringify(member)) ? `, line ${lineOfMember(text, member)}` : '';
  return { ok: false, problem: `${key}${line}: “${member}” ${said}.` };
}
