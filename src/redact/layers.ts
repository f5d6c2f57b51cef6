// A text as it reads once its escapes are undone (percent-encoding with + for a blank, JSON escapes, HTML
// entities) or its base64 is decoded, together with where each character came from: what is found in a
// layer can be taken out of the text that was given. Each layer costs time linear in its text.

import { lastAtMost } from './spans.ts';

export interface Layer {
  readonly text: string;
  /** Where the character at this index begins in the text that was given. */
  readonly start: (index: number) => number;
  /** Where that which ends before this index ends in the text that was given. */
  readonly end: (index: number) => number;
}

/** A URL in a URL in a JSON string has three, and a secret may read like an escape itself. */
const MOST_LAYERS = 6;

interface Escape {
  readonly length: number;
  readonly char: string;
}

const JSON_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

const LONGEST_ENTITY = 8;
const HEX = /^[\da-f]+$/i;
const DECIMAL = /^\d+$/;

function hexEscape(text: string, index: number, mark: number, digits: number): Escape | null {
  const hex = text.slice(index + mark, index + mark + digits);
  if (hex.length !== digits || !HEX.test(hex)) return null;
  return { length: mark + digits, char: String.fromCharCode(Number.parseInt(hex, 16)) };
}

function jsonEscape(text: string, index: number): Escape | null {
  const sign = text[index + 1] ?? '';
  if (sign === 'u') return hexEscape(text, index, 2, 4);
  const char = JSON_ESCAPES[sign];
  return char === undefined ? null : { length: 2, char };
}

function entityChar(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name];
  const hex = name[1] === 'x' || name[1] === 'X';
  const digits = name.slice(hex ? 2 : 1);
  if (!(hex ? HEX : DECIMAL).test(digits)) return undefined;
  return String.fromCharCode(Number.parseInt(digits, hex ? 16 : 10));
}

function entity(text: string, index: number): Escape | null {
  const name = text.slice(index + 1, index + 1 + LONGEST_ENTITY).split(';', 1)[0] ?? '';
  if (text[index + 1 + name.length] !== ';') return null;
  const char = entityChar(name);
  return char === undefined ? null : { length: name.length + 2, char };
}

type ReadEscape = (text: string, index: number) => Escape | null;

const inJson: ReadEscape = (text, index) =>
  text.charCodeAt(index) === 0x5c ? jsonEscape(text, index) : null;

function inAnything(text: string, index: number): Escape | null {
  switch (text.charCodeAt(index)) {
    case 0x25:
      return hexEscape(text, index, 1, 2);
    case 0x2b:
      return { length: 1, char: ' ' };
    case 0x5c:
      return jsonEscape(text, index);
    case 0x26:
      return entity(text, index);
    default:
      return null;
  }
}

/** The layer with one round of escapes undone; null when it has none. */
function unescaped(layer: Layer, escapeAt: ReadEscape): Layer | null {
  const { text } = layer;
  const parts: string[] = [];
  // Behind each escape: the index in the result, and the one in the text.
  const reached = [0];
  const source = [0];
  let copied = 0;
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const escape = escapeAt(text, index);
    if (escape === null) continue;
    parts.push(text.slice(copied, index), escape.char);
    length += index - copied + 1;
    copied = index + escape.length;
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

/** The layer itself and what it reads like as its escapes are undone, one round after another. */
export function escapeLayers(first: Layer): Layer[] {
  const layers = [first];
  while (layers.length < MOST_LAYERS) {
    const next = unescaped(layers.at(-1) ?? first, inAnything);
    if (next === null) break;
    layers.push(next);
  }
  return layers;
}

/** A text, or what of it stands between these places. */
export function givenLayer(text: string, from = 0, to = text.length): Layer {
  const place = (index: number) => from + index;
  return { text: text.slice(from, to), start: place, end: place };
}

/** What a JSON string says whose content stands between these places. */
export function stringLayer(text: string, from: number, to: number): Layer {
  const written = givenLayer(text, from, to);
  return unescaped(written, inJson) ?? written;
}

/** The text with all its escapes undone. */
export const plainText = (text: string): string =>
  escapeLayers(givenLayer(text)).at(-1)?.text ?? text;

/** The value of each base64 digit, of both alphabets (RFC 4648 4 and 5); -1 for other characters. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGITS = new Int8Array(128).fill(-1);
for (let value = 0; value < ALPHABET.length; value += 1) {
  DIGITS[ALPHABET.charCodeAt(value)] = value;
}
DIGITS['-'.charCodeAt(0)] = 62;
DIGITS['_'.charCodeAt(0)] = 63;

const digitAt = (text: string, index: number): number => DIGITS[text.charCodeAt(index)] ?? -1;

/** The fewest digits that can hold six bytes: shorter secrets are not looked for inside a text. */
const LEAST_DIGITS = 8;

/** From one index up to another, all of them base64 digits. */
type Run = readonly [from: number, to: number];

function base64Runs(text: string): Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (let index = 0; index <= text.length; index += 1) {
    if (digitAt(text, index) >= 0) continue;
    if (index - from >= LEAST_DIGITS) runs.push([from, index]);
    from = index + 1;
  }
  return runs;
}

/** As many characters as are put together at once. */
const AT_ONCE = 4096;

const latin1 = (codes: readonly number[]): string => {
  if (codes.length <= AT_ONCE) return String.fromCharCode(...codes);
  const parts: string[] = [];
  for (let from = 0; from < codes.length; from += AT_ONCE) {
    parts.push(String.fromCharCode(...codes.slice(from, from + AT_ONCE)));
  }
  return parts.join('');
};

/** All runs decoded from this digit on, a line break between two. */
function decodedRuns(layer: Layer, runs: readonly Run[], skipped: number): Layer {
  const codes: number[] = [];
  const reached: number[] = [];
  const source: number[] = [];
  for (const [from, to] of runs) {
    reached.push(codes.length);
    source.push(from + skipped);
    let bits = 0;
    let count = 0;
    for (let index = from + skipped; index < to; index += 1) {
      bits = ((bits << 6) | digitAt(layer.text, index)) & 0xffff;
      count += 6;
      if (count < 8) continue;
      count -= 8;
      codes.push((bits >>> count) & 0xff);
    }
    codes.push(0x0a);
  }
  const digitOf = (index: number, round: (digits: number) => number) => {
    const run = lastAtMost(reached, index);
    return (source[run] ?? 0) + round(((index - (reached[run] ?? 0)) * 4) / 3);
  };
  return {
    text: latin1(codes),
    start: (index) => layer.start(digitOf(index, Math.floor)),
    end: (index) => layer.end(digitOf(index, Math.ceil)),
  };
}

/**
 * What the layer's runs of base64 say. A run may begin before the base64 does (`/cb/ZGVtbw`), so each is
 * read from its first, second, third and fourth digit on.
 */
export function base64Layers(layer: Layer): Layer[] {
  const runs = base64Runs(layer.text);
  return runs.length === 0 ? [] : [0, 1, 2, 3].map((skipped) => decodedRuns(layer, runs, skipped));
}
