// A private signing key as the person pastes it: one JWK as JSON.

import { newKeySchema } from '../../../control/schemas.ts';
import { IN_WORDS } from '../../../control/names.ts';
import { lineOfMember, readJson } from '../../ui/json-text.ts';

export type PrivateJwk = NonNullable<ReturnType<typeof newKeySchema.parse>['jwk']>;

type ReadKey =
  | { readonly ok: true; readonly jwk: PrivateJwk }
  | { readonly ok: false; readonly problem: string };

export function readPrivateKey(text: string): ReadKey {
  if (text.trim() === '') return { ok: false, problem: 'Paste a private key as a JWK.' };
  const json = readJson(text);
  if (!json.ok) return json;
  const read = newKeySchema.safeParse({ jwk: json.value }, IN_WORDS);
  if (read.success && read.data.jwk !== undefined) return { ok: true, jwk: read.data.jwk };
  const issue = read.error?.issues[0];
  const [, member] = issue?.path ?? [];
  const said = issue?.message ?? 'is not valid';
  if (typeof member !== 'string') {
    return { ok: false, problem: 'The key must be a JSON object: one JWK, not a set of them.' };
  }
  const there = text.includes(JSON.stringify(member));
  const line = there ? `Line ${lineOfMember(text, member)}: ` : '';
  return { ok: false, problem: `${line}“${member}” ${there ? said : 'is missing'}.` };
}
