// The map for everything that is kept between requests: bounded in entries and bytes, it removes the oldest entry
// first. And copies that do not retain the text they were cut from.

import { describe, expect, test } from 'vitest';
import { createBoundedMap } from '../../src/core/collections/bounded-map.ts';
import { keptExcerpt, keptText } from '../../src/core/collections/kept-text.ts';
import { createOldestFirst } from '../../src/core/collections/oldest-first.ts';
import { createRing } from '../../src/core/collections/ring.ts';
import { jsonBytes, textBytes } from '../../src/core/collections/weight.ts';

const lengths = (entries: number, bytes: number, onGone?: (text: string) => void) =>
  createBoundedMap<string, string>({ entries, bytes }, (text) => text.length, onGone);

describe('a bounded map', () => {
  test('removes the oldest entry when it holds too many entries', () => {
    const map = lengths(2, Infinity);
    for (const key of ['a', 'b', 'c']) map.set(key, key);
    expect([...map.keys()]).toEqual(['b', 'c']);
  });

  test('removes the oldest entries when they take too many bytes, and counts the bytes', () => {
    const gone: string[] = [];
    const map = lengths(10, 10, (text) => gone.push(text));
    for (const text of ['aaaa', 'bbbb', 'ccccc']) map.set(text, text);
    expect([gone, map.fill.size, map.fill.bytes]).toEqual([['aaaa'], 2, 9]);
    map.delete('bbbb');
    expect(map.fill.bytes).toBe(5);
    map.clear();
    expect([map.fill.size, map.fill.bytes]).toEqual([0, 0]);
  });

  test('does not keep an entry that exceeds the size by itself', () => {
    const map = lengths(10, 10);
    map.set('a', 'a');
    map.set('b', 'b'.repeat(11));
    expect([map.fill.size, map.fill.bytes]).toEqual([0, 0]);
  });

  test('makes an entry that is set again the newest, and counts it once', () => {
    const map = lengths(2, Infinity);
    for (const key of ['a', 'b', 'a', 'c']) map.set(key, key);
    expect([...map.keys()]).toEqual(['a', 'c']);
    expect(map.fill.bytes).toBe(2);
  });
});

test('removes entries in order of age, whatever is added and deleted meanwhile', () => {
  const map = new Map<number, number>();
  const oldest = createOldestFirst(map);
  let next = 0;
  const add = () => {
    map.set(next, next);
    next += 1;
    oldest.added();
  };
  for (let count = 0; count < 2000; count += 1) add();
  const taken: number[] = [];
  for (let round = 0; round < 8000; round += 1) {
    if (round % 3 === 0) add();
    if (round % 5 === 0) map.delete(next - 2);
    const key = oldest.take();
    if (key === undefined) continue;
    expect(map.delete(key)).toBe(true);
    taken.push(key);
  }
  expect(taken).toEqual(taken.toSorted((a, b) => a - b));
  expect([map.size, oldest.take()]).toEqual([0, undefined]);
});

test('lets a ring remove its oldest entry before it is full', () => {
  const ring = createRing<string>(3);
  for (const item of ['a', 'b']) ring.add(item);
  expect([ring.dropOldest(), ring.size, ring.newest(0), ring.newest(1)]).toEqual([
    'a',
    1,
    'b',
    undefined,
  ]);
  for (const item of ['c', 'd']) expect(ring.add(item)).toBeUndefined();
  expect(ring.add('e')).toBe('b');
  expect([ring.newest(0), ring.newest(2)]).toEqual(['e', 'c']);
});

describe('kept texts', () => {
  test.each([
    '',
    'short',
    'a longer text of plain ASCII',
    'naïve \u{1f600} and \ud800 alone',
    '\ufeffmark',
  ])('a copy of %j equals the text', (text) => {
    expect(keptText(text)).toBe(text);
  });

  test('an excerpt is marked as an excerpt', () => {
    expect([keptExcerpt('abc', 3), keptExcerpt('abcd', 3)]).toEqual(['abc', 'abc…']);
  });
});

test('the size of a text depends on whether all its characters fit into a byte', () => {
  expect(textBytes('é'.repeat(100)) - textBytes('')).toBe(100);
  expect(textBytes('€'.repeat(100)) - textBytes('')).toBe(200);
});

test('a value nested deeper than any record exceeds every bound', () => {
  let value: unknown = {};
  for (let level = 0; level < 100; level += 1) value = [value];
  expect(jsonBytes(value)).toBe(Infinity);
});
