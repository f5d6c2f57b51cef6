// Text that looks like a credential: its minimum length, and the extent of a JWT.

import { describe, expect, it } from 'vitest';
import { createFindIssued, shapesIn, wordEnd } from '../../src/redact/credential-shapes.ts';
import { givenLayer } from '../../src/redact/layers.ts';

const LONG = 'q3ZkT0V1bmRlcl9zY29yZS1kYXNoX2FuZC1tb3JlLWE';

const found = (text: string, isOpen = false, issued = '') =>
  shapesIn(givenLayer(text), {
    may_be_cut: false,
    isOpen: () => isOpen,
    findIssued: createFindIssued((value) => value === issued),
  }).map(({ start, end }) => text.slice(start, end));

describe('a run of letters, digits, - and _', () => {
  it.each([
    [LONG, [LONG]],
    [LONG.slice(1), []],
    [`${LONG}x`, [`${LONG}x`]],
    [`(${LONG}) ${LONG}`, [LONG, LONG]],
    [`${LONG.slice(1)}.${LONG.slice(1)}`, []],
    [`${LONG.slice(1)}ä`, []],
    ['', []],
  ])('in %j, %j looks like a credential of the sandbox', (text, credentials) => {
    expect(found(text)).toEqual(credentials);
  });

  it.each([
    ['ab-c_9.x', 'ab-c_9'],
    ['äb', ''],
    ['a\u007fb', 'a'],
    ['ab', 'ab'],
  ])('%j begins with the word %j', (text, word) => {
    expect(text.slice(0, wordEnd(text, 0))).toBe(word);
  });

  it('is redacted where long values are shown only when it was issued', () => {
    expect(found(`${LONG}, x${LONG}y`, true, LONG)).toEqual([LONG, LONG]);
    expect(found(`${LONG}, ${LONG}`, true)).toEqual([]);
  });

  it('is looked up once, and only where 256 bits could end', () => {
    const asked: string[] = [];
    const findIssued = createFindIssued((value) => {
      asked.push(value);
      return true;
    });
    for (let time = 0; time < 2; time++) expect(findIssued(`${LONG}bE`)).toEqual([0, 2]);
    expect(asked).toEqual([LONG, `${LONG.slice(2)}bE`]);
  });
});

it.each([
  ['eyJh.eyJi.c', ['eyJh.eyJi.c']],
  ['eyJh.eyJi.', ['eyJh.eyJi.']],
  ['eyJh..c', ['eyJh..c']],
  ['eyJh.b.c.d.e x', ['eyJh.b.c.d.e']],
  ['see eyJh.b.c.', ['eyJh.b.c']],
  ['eyJh.b.c..d', ['eyJh.b.c']],
  ['eyJh.b', []],
  ['eyJh', []],
  ['xeyJh.b.c', []],
  ['a.b.c', []],
  ['eyJh.b.c,eyJd.e.f', ['eyJh.b.c', 'eyJd.e.f']],
])('in %j, the JWTs %j are recognized', (text, credentials) => {
  expect(found(text)).toEqual(credentials);
  expect(found(text, true)).toEqual(credentials);
});
