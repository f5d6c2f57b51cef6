// JSON highlighting: which tokens are distinguished, and that any text is kept whole and is parsed fast.

import { expect, it } from 'vitest';
import { isJsonText, jsonTokens } from '../../src/renderer/exchange/RawText.tsx';

const kinds = (text: string) =>
  jsonTokens(text).flatMap((token) => (token.kind === null ? [] : [[token.kind, token.text]]));

it('names, strings, numbers and literals are distinguished', () => {
  expect(kinds('{"a": "x: \\"y\\"", "b": [-1.5e3, true, null]}')).toEqual([
    ['name', '"a"'],
    ['string', '"x: \\"y\\""'],
    ['name', '"b"'],
    ['number', '-1.5e3'],
    ['word', 'true'],
    ['word', 'null'],
  ]);
});

it.each(['{"a": "cut sho', '{"a": "\\', '["x" 1 2', '{"\\"\\"\\"', ''])(
  'the tokens of %j cover the whole text',
  (text) => {
    const whole = jsonTokens(text).map((token) => token.text);
    expect(whole.join('')).toBe(text);
  },
);

it('text that begins with neither an object nor an array is not JSON', () => {
  expect(['{"a": 1}', ' [1]', '{}', '[]'].map(isJsonText)).toEqual([true, true, true, true]);
  expect(['', 'a=b', '<html>', '[an HTML page of 7 bytes]'].map(isJsonText)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
