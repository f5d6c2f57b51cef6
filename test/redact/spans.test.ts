// Replaces spans of a text, in any order: each other character is shown exactly once.

import { expect, it } from 'vitest';
import { lastAtMost, replaceSpans } from '../../src/redact/spans.ts';

it.each([
  [[], 0, -1],
  [[2], 1, -1],
  [[2], 2, 0],
  [[2, 4, 6], 3, 0],
  [[2, 4, 6], 4, 1],
  [[2, 4, 6], 5, 1],
  [[2, 4, 6], 6, 2],
  [[2, 4, 6], 99, 2],
  [[2, 4, 4, 6], 4, 2],
])('the last element of %j that is at most %i is at index %i', (ascending, value, place) => {
  expect(lastAtMost(ascending, value)).toBe(place);
});

const span = (start: number, end: number, text: string) => ({ start, end, text });

it.each([
  ['none', [], '0123456789'],
  ['one', [span(2, 4, 'A')], '01A456789'],
  ['at both ends', [span(0, 1, 'A'), span(9, 10, 'B')], 'A12345678B'],
  ['in any order', [span(6, 7, 'B'), span(2, 4, 'A')], '01A45B789'],
  ['that overlap, with the name of the first', [span(3, 6, 'B'), span(2, 4, 'A')], '01A6789'],
  ['that touch', [span(2, 4, 'A'), span(4, 6, 'B')], '01A6789'],
  ['within each other', [span(2, 8, 'A'), span(3, 4, 'B')], '01A89'],
  [
    'with the same start, with the name of the longer',
    [span(2, 3, 'B'), span(2, 5, 'A')],
    '01A56789',
  ],
])('spans are replaced: %s', (_, spans, shown) => {
  expect(replaceSpans('0123456789', spans)).toBe(shown);
});
