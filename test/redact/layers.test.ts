// Decoded layers of a text: without its escapes or its base64, with the original positions.

import { describe, expect, it } from 'vitest';
import type { Layer } from '../../src/redact/layers.ts';
import {
  base64Layers,
  escapeLayers,
  givenLayer,
  plainText,
  stringLayer,
} from '../../src/redact/layers.ts';

const base64 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('base64');
const textsOf = (layers: readonly Layer[]) => layers.map(({ text }) => text);

/** The original text of each character of the layer. */
const writtenIn = (text: string, layer: Layer | undefined) =>
  Array.from(layer?.text ?? '', (_, index) =>
    text.slice(layer?.start(index), layer?.end(index + 1)),
  );

/** The original text of this part of the layer. */
function writtenOf(text: string, layer: Layer | undefined, shown: string): string | null {
  const from = layer?.text.indexOf(shown) ?? -1;
  return from < 0 ? null : text.slice(layer?.start(from), layer?.end(from + shown.length));
}

describe('escapes', () => {
  it.each([
    ['a%41b', 'aAb'],
    ['%2f%2F%7e%30%39', '//~09'],
    ['%c3%a9', '\u00c3\u00a9'],
    ['a+b', 'a b'],
    ['\\"\\/', '"/'],
    ['\\\\x', '\\x'],
    ['\\b\\f\\n\\r\\t', '\b\f\n\r\t'],
    ['\\u0041\\u00e9\\uD83d', 'A\u00e9\ud83d'],
    ['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
    ['&#65;&#x41;&#X5a;&#xfFfF;&#65535;', 'AAZ\uffff\uffff'],
  ])('%j is decoded to %j', (text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  it.each([
    '100%',
    '%4',
    '%g0',
    '%0g',
    '%/0',
    '%:0',
    '%@0',
    '%`0',
    '\\',
    '\\x41',
    '\\u004',
    '\\u004g',
    '&',
    '&amp',
    '&nope;',
    '&;',
    '&#;',
    '&#x;',
    '&#65',
    '&#65536;',
    '&#123456;',
    '&#x12345;',
    '&a#65;',
    '&#65a;',
  ])('%j is not an escape and stays', (text) => {
    expect(plainText(text)).toBe(text);
    expect(escapeLayers(givenLayer(text))).toHaveLength(1);
  });

  it('are decoded repeatedly, at most five times', () => {
    expect(textsOf(escapeLayers(givenLayer('%2541')))).toEqual(['%2541', '%41', 'A']);
    expect(plainText(`%${'25'.repeat(4)}41`)).toBe('A');
    expect(plainText(`%${'25'.repeat(5)}41`)).toBe('%41');
  });

  it('keep the original position of each character', () => {
    const text = 'a%41b+c\\u0041&lt;d';
    const [given, plain] = escapeLayers(givenLayer(text));
    expect(writtenIn(text, given)).toEqual(Array.from(text));
    expect(writtenIn(text, plain)).toEqual(['a', '%41', 'b', '+', 'c', '\\u0041', '&lt;', 'd']);
  });

  it('keep original positions through two rounds, and in part of a text', () => {
    const text = 'code=x%2541y';
    const layers = escapeLayers(givenLayer(text, 5));
    expect(textsOf(layers)).toEqual(['x%2541y', 'x%41y', 'xAy']);
    expect(writtenIn(text, layers[2])).toEqual(['x', '%2541', 'y']);
  });

  it('in a JSON string are only those of JSON', () => {
    const text = '"a\\u0041%41+"';
    const layer = stringLayer(text, 1, text.length - 1);
    expect(layer.text).toBe('aA%41+');
    expect(writtenIn(text, layer)).toEqual(['a', '\\u0041', '%', '4', '1', '+']);
    expect(stringLayer('"plain"', 1, 6).text).toBe('plain');
  });
});

describe('base64', () => {
  const decoded = (text: string) => base64Layers(givenLayer(text));

  it.each([0, 1, 2, 3])('is decoded also after %i other digits', (before) => {
    const text = `${'/'.repeat(before)}${base64('user:some-secret')}`;
    expect(textsOf(decoded(text)).some((shown) => shown.includes('user:some-secret\n'))).toBe(true);
  });

  it('keeps the exact original positions of the decoded text', () => {
    const text = `Basic ${base64('user:some-secret')}`;
    const [layer] = decoded(text);
    expect(layer?.text).toBe('user:some-secret\n');
    expect(writtenOf(text, layer, 'user')).toBe('dXNlcj');
    expect(writtenOf(text, layer, 'some-secret')).toBe('pzb21lLXNlY3JldA');
  });

  it('each printable run of six characters or more becomes a line', () => {
    const text = base64('first-part\0short\x01second\x7f\x7fthird-');
    const [layer] = decoded(text);
    expect(layer?.text).toBe('first-part\nsecond\nthird-\n');
    expect(writtenOf(text, layer, 'first-part')).toBe(text.slice(0, 14));
    expect(writtenOf(text, layer, 'second')).toBe(text.slice(22, 31));
    expect(writtenOf(text, layer, 'third-')).toBe(text.slice(33, 42));
  });

  it.each([
    [' ~ ~ ~', ' ~ ~ ~\n'],
    ['abcdef\x1f', 'abcdef\n'],
    ['\x80abcdef', 'abcdef\n'],
  ])('only ASCII without control characters is printable: %j', (bytes, shown) => {
    expect(decoded(base64(bytes))[0]?.text).toBe(shown);
  });

  it('each run of digits is decoded on its own, whatever separates them', () => {
    const text = `a ${base64('some-secret')}, ${base64('another-one')}`;
    const [layer] = decoded(text);
    expect(layer?.text).toBe('some-secret\nanother-one\n');
    expect(writtenOf(text, layer, 'another')).toBe('YW5vdGhlci');
  });

  it('is decoded in both alphabets', () => {
    expect(textsOf(decoded('Pj4+Pz8/'))).toContain('>>>???\n');
    expect(textsOf(decoded('Pj4-Pz8_'))).toContain('>>>???\n');
  });

  it('is ignored with fewer than eight digits', () => {
    expect(textsOf(decoded('dXNlcjpz'))).toEqual(['user:s\n']);
    expect(decoded('dXNlcjp')).toEqual([]);
    expect(decoded('dXNl.cjpz')).toEqual([]);
  });

  it('is ignored when it decodes to binary data', () => {
    expect(decoded(base64('\x01\x02\x03\x04\x05\x06'))).toEqual([]);
  });

  it('is decoded completely in long texts', () => {
    const long = 'some words '.repeat(1000);
    expect(decoded(base64(long))[0]?.text).toBe(`${long}\n`);
  });
});
