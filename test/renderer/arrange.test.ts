// Which records of a list are shown, and in what order.

import { expect, test } from 'vitest';
import {
  filtered,
  nextSorting,
  sortedBy,
  type Sorting,
} from '../../src/renderer/ui/grid/arrange.ts';
import { firstOptions } from '../../src/renderer/ui/short-forms.ts';

const LIST = [
  { name: 'b10', count: 2 },
  { name: 'B2', count: 10 },
  { name: 'a', count: 2 },
];
const RANKS = {
  name: ({ name }: { name: string }) => name,
  count: ({ count }: { count: number }) => count,
};
const names = (sorting: Sorting<'name' | 'count'> | null) =>
  sortedBy(LIST, sorting, RANKS).map(({ name }) => name);

test('text sorts in natural order, numbers by value, and equal rows keep their order', () => {
  expect(names({ key: 'name', descending: false })).toEqual(['a', 'B2', 'b10']);
  expect(names({ key: 'count', descending: false })).toEqual(['b10', 'a', 'B2']);
  expect(names({ key: 'count', descending: true })).toEqual(['B2', 'b10', 'a']);
  expect(names(null)).toEqual(['b10', 'B2', 'a']);
});

test('pressing a heading again reverses the order, and a third press restores the original', () => {
  const rising = nextSorting<'name' | 'count'>(null, 'name');
  expect(rising).toEqual({ key: 'name', descending: false });
  const falling = nextSorting(rising, 'name');
  expect(falling).toEqual({ key: 'name', descending: true });
  expect(nextSorting(falling, 'name')).toBeNull();
  expect(nextSorting(falling, 'count')).toEqual({ key: 'count', descending: false });
});

test('a filter matches when all its words occur, in any case', () => {
  const textOf = ({ name, count }: { name: string; count: number }) => `${name} ${count}`;
  expect(filtered(LIST, 'B 10', textOf).map(({ name }) => name)).toEqual(['b10', 'B2']);
  expect(filtered(LIST, ' ', textOf)).toBe(LIST);
  expect(filtered(LIST, 'c', textOf)).toEqual([]);
});

test('a picker of many records draws the first 100 that match, and says how many more do', () => {
  const options = Array.from({ length: 1500 }, (_, at) => ({
    value: `c${at}`,
    label: `App ${at}`,
  }));
  const found = (search: string) => firstOptions({ options, search, limit: Infinity });
  expect(found('')).toHaveLength(101);
  expect(found('').at(-1)).toMatchObject({
    label: '1,400 more: type to find them',
    disabled: true,
  });
  expect(found(' APP 1499 ')).toEqual([{ value: 'c1499', label: 'App 1499' }]);
});
