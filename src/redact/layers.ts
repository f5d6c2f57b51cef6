// Layers of a text: the text with its escapes undone (percent-encoding with + for a space, JSON escapes, HTML
// entities) or its base64 decoded, with the origin of each character, so that what is found in a layer can be
// redacted in the original text. Each layer takes time linear in its text.

import { lastAtMost } from './spans.ts';

export interface Layer {
  readonly text: string;
  /** Returns where the character at this index begins in the original text. */
  readonly start: (index: number) => number;
  /** Returns where the character before this index ends in the original text. */
  readonly end: (index: number) => number;
}

/** A URL in a URL in a JSON string has three layers, and a secret may itself look like an escape. */
const MOST_LAYERS = 6;

/** The length of an escape and the code of its character, combined in one number, because there can be many. */
type Escape = number;
const NO_ESCAPE: Escape = 0;
const escapeOf = (length: number, code: number): Escape => (length << 16) | code;

const JSON_ESCAPES = new Map(
  Object.entries({
    '"': '"',
    '\\': '\\',
    '/': '/',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
  }).map(([sign, char]) => [sign.charCodeAt(0), char.charCodeAt(0)]),
);

const ENTITIES = new Map([
  ['amp', 0x26],
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['quot', 0x22],
  ['apos', 0x27],
]);
const LONGEST_ENTITY = 8;
const NUMERIC = /^#(?:[xX][\da-fA-F]{1,4}|\d{1,5})$/;

