// Reads names and values in forms, JSON, multipart bodies and HTML pages. The readers accept text of any origin,
// never fail, read the text once, and decode only what they inspect.

import { isSecretName } from './names.ts';
import { REDACTED, type Span } from './spans.ts';

/** A value and its name, neither decoded. */
export interface Field {
  /** Empty if it has none, as in an array. */
  readonly name: string;
  readonly value: string;
  /** Its position, and what replaces it when it is redacted. */
  readonly span: Span;
}

export const fieldAt = (text: string, name: string, start: number, end: number): Field => ({
  name,
  value: text.slice(start, end),
  span: { start, end, text: REDACTED },
});

/** Returns the `name=value` pairs between these indexes, which are separated by &. */
export function* formFields(text: string, from = 0, to = text.length): Generator<Field> {
  let start = from;
  while (start < to) {
    const next = text.indexOf('&', start);
    const end = next < 0 || next > to ? to : next;
    const mark = text.slice(start, end).indexOf('=') + start;
    if (mark >= start && mark + 1 < end) {
      yield fieldAt(text, text.slice(start, mark), mark + 1, end);
    }
    start = end + 1;
  }
}

/** Returns the query and the fragment of a path or URL as pairs, and its path as segments without a name. */
export function* targetFields(target: string): Generator<Field> {
  let start = 0;
  let isPath = true;
  for (let index = 0; index <= target.length; index += 1) {
    const char = target[index];
    const ends = char === undefined || char === '?' || char === '#';
    if (!ends && !(isPath && char === '/')) continue;
    if (isPath && index > start) yield fieldAt(target, '', start, index);
    if (!isPath) yield* formFields(target, start, index);
    if (ends) isPath = false;
    start = index + 1;
  }
}

const isBlank = (char: string | undefined) =>
  char === ' ' || char === '\t' || char === '\r' || char === '\n';

export function afterBlanks(text: string, index: number): number {
  let end = index;
  while (isBlank(text[end])) end += 1;
  return end;
}

/** Returns the index after a quoted text that begins here, or the end of the text if it is not closed. */
export function afterQuoted(text: string, index: number): number {
  const quote = text[index];
  let end = index + 1;
  while (end < text.length && text[end] !== quote) end += text[end] === '\\' ? 2 : 1;
  return Math.min(end + 1, text.length);
}

/** Returns the index after the object or array that begins here. */
export function afterBrackets(text: string, index: number): number {
  let depth = 0;
  let end = index;
  while (end < text.length) {
    const char = text[end];
    if (char === '"') {
      end = afterQuoted(text, end);
      continue;
    }
    end += 1;
    if (char === '{' || char === '[') depth += 1;
    if (char === '}' || char === ']') depth -= 1;
    if (depth === 0) break;
  }
  return end;
}

/** Returns the index after the JSON value that begins here. */
export function afterJsonValue(text: string, index: number): number {
  const opens = text[index] === '{' || text[index] === '[';
  return opens ? afterBrackets(text, index) : afterScalar(text, index);
}

/** What may follow a number or a word, undefined at the end of the text. */
const SCALAR_ENDS = new Set<string | undefined>(' \t\r\n"{}[],:').add(undefined);

/** Returns the index after the string, number or word that begins here; the same index if none does. */
function afterScalar(text: string, index: number): number {
  if (text[index] === '"') return afterQuoted(text, index);
  let end = index;
  while (!SCALAR_ENDS.has(text[end])) end += 1;
  return end;
}

const withoutQuotes = (text: string): string =>
  text.endsWith('"') ? text.slice(1, -1) : text.slice(1);

/** A redacted JSON value becomes a string, whatever its type was. */
const memberAt = (text: string, name: string, start: number, end: number): Field => ({
  name,
  value: text[start] === '"' ? withoutQuotes(text.slice(start, end)) : text.slice(start, end),
  span: { start, end, text: `"${REDACTED}"` },
});

/**
 * Returns the values of a JSON text with their names, its names as values without a name, and whole objects and
 * arrays under the name of a secret. Reads as much as possible of truncated or malformed text.
 */
export function* jsonFields(text: string): Generator<Field> {
  let name = '';
  let index = afterBlanks(text, 0);
  while (index < text.length) {
    const secret = name !== '' && isSecretName(name);
    const end = secret ? afterJsonValue(text, index) : afterScalar(text, index);
    if (end === index) {
      // The name applies until its value was read.
      if (text[index] !== ':') name = '';
      index = afterBlanks(text, index + 1);
      continue;
    }
    const next = afterBlanks(text, end);
    const isName = !secret && text[index] === '"' && text[next] === ':';
    yield memberAt(text, isName ? '' : name, index, end);
    name = isName ? withoutQuotes(text.slice(index, end)) : '';
    index = next;
  }
}

/** Returns the next index of the wanted text, or the end. */
function nextIndex(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}

/** Finds a text repeatedly from increasing indexes, in one pass over the whole. */
function createFinder(text: string, wanted: string) {
  let found = -1;
  return (from: number): number => {
    if (found < from) found = nextIndex(text, wanted, from);
    return found;
  };
}

const NAME_MARK = 'name="';
const VALUE_MARK = 'value="';

/** Returns the index of the next quote, or the end. HTML has no backslash escapes. */
const nextQuote = (text: string, index: number): number => nextIndex(text, '"', index);

/** Returns what has a `name="…"`: inputs of an HTML page with their `value`, and parts of a multipart body. */
export function* markedFields(text: string): Generator<Field> {
  const blankLine = createFinder(text, '\n\n');
  const blankWindowsLine = createFinder(text, '\r\n\r\n');
  const boundary = createFinder(text, '\n--');
  let mark = text.indexOf(NAME_MARK);
  while (mark >= 0) {
    const nameEnd = nextQuote(text, mark + NAME_MARK.length);
    const name = text.slice(mark + NAME_MARK.length, nameEnd);
    const next = afterBlanks(text, nameEnd + 1);
    let end = nameEnd;
    if (text.startsWith(VALUE_MARK, next)) {
      const start = next + VALUE_MARK.length;
      end = nextQuote(text, start);
      if (end > start) yield fieldAt(text, name, start, end);
    } else if (isSecretName(name)) {
      const start = Math.min(blankLine(nameEnd) + 2, blankWindowsLine(nameEnd) + 4);
      const last = boundary(start - 1);
      end = text[last - 1] === '\r' ? last - 1 : last;
      if (start < end) yield fieldAt(text, name, start, end);
      else end = nameEnd;
    }
    mark = text.indexOf(NAME_MARK, end);
  }
}
