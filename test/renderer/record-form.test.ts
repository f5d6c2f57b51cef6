// Which edits of a form would overwrite a change that was made elsewhere.

import { expect, test } from 'vitest';
import { changedElsewhere } from '../../src/renderer/ui/record-form.tsx';

test('an edit overwrites a change of the same member to another value than it has itself', () => {
  const former = { name: 'Ada', email: '', claims: { role: 'a' }, uris: ['a'] };
  const saved = { name: 'Theirs', email: 'new', claims: { role: 'b' }, uris: ['a'] };
  const edits = { name: 'Mine', claims: { role: 'b' }, uris: ['b'] };
  expect(changedElsewhere(edits, former, saved)).toEqual(['name']);
});
