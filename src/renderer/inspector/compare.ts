// Two tokens side by side, member by member.

import { asText } from '../../oauth/claims.ts';
import type { JsonObject } from '../../oauth/json-object.ts';

/** From the first to the second. */
export type Mark = 'same' | 'added' | 'removed' | 'changed';

export interface ComparedMember {
  readonly name: string;
  readonly mark: Mark;
  /** null where it is missing. */
  readonly first: string | null;
  readonly second: string | null;
}

const textIn = (members: JsonObject, name: string): string | null =>
  Object.hasOwn(members, name) ? asText(members[name]) : null;

function compareMember(name: string, one: JsonObject, other: JsonObject): ComparedMember {
  const [first, second] = [textIn(one, name), textIn(other, name)];
  if (first === null) return { name, mark: 'added', first, second };
  if (second === null) return { name, mark: 'removed', first, second };
  if (first !== second) return { name, mark: 'changed', first, second };
  if (typeof one[name] === typeof other[name]) return { name, mark: 'same', first, second };
  // 1 and "1": shown as JSON, or nobody sees the difference.
  const json = (members: JsonObject) => JSON.stringify(members[name]);
  return { name, mark: 'changed', first: json(one), second: json(other) };
}

/** In the order of the first, then what only the second has. */
export function compareMembers(one: JsonObject, other: JsonObject): ComparedMember[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].map((name) => compareMember(name, one, other));
}

/** Scopes are a set (RFC 6749 3.3): which came and which went. */
export function scopeChange(
  first: string | null,
  second: string | null,
): { readonly added: string[]; readonly removed: string[] } {
  const words = (text: string | null) => (text ?? '').split(/\s+/).filter((word) => word !== '');
  const [before, after] = [words(first), words(second)];
  return {
    added: after.filter((scope) => !before.includes(scope)),
    removed: before.filter((scope) => !after.includes(scope)),
  };
}
