// Two tokens side by side.

import { expect, test } from 'vitest';
import { compareMembers, scopeChange } from '../../src/renderer/views/tokens/ComparePanel.tsx';

test('members are the same, changed, removed or added, in the order of the first token', () => {
  const first = { iss: 'a', scope: 'x y', aud: ['one', 'two'], old: 1 };
  const second = { fresh: null, aud: ['one', 'two'], scope: 'x', iss: 'a' };
  expect(compareMembers(first, second)).toEqual([
    { name: 'iss', first: 'a', second: 'a' },
    { name: 'scope', first: 'x y', second: 'x' },
    { name: 'aud', first: '["one","two"]', second: '["one","two"]' },
    { name: 'old', first: '1', second: null },
    { name: 'fresh', first: null, second: 'null' },
  ]);
});

test('a string and a number that look alike differ', () => {
  expect(compareMembers({ n: '1' }, { n: 1 })).toEqual([{ name: 'n', first: '"1"', second: '1' }]);
});

test('inherited property names do not count as members', () => {
  expect(compareMembers({}, JSON.parse('{"constructor": 1}') as Record<string, unknown>)).toEqual([
    { name: 'constructor', first: null, second: '1' },
  ]);
});

test('RFC 6749 3.3: the order of scopes does not matter', () => {
  expect(scopeChange('a b', 'b  a')).toEqual({ added: [], removed: [] });
  expect(scopeChange('a b', 'b c')).toEqual({ added: ['c'], removed: ['a'] });
  expect(scopeChange(null, 'a')).toEqual({ added: ['a'], removed: [] });
});
