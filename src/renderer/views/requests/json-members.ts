// The members of a JSON object as they are written, with repeated names and the spelling of each value
// kept, both of which JSON.parse would lose.

import { parseJsonObject } from '../../../oauth/json-object.ts';
import { afterQuoted } from '../../../redact/fields.ts';

export interface JsonMember {
  readonly name: string;
  /** The value as it is written. */
  readonly value: string;
  /** The whole member as it is written. */
  readonly source: string;
}

const PLAIN = /[^\s,\]}]+/y;
const BETWEEN = /[\s,]*/y;
const COLON = /\s*:\s*/y;

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function endOfNested(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const character = text[at];
    if (character === '"') {
      at = afterQuoted(text, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    at += 1;
  } while (depth > 0);
  return at;
}

function endOfValue(text: string, at: number): number {
  const character = text[at];
  if (character === '"') return afterQuoted(text, at);
  return character === '{' || character === '[' ? endOfNested(text, at) : endOf(PLAIN, text, at);
}

/** In the order they are written; null when the text is no JSON object. */
export function jsonMembers(text: string): readonly JsonMember[] | null {
  if (parseJsonObject(text) === null) return null;
  const members: JsonMember[] = [];
  let at = endOf(BETWEEN, text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const nameEnd = afterQuoted(text, at);
    const start = endOf(COLON, text, nameEnd);
    const end = endOfValue(text, start);
    members.push({
      name: JSON.parse(text.slice(at, nameEnd)) as string,
      value: text.slice(start, end),
      source: text.slice(at, end),
    });
    at = endOf(BETWEEN, text, end);
  }
  return members;
}
