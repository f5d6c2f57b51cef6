// Parses custom claims that are typed as JSON: returns the claims, or a problem with its line.

import { isJsonObject } from '../../json.ts';
import { claimsSchema, type Client } from '../../control/schemas.ts';
import { IN_WORDS, pathOf } from '../../control/names.ts';
import { readTypedJson } from './typed-json.ts';

export type Claims = Client['claims'];
export type ReadClaims =
  { readonly ok: true; readonly claims: Claims } | { readonly ok: false; readonly problem: string };

export const claimsText = (claims: Claims): string =>
  Object.keys(claims).length === 0 ? '' : JSON.stringify(claims, null, 2);

/** The path of a null, which a merge patch would treat as a removal (RFC 7396). */
function nullMember(value: unknown): readonly string[] | null {
  if (!isJsonObject(value)) return null;
  for (const [name, member] of Object.entries(value)) {
    if (member === null) return [name];
    const inside = nullMember(member);
    if (inside !== null) return [name, ...inside];
  }
  return null;
}

export function readClaims(text: string): ReadClaims {
  if (text.trim() === '') return { ok: true, claims: {} };
  const json = readTypedJson(text);
  if (!json.ok) return json;
  const read = claimsSchema.safeParse(json.value, IN_WORDS);
  if (!read.success) {
    const issue = read.error.issues[0];
    const name = issue?.path[0];
    const rule = issue?.message ?? 'is not valid';
    if (name === undefined)
      return { ok: false, problem: `The claims ${rule}, like {"role": "admin"}.` };
    const line = json.lineOf(pathOf(issue?.path ?? []));
    return { ok: false, problem: `Line ${line}: “${String(name)}” ${rule}.` };
  }
  const empty = nullMember(read.data);
  if (empty !== null) {
    const path = pathOf(empty);
    const problem = `Line ${json.lineOf(path)}: “${path}” is null; leave the claim out instead.`;
    return { ok: false, problem };
  }
  return { ok: true, claims: read.data };
}
