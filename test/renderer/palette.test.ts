// Which commands the palette finds for a query, and in what order.

import { expect, test } from 'vitest';
import { type Entry, findEntries, wordsOf } from '../../src/renderer/frame/palette/match.ts';

const entry = (group: string, title: string, more: Partial<Entry> = {}): Entry => ({
  id: title,
  group,
  title,
  run: () => undefined,
  ...more,
});

const titles = (entries: readonly Entry[], query: string, most?: number) =>
  findEntries(entries, query, most).flatMap((group) => group.entries.map(({ title }) => title));

test('without a query, all commands are listed in their order', () => {
  const entries = [entry('B', 'zeta'), entry('A', 'alpha'), entry('B', 'beta')];
  expect(findEntries(entries, ' ').map(({ title }) => title)).toEqual(['B', 'A']);
  expect(titles(entries, '')).toEqual(['zeta', 'beta', 'alpha']);
});

test('every word must occur in the title, the group or the keywords', () => {
  const entries = [
    entry('Clock', 'Freeze the clock'),
    entry('Server', 'Rotate the signing key', { keywords: 'jose' }),
  ];
  expect(titles(entries, 'clock freeze')).toEqual(['Freeze the clock']);
  expect(titles(entries, 'server rotate')).toEqual(['Rotate the signing key']);
  expect(titles(entries, 'jose')).toEqual(['Rotate the signing key']);
  expect(titles(entries, 'clock rotate')).toEqual([]);
});

test('titles that begin with the query come first, then words that begin with it, then the rest', () => {
  const entries = [
    entry('A', 'Accessories for keys'),
    entry('A', 'Copy the access token'),
    entry('A', 'Disaccess'),
    entry('B', 'Access tokens'),
  ];
  expect(titles(entries, 'access t')).toEqual(['Access tokens', 'Copy the access token']);
  expect(titles(entries, 'access')).toEqual([
    'Accessories for keys',
    'Copy the access token',
    'Disaccess',
    'Access tokens',
  ]);
  expect(findEntries(entries, 'access tokens')[0]?.title).toBe('B');
});

test.each([
  ['jwt', 'Inspect a pasted token'],
  ['decode', 'Inspect a pasted token'],
  ['deco', 'Inspect a pasted token'],
  ['429', 'Throttle mode: off'],
  ['tls', 'HTTPS'],
])('%s finds “%s”', (query, title) => {
  const entries = [
    entry('Tokens', 'Inspect a pasted token'),
    entry('Throttling', 'Throttle mode: off'),
    entry('Settings', 'HTTPS'),
    entry('Clock', 'Freeze the clock'),
  ];
  expect(titles(entries, query)).toEqual([title]);
});

test('a group shows a limited number of the best matches, and says how many more there are', () => {
  const entries = [entry('A', 'third key'), entry('A', 'key one'), entry('A', 'key two')];
  expect(titles(entries, 'key', 2)).toEqual(['key one', 'key two']);
  const more = (most: number) => findEntries(entries, 'key', most).map((group) => group.more);
  expect([more(2), more(3)]).toEqual([['1 more'], ['']]);
});

test('only the first twenty words of a pasted text are searched for', () => {
  const text = Array.from({ length: 5000 }, (_, index) => `word${index}`).join(' ');
  expect(wordsOf(text)).toEqual(Array.from({ length: 20 }, (_, index) => `word${index}`));
});

test('of many numbered records, the one with exactly the typed words comes first', () => {
  const clients = [12, 11, 10, 1].map((number) =>
    entry('Clients', `Team ${number}`, { detail: `client-${number}` }),
  );
  expect(titles(clients, 'client-1', 2)).toEqual(['Team 1', 'Team 12']);
  expect(titles(clients, 'team 1', 2)).toEqual(['Team 1', 'Team 12']);
});