/** Returns the value of a hexadecimal digit; a negative number for other characters. */
function hexDigit(code: number): number {
  if (code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** @param mark length of what precedes the digits */
function hexEscape(text: string, index: number, mark: number, digits: number): Escape {
  const end = index + mark + digits;
  let code = 0;
  for (let place = index + mark; place < end; place += 1) {
    const digit = hexDigit(text.charCodeAt(place));
    if (digit < 0) return NO_ESCAPE;
    code = code * 16 + digit;
  }
  return escapeOf(mark + digits, code);
}

function jsonEscape(text: string, index: number): Escape {
  const sign = text.charCodeAt(index + 1);
  if (sign === 0x75) return hexEscape(text, index, 2, 4);
  const code = JSON_ESCAPES.get(sign);
  return code === undefined ? NO_ESCAPE : escapeOf(2, code);
}

function entity(text: string, index: number): Escape {
  const end = text.slice(index + 1, index + 2 + LONGEST_ENTITY).indexOf(';');
  const name = text.slice(index + 1, index + 1 + end);
  const code = NUMERIC.test(name) ? Number(`0${name.slice(1)}`) : ENTITIES.get(name);
  return code === undefined || code > 0xffff ? NO_ESCAPE : escapeOf(end + 2, code);
}

type ReadEscape = (text: string, index: number) => Escape;

const inJson: ReadEscape = (text, index) =>
  text.charCodeAt(index) === 0x5c ? jsonEscape(text, index) : NO_ESCAPE;

function inAnything(text: string, index: number): Escape {
  switch (text.charCodeAt(index)) {
    case 0x25:
      return hexEscape(text, index, 1, 2);
    case 0x2b:
      return escapeOf(1, 0x20);
    case 0x5c:
      return jsonEscape(text, index);
    case 0x26:
      return entity(text, index);
    default:
      return NO_ESCAPE;
  }
}

/** Returns the layer with one round of escapes undone; null if it has none. */
function unescaped(layer: Layer, escapeAt: ReadEscape): Layer | null {
  const { text } = layer;
  const parts: string[] = [];
  // For each escape, the index after it in the result and in the text.
  const reached = [0];
  const source = [0];
  let copied = 0;
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const escape = escapeAt(text, index);
    if (escape === NO_ESCAPE) continue;
    parts.push(text.slice(copied, index), String.fromCharCode(escape & 0xffff));
    length += index - copied + 1;
    copied = index + (escape >>> 16);
    reached.push(length);
    source.push(copied);
    index = copied - 1;
  }
  if (copied === 0) return null;
  parts.push(text.slice(copied));
  const sourceOf = (index: number) => {
    const last = lastAtMost(reached, index);
    return (source[last] ?? 0) + index - (reached[last] ?? 0);
  };
  return {
    text: parts.join(''),
    start: (index) => layer.start(sourceOf(index)),
    end: (index) => layer.end(sourceOf(index)),
  };
}

/** Returns the layer itself and the layers below it, with one more round of escapes undone each. */
export function escapeLayers(first: Layer): Layer[] {
  const layers = [first];
  while (layers.length < MOST_LAYERS) {
    const next = unescaped(layers.at(-1) ?? first, inAnything);
    if (next === null) break;
    layers.push(next);
  }
  return layers;
}

/** Returns the layer of a text, or of the part between these indexes. */
export function givenLayer(text: string, from = 0, to = text.length): Layer {
  const place = (index: number) => from + index;
  return { text: text.slice(from, to), start: place, end: place };
}

/** Returns the content of a JSON string between these indexes. */
export function stringLayer(text: string, from: number, to: number): Layer {
  const written = givenLayer(text, from, to);
  return unescaped(written, inJson) ?? written;
}

/** Returns the text with all its escapes undone. */
export const plainText = (text: string): string =>
  escapeLayers(givenLayer(text)).at(-1)?.text ?? text;

/** The value of each base64 digit, of both alphabets (RFC 4648 4 and 5). */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGITS = new Uint8Array(128);
for (let value = 0; value < ALPHABET.length; value += 1) {
  DIGITS[ALPHABET.charCodeAt(value)] = value;
}
DIGITS['-'.charCodeAt(0)] = 62;
DIGITS['_'.charCodeAt(0)] = 63;

/** Six bytes at least: shorter secrets are not searched for inside a text. */
const BASE64 = /[\w+/-]{8,}/g;

/** A part of a text from one index to another. */
type Run = readonly [from: number, to: number];

const base64Runs = (text: string): Run[] =>
  Array.from(text.matchAll(BASE64), ({ index, 0: run }) => [index, index + run.length]);

/** Returns the bytes of the digits between these indexes; remaining bits are ignored. */
function decoded(text: string, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(Math.floor(((to - from) * 3) / 4));
  // Missing digits count as 0, and the Uint8Array drops bytes beyond its length.
  const digit = (index: number) => (index < to ? (DIGITS[text.charCodeAt(index)] ?? 0) : 0);
  for (let index = from, at = 0; index < to; index += 4, at += 3) {
    const second = digit(index + 1);
    const third = digit(index + 2);
    bytes[at] = (digit(index) << 2) | (second >> 4);
    bytes[at + 1] = (second << 4) | (third >> 2);
    bytes[at + 2] = (third << 6) | digit(index + 3);
  }
  return bytes;
}

const isPrintable = (byte: number) => byte >= 0x20 && byte < 0x7f;

/** The minimum length of printable text in which a secret is searched for. */
const LEAST_PRINTABLE = 6;

/** The number of characters that are joined at once. */
const AT_ONCE = 4096;

function ascii(codes: Uint8Array): string {
  const parts: string[] = [];
  for (let from = 0; from < codes.length; from += AT_ONCE) {
    parts.push(String.fromCharCode(...codes.subarray(from, from + AT_ONCE)));
  }
  return parts.join('');
}

/** Returns where these bytes contain text that is long enough for a secret. */
function printableStretches(bytes: Uint8Array): Run[] {
  const stretches: Run[] = [];
  let from = 0;
  for (let index = 0; index <= bytes.length; index += 1) {
    if (isPrintable(bytes[index] ?? 0)) continue;
    if (index - from >= LEAST_PRINTABLE) stretches.push([from, index]);
    from = index + 1;
  }
  return stretches;
}

/**
 * Returns what all runs contain, decoded from this digit on, with a line for each piece of printable text. Decoding
 * from a wrong digit produces hardly any text.
 */
function decodedRuns(layer: Layer, runs: readonly Run[], skipped: number): Layer {
  const lines: string[] = [];
  // For each line: its index in the result, the first digit of its run, and its first byte in the run.
  const reached: number[] = [];
  const firstDigits: number[] = [];
  const firstBytes: number[] = [];
  let length = 0;
  for (const [from, to] of runs) {
    const first = from + skipped;
    const bytes = decoded(layer.text, first, to);
    for (const [begin, end] of printableStretches(bytes)) {
      lines.push(`${ascii(bytes.subarray(begin, end))}\n`);
      reached.push(length);
      firstDigits.push(first);
      firstBytes.push(begin);
      length += end - begin + 1;
    }
  }
  const digitOf = (index: number, round: (digits: number) => number) => {
    const line = lastAtMost(reached, index);
    const byte = (firstBytes[line] ?? 0) + index - (reached[line] ?? 0);
    return (firstDigits[line] ?? 0) + round((byte * 4) / 3);
  };
  return {
    text: lines.join(''),
    start: (index) => layer.start(digitOf(index, Math.floor)),
    end: (index) => layer.end(digitOf(index, Math.ceil)),
  };
}

/**
 * Returns the content of the layer's base64 runs. A run may begin before the base64 does (`/cb/ZGVtbw`), so each is
 * decoded from its first, second, third and fourth digit.
 */
export function base64Layers(layer: Layer): Layer[] {
  const runs = base64Runs(layer.text);
  if (runs.length === 0) return [];
  return [0, 1, 2, 3]
    .map((skipped) => decodedRuns(layer, runs, skipped))
    .filter(({ text }) => text !== '');
}
