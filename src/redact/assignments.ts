// Finds values that are assigned to the name of a secret in any text: `client_secret=abc`, `"code": "abc"`,
// `refresh_token => 'abc'`, `<password>abc</password>`, `Authorization: Bearer abc`, and credentials after the name
// of an authentication scheme. Reads the text once, word by word.

import { isWordCode, wordEnd } from './credential-shapes.ts';
import { afterBlanks, afterBrackets, afterQuoted } from './fields.ts';
import { isSecretName } from './names.ts';

/** The position of a secret. */
type Place = readonly [start: number, end: number];

export interface AssignmentRules {
  /** Also matches `code: abc` and `<code>abc`. In prose, a colon is not an assignment. */
  readonly loose: boolean;
  /** Matches what follows `Basic` and other schemes. */
  readonly schemes: boolean;
}

const SCHEMES = new Set(['basic', 'bearer', 'digest', 'dpop', 'negotiate']);

/** Whether this is the name of an authentication scheme, in any case. */
export const isScheme = (word: string): boolean => SCHEMES.has(word.toLowerCase());

const VALUE_ENDS = ' \t\r\n&,;}"\'<';
const QUOTES = '"\'';

/** The characters of a token68 (RFC 9110 11.2), without its padding. */
const isCredentialChar = (code: number) =>
  isWordCode(code) || '.~+/'.includes(String.fromCharCode(code));

const isOneOf = (chars: string, char: string | undefined) =>
  char !== undefined && chars.includes(char);

/** Returns the index after a blank line, which separates name and value in a multipart body; -1 if there is none. */
function afterBlankLine(text: string, index: number): number {
  const value = afterBlanks(text, index);
  return text.slice(index, value).split('\n', 3).length === 3 ? value : -1;
}

/** Returns where the value begins that is assigned to the word between these indexes; -1 if none is. */
function valueStart(text: string, start: number, end: number, loose: boolean): number {
  if (loose && text[start - 1] === '<' && text[end] === '>') return end + 1;
  const quoted = isOneOf(QUOTES, text[end]) || text[end] === ']';
  const behind = quoted ? end + 1 : end;
  const mark = afterBlanks(text, behind);
  const assigns = text[mark] === '=' || (text[mark] === ':' && (quoted || loose));
  if (!assigns) return loose ? afterBlankLine(text, behind) : -1;
  const arrow = text[mark + 1] === '>' || text[mark + 1] === '=';
  return afterBlanks(text, mark + (arrow ? 2 : 1));
}

/** Skips `Bearer ` and other schemes at the beginning of a value. */
function afterScheme(text: string, index: number): number {
  const end = wordEnd(text, index);
  if (text[end] !== ' ' || !isScheme(text.slice(index, end))) return index;
  return afterBlanks(text, end);
}

function valueEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !isOneOf(VALUE_ENDS, text[end])) end += 1;
  return end;
}

/**
 * Returns the value that begins here, without its quotes.
 * @param structured whether it may be an object or an array
 */
function valueAt(text: string, index: number, structured: boolean): Place {
  const char = text[index];
  if (structured && (char === '[' || char === '{')) return [index, afterBrackets(text, index)];
  if (isOneOf(QUOTES, char)) {
    const end = afterQuoted(text, index);
    return [index + 1, text[end - 1] === char ? end - 1 : end];
  }
  const start = afterScheme(text, index);
  return [start, valueEnd(text, start)];
}

function credentialsEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && isCredentialChar(text.charCodeAt(end))) end += 1;
  return end;
}

/** Returns what follows the name of a scheme, unless it is a parameter as in `Bearer realm="x"`. */
function credentialsAt(text: string, index: number): Place | null {
  const start = afterBlanks(text, index);
  const run = credentialsEnd(text, start);
  let end = run;
  while (text[end] === '=') end += 1;
  const padded = end > run;
  const isParameter = padded && end < text.length && !isOneOf(' \t\r\n,;', text[end]);
  return run === start || isParameter ? null : [start, end];
}

/** In the claims parameter, id_token has an object of requests, and no token (OpenID Connect Core 5.5). */
const isClaimsRequest = (text: string, start: number, end: number, value: number): boolean =>
  text[value] === '{' && text.slice(start, end) === 'id_token';

function placeAt(text: string, start: number, end: number, rules: AssignmentRules): Place | null {
  const value = valueStart(text, start, end, rules.loose);
  if (isClaimsRequest(text, start, end, value)) return null;
  if (value >= 0 && isSecretName(text.slice(start, end))) {
    return valueAt(text, value, rules.loose || isOneOf(QUOTES, text[end]));
  }
  if (!rules.schemes || text[end] !== ' ') return null;
  return isScheme(text.slice(start, end)) ? credentialsAt(text, end) : null;
}

/** Returns the positions of secrets in the text, in order. */
export function assignmentsIn(text: string, rules: AssignmentRules): Place[] {
  const places: Place[] = [];
  let index = 0;
  while (index < text.length) {
    const end = wordEnd(text, index);
    const place = end === index ? null : placeAt(text, index, end, rules);
    if (place !== null && place[1] > place[0]) {
      places.push(place);
      index = place[1];
    } else index = Math.max(end, index + 1);
  }
  return places;
}
