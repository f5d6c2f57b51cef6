// The parts of JSON that are told apart by colour. Text that is cut short, or no JSON at all, is taken as far as it goes.

import { afterQuoted } from '../../redact/fields.ts';

export type JsonKind = 'name' | 'string' | 'number' | 'word';

export interface JsonToken {
  /** null for what stands between: braces, commas and blanks. */
  readonly kind: JsonKind | null;
  readonly text: string;
}

/** Where a value begins: a string with its quote, the others whole. */
const VALUE = /"|-?\d[\d.eE+-]*|true|false|null/g;

function kindOf(value: string, after: string): JsonKind {
  if (value.startsWith('"')) return after === ':' ? 'name' : 'string';
  return /^[-\d]/.test(value) ? 'number' : 'word';
}

/** Whether it begins as an object or an array does. */
export const isJsonText = (text: string): boolean => /^\s*(?:\{\s*["}]|\[\s*[[{"\]\d-])/.test(text);

/** All of the text, in its order. */
export function jsonTokens(text: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let from = 0;
  for (const { index, 0: found } of text.matchAll(VALUE)) {
    // What looks like a value inside a string is part of it.
    if (index < from) continue;
    if (index > from) tokens.push({ kind: null, text: text.slice(from, index) });
    from = found === '"' ? afterQuoted(text, index) : index + found.length;
    const value = text.slice(index, from);
    tokens.push({ kind: kindOf(value, text.charAt(from)), text: value });
  }
  if (from < text.length) tokens.push({ kind: null, text: text.slice(from) });
  return tokens;
}
