// Custom claims as the person types them: JSON text in, claims or a problem with its line out.

import { claimsSchema, type Client } from '../control/schemas.ts';

export type Claims = Client['claims'];
export type ReadClaims =
  { readonly ok: true; readonly claims: Claims } | { readonly ok: false; readonly problem: string };

export const claimsText = (claims: Claims): string =>
  Object.keys(claims).length === 0 ? '' : JSON.stringify(claims, null, 2);

const lineOf = (text: string, position: number) => text.slice(0, position).split('\n').length;

/** Where the engine's JSON parser stopped: Chromium says `position 12`, Firefox `line 2 column 5`. */
function syntaxProblem(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = /position (\d+)/.exec(message)?.[1];
  const line = /line (\d+)/.exec(message)?.[1];
  const what = message
    .replace(/^JSON\.parse: /, '')
    .replace(/^JSON Parse error: /, '')
    .replace(/ in JSON.*$/, '')
    .replace(/,? at line \d+ column \d+.*$/, '')
    .replace(/, ".*" is not valid JSON$/s, '');
  if (/Unexpected end|end of data|Unexpected EOF|Unterminated/i.test(message)) {
    return `Line ${text.trimEnd().split('\n').length}: the JSON ends too early; a closing brace, bracket or quote is missing.`;
  }
  if (position !== undefined) return `Line ${lineOf(text, Number(position))}: ${what}.`;
  return line === undefined ? `${what}.` : `Line ${line}: ${what}.`;
}

const lineOfMember = (text: string, name: string): number => {
  const at = text.indexOf(JSON.stringify(name));
  return at < 0 ? 1 : lineOf(text, at);
};

/** The path of a null that a merge patch would take as "remove" (RFC 7396). */
function nullMember(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  for (const [name, member] of Object.entries(value)) {
    if (member === null) return name;
    const inside = nullMember(member);
    if (inside !== null) return inside;
  }
  return null;
}

export function readClaims(text: string): ReadClaims {
  if (text.trim() === '') return { ok: true, claims: {} };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: syntaxProblem(text, error) };
  }
  const read = claimsSchema.safeParse(parsed);
  if (!read.success) {
    const issue = read.error.issues[0];
    const name = issue?.path[0];
    const said = issue?.message ?? 'is not valid';
    if (name === undefined)
      return { ok: false, problem: `The claims ${said}, like {"role": "admin"}.` };
    return {
      ok: false,
      problem: `Line ${lineOfMember(text, String(name))}: “${String(name)}” ${said}.`,
    };
  }
  const empty = nullMember(read.data);
  if (empty !== null) {
    const line = lineOfMember(text, empty);
    return { ok: false, problem: `Line ${line}: “${empty}” is null; leave the claim out instead.` };
  }
  return { ok: true, claims: read.data };
}
