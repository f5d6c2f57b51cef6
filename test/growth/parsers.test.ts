// Every parser of foreign text takes linear time and does not overflow the stack on the largest body. The linter
// checks single patterns in the source; these tests measure whole parsers.

import { expect, it } from 'vitest';
import { worseThanLinear, type Shape } from './growth.ts';
import { parserOf, PARSERS, readForeign, type Parser } from '../hostile/support/parsers.ts';

/** Texts that make patterns backtrack, and readers look ahead or start again. */
const UNITS = [
  ...Array.from(' \t\n"\'`\\/&=;,.:%+-*#?@^$<>()[]{}|~_!0aZé€'),
  ...['a ', 'a=b&', 'a b ', '%41', '${', '$(', '{{', '[1-', '[[', '{"a":', '[{"a":', '"a":1,'],
  ...[
    '\\"',
    '\\\\"',
    "\\'",
    '\\u0041',
    '\\x41',
    '\\ ',
    '^"',
    '^ ',
    '^\r\n',
    ' =',
    '= ',
    '; ',
    '::',
  ],
  ...[
    '1.',
    '1-',
    '1,',
    'a.',
    'eyJ',
    'e30.',
    '<input ',
    'curl ',
    'a=$',
    '$a ',
    '":"',
    '"a","',
    ']:1',
  ],
  '\ud800',
  '\u2028',
  '\u00a0',
  '{"a":1},',
  '[],',
  '127.0.0.1, ',
  'http://',
  'name="',
];
const ENDINGS = ['', '\u0001'];

const shapesOf = ({ openings }: Parser): Shape[] =>
  openings.flatMap((opening) =>
    UNITS.flatMap((unit) => ENDINGS.map((ending) => ({ opening, unit, ending }))),
  );

it.for(Object.keys(PARSERS))('the time of %s grows at most linearly', async (name) => {
  const parser = parserOf(name);
  const slow: (string | null)[] = [];
  for (const shape of shapesOf(parser)) {
    slow.push(await worseThanLinear((text) => readForeign(parser, text), shape));
  }
  expect(slow.filter((found) => found !== null)).toEqual([]);
});

it('the measurement distinguishes a quadratic reader from a linear one', async () => {
  const shape = { opening: '', unit: ' ', ending: '!' };
  const trimmed = (text: string) => Promise.resolve(text.trimEnd().length);
  // Half of the text, since the whole takes seconds.
  const byPattern = (text: string) =>
    Promise.resolve(text.slice(text.length / 2).replace(/ +$/, '').length);
  expect(await worseThanLinear(trimmed, shape)).toBeNull();
  expect(await worseThanLinear(byPattern, shape, 1)).toMatch(/linear would be under/);
});

/** The highest value of `max_body_bytes`. */
const LARGEST_BODY = 16 * 1024 * 1024;

it.for([
  ['json-body', '{"a":"', 'x', '"}'],
  ['json-body', '{"a":"', '\\"', '"}'],
  ['json-body', '{"a":"', '\\u0041', '"}'],
  ['json-body', '{', '"a":"b",', '"c":"d"}'],
  ['json-body', '{"a":', '[', ''],
  ['json-text', '["', '\\n', '"]'],
  ['json-text', '', '[', ''],
  ['json-text', '[', '0,', '0]'],
  ['form', 'a=', '%41', ''],
  ['form', '', 'a&', ''],
  ['scope', '', 'a ', 'a'],
  ['scope', '', 'a', ''],
  ['client-assertion', 'e30.', 'e30.', ''],
  ['claims-of-a-request', 'client_assertion=', '.', ''],
  ['redirect-uri', 'http://127.0.0.1/', 'a/', ''],
  ['path-pattern', '/a', 'b/', 'c'],
])('%s reads the largest body without a stack overflow: %j, %j, %j', async ([name, ...shape]) => {
  const [opening = '', unit = '', ending = ''] = shape;
  const count = Math.floor((LARGEST_BODY - opening.length - ending.length) / unit.length);
  await readForeign(parserOf(name ?? ''), opening + unit.repeat(count) + ending);
});
