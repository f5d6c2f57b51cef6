// JSON as a person types it into a field, such as custom claims: the value, or its first problem with the line.

import { readPlacedJson } from '../../core/records/json-text.ts';
import { isJsonObject } from '../../json.ts';
import { claimsSchema, type Client } from '../../control/schemas.ts';
import { IN_WORDS, pathOf } from '../../control/names.ts';

export type Typed<T> =
  (T & { readonly ok: true }) | { readonly ok: false; readonly problem: string };

export const rejected = (problem: string) => ({ ok: false, problem }) as const;

type Claims = Client['claims'];

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

export function readClaims(text: string): Typed<{ readonly claims: Claims }> {
  if (text.trim() === '') return { ok: true, claims: {} };
  const json = readTypedJson(text);
  if (!json.ok) return json;
  const read = claimsSchema.safeParse(json.value, IN_WORDS);
  if (!read.success) {
    const issue = read.error.issues[0];
    const name = issue?.path[0];
    const rule = issue?.message ?? 'is not valid';
    if (name === undefined) return rejected(`The claims ${rule}, like {"role": "admin"}.`);
    const line = json.lineOf(pathOf(issue?.path ?? []));
    return rejected(`Line ${line}: “${String(name)}” ${rule}.`);
  }
  const empty = nullMember(read.data);
  if (empty !== null) {
    const path = pathOf(empty);
    return rejected(`Line ${json.lineOf(path)}: “${path}” is null; leave the claim out instead.`);
  }
  return { ok: true, claims: read.data };
}

export function readTypedJson(
  text: string,
): Typed<{ readonly value: unknown; readonly lineOf: (path: string) => number }> {
  const { value, problems, placeOf } = readPlacedJson(text);
  const lineOf = (path: string) => placeOf(path).line;
  const [first] = problems;
  if (first === undefined) return { ok: true, value, lineOf };
  const { path, message } = first;
  const at = `Line ${lineOf(path)}`;
  return rejected(path === '' ? `${at} ${message}.` : `${at}: “${path}” ${message}.`);
}
