// The places of the parts of a JSON text: a file can hold millions of values, and each has a place.

import { expect, it } from 'vitest';
import { addPart, createPart, offsetOf } from '../../src/core/records/json-places.ts';

it('a value that holds nothing has its place and no container, since a file has millions of them', () => {
  const root = createPart(0);
  const list = addPart(root, 'list', 1);
  expect([addPart(list, 0, 9), addPart(list, 1, 11)]).toEqual([
    { offset: 9, members: null, entries: null },
    { offset: 11, members: null, entries: null },
  ]);
  // A Map cannot hold more than 2^24.
  expect(Array.isArray(list.entries)).toBe(true);
  expect(offsetOf(root, 'list[1]')).toBe(11);
});

it('an entry is not mistaken for a member of the same name, nor a member for an entry', () => {
  const root = createPart(0);
  addPart(addPart(root, 'list', 10), 0, 11);
  addPart(addPart(root, 'object', 20), '0', 21);
  expect(offsetOf(root, 'list["0"]')).toBe(10);
  expect(offsetOf(root, 'object[0]')).toBe(20);
  expect(offsetOf(root, 'object["0"]')).toBe(21);
});

it('a member repeated has the place and the parts of its last value', () => {
  const root = createPart(0);
  addPart(addPart(root, 'a', 1), 0, 2);
  addPart(root, 'a', 5);
  expect(offsetOf(root, 'a[0]')).toBe(5);
});
