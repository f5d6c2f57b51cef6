// Names with values in forms, JSON, multipart bodies and pages, and the positions of the values.

import { describe, expect, it } from 'vitest';
import {
  afterBrackets,
  afterQuoted,
  formFields,
  jsonFields,
  markedFields,
  targetFields,
  type Field,
} from '../../src/redact/fields.ts';

/** Each as `name: value`, with the text at its position. */
const read = (text: string, fields: Iterable<Field>) =>
  Array.from(fields, ({ name, value, span }) => [
    `${name}: ${value}`,
    text.slice(span.start, span.end),
  ]);

describe('a form', () => {
  it.each([
    ['a=1&b=2', ['a: 1', 'b: 2']],
    ['a=1&&b=2&', ['a: 1', 'b: 2']],
    ['&a=1', ['a: 1']],
    ['a=1=2', ['a: 1=2']],
    ['=1', [': 1']],
    ['a=&b', []],
    ['a&b=2', ['b: 2']],
    ['', []],
  ])('%j has %j', (text, fields) => {
    expect(Array.from(formFields(text), ({ name, value }) => `${name}: ${value}`)).toEqual(fields);
    for (const { value, span } of formFields(text)) {
      expect(text.slice(span.start, span.end)).toBe(value);
    }
  });

  it('is parsed only within the given range', () => {
    expect(read('a=1&b=2&c=3', formFields('a=1&b=2&c=3', 4, 6))).toEqual([]);
    expect(read('a=1&b=2&c=3', formFields('a=1&b=2&c=3', 4, 7))).toEqual([['b: 2', '2']]);
    expect(read('a=1&b=23', formFields('a=1&b=23', 0, 7))).toEqual([
      ['a: 1', '1'],
      ['b: 2', '2'],
    ]);
  });
});

it.each([
  ['/a/b', [': a', ': b']],
  ['//a/', [': a']],
  ['/a?b=1&c=2', [': a', 'b: 1', 'c: 2']],
  ['/a#b=1', [': a', 'b: 1']],
  ['/a?b=1#c=2', [': a', 'b: 1', 'c: 2']],
  ['/a?b=/c/d', [': a', 'b: /c/d']],
  ['/a=b?c=1', [': a=b', 'c: 1']],
  ['/a?b=1?c=2', [': a', 'b: 1', 'c: 2']],
  ['?b', []],
  ['', []],
])('a path or URL: %j has %j', (text, fields) => {
  expect(read(text, targetFields(text)).map(([field]) => field)).toEqual(fields);
  for (const { value, span } of targetFields(text)) {
    expect(text.slice(span.start, span.end)).toBe(value);
  }
});

it.each([
  ['"ab" c', '"ab"'],
  ["'a\"b' c", "'a\"b'"],
  ['"a\\"b" c', '"a\\"b"'],
  ['"a\\\\" c', '"a\\\\"'],
  ['"ab', '"ab'],
  ['"ab\\', '"ab\\'],
])('a quoted text: %j ends behind %j', (text, quoted) => {
  expect(afterQuoted(text, 0)).toBe(quoted.length);
});

it.each([
  ['{"a":1} x', '{"a":1}'],
  ['[1,[2],{}] x', '[1,[2],{}]'],
  ['{"a":"}"} x', '{"a":"}"}'],
  ['["\\"]"] x', '["\\"]"]'],
  ['[1', '[1'],
  ['{"a', '{"a'],
])('an object or array: %j ends behind %j', (text, whole) => {
  expect(afterBrackets(text, 0)).toBe(whole.length);
});

describe('JSON', () => {
  it.each([
    ['{"a":"b"}', [': a', 'a: b']],
    [' {\n\t"a" :\r\n "b" , "c":1 } ', [': a', 'a: b', ': c', 'c: 1']],
    ['{"a":["b",true]}', [': a', ': b', ': true']],
    ['{"a":{"b":null}}', [': a', ': b', 'b: null']],
    ['["a","b"]', [': a', ': b']],
    ['"a"', [': a']],
    ['-1.5', [': -1.5']],
    ['{"code":"a"}', [': code', 'code: a']],
    ['{"code":{"a":["b"]},"c":"d"}', [': code', 'code: {"a":["b"]}', ': c', 'c: d']],
    ['{"code":["a"] ,"c":"d"}', [': code', 'code: ["a"]', ': c', 'c: d']],
    ['{"code":"a":"b"}', [': code', 'code: a', ': b']],
    ['{"code":}', [': code']],
    ['{"code":,"a"]', [': code', ': a']],
    ['{"a":"b', [': a', 'a: b']],
    ['{"a":"', [': a', 'a: ']],
    ['{code:1}', [': code', ': 1']],
    ['{xcode:1}', [': xcode', ': 1']],
    ['', []],
  ])('%j has %j', (text, fields) => {
    expect(read(text, jsonFields(text)).map(([field]) => field)).toEqual(fields);
  });

  it('values are found with their quotes and become strings when redacted', () => {
    const text = '{"a":"b","code":[1]}';
    expect(read(text, jsonFields(text)).map(([, place]) => place)).toEqual([
      '"a"',
      '"b"',
      '"code"',
      '[1]',
    ]);
    expect(Array.from(jsonFields(text), ({ span }) => span.text)).toEqual(
      Array.from({ length: 4 }, () => '"[redacted]"'),
    );
  });
});

const part = (name: string, value: string, end = '\r\n') =>
  `--x${end}Content-Disposition: form-data; name="${name}"${end}${end}${value}${end}`;

it.each([
  ['<input name="a" value="b">', ['a: b']],
  ['name="a" value="b"', ['a: b']],
  ['<input name="a"\n value="b"><input name="c" value="d">', ['a: b', 'c: d']],
  ['<input name="a" value="">', []],
  ['<input name="a" value="b', ['a: b']],
  ['<input name="a', []],
  ['<input name="state"> x\n\nabc', []],
  [`${part('code', 'abc')}--x--`, ['code: abc']],
  [`${part('code', 'abc', '\n')}--x--`, ['code: abc']],
  [`${part('code', 'a\r\nb')}--x--`, ['code: a\r\nb']],
  [`${part('code', 'a')}${part('state', 's')}${part('token', 'b')}--x--`, ['code: a', 'token: b']],
  [`${part('code', 'a', '\n')}${part('token', 'b', '\n')}--x--`, ['code: a', 'token: b']],
  [`${part('code', '')}${part('token', 'b')}--x--`, ['token: b']],
  [`${part('code', 'a', '\n')}${part('token', 'b')}--x--`, ['code: a', 'token: b']],
  [`${part('code', 'a')}${part('token', 'b', '\n')}--x--`, ['code: a', 'token: b']],
  ['name="code"\r\n\r\nabc', ['code: abc']],
  ['name="code"; filename="f"\r\nContent-Type: x\r\n\r\nabc\r\n--x', ['code: abc']],
  ['name="code"\n\n--x\nname="token"\n\nb', ['token: b']],
  ['name="code" and no more', []],
  ['name="code"\n\n', []],
])('elements and parts with a name: %j has %j', (text, fields) => {
  expect(read(text, markedFields(text)).map(([field]) => field)).toEqual(fields);
  for (const { value, span } of markedFields(text)) {
    expect(text.slice(span.start, span.end)).toBe(value);
  }
});
