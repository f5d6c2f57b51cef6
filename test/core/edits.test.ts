// Edits of a response by fault rules.

import { describe, expect, test } from 'vitest';
import { editJson, editParameters } from '../../src/core/faults/apply-edits.ts';
import { type Edit, editsSchema } from '../../src/core/records/edit.ts';

const NOW = 1_700_000_000;
const json = (document: unknown, ...edits: Edit[]) => editJson(document, edits, NOW);

describe('an edit of a JSON document', () => {
  const document = { iss: 'a', aud: 'b', n: 1, keys: [{ kid: 'k', alg: 'ES256' }, { kid: 'l' }] };

  test.each<[string, Edit, unknown]>([
    ['replaces a member', { member: 'iss', do: 'set', value: { x: 1 } }, { iss: { x: 1 } }],
    ['adds a missing member', { member: 'nonce', do: 'set', value: 'n' }, { nonce: 'n' }],
    ['removes a member', { member: 'iss', do: 'remove' }, { iss: undefined }],
    ['appends text', { member: 'iss', do: 'append', text: '/' }, { iss: 'a/' }],
    ['adds a value to a list', { member: 'aud', do: 'add', value: 'c' }, { aud: ['b', 'c'] }],
    ['makes a list', { member: 'aud', do: 'list' }, { aud: ['b'] }],
    ['sets a time from now', { member: 'n', do: 'from_now', seconds: -360 }, { n: NOW - 360 }],
    ['swaps the case', { member: 'iss', do: 'swap_case' }, { iss: 'A' }],
    ['makes a string of a number', { member: 'n', do: 'to_text' }, { n: '1' }],
    [
      'follows a JSON Pointer into a list',
      { member: '/keys/0/kid', do: 'remove' },
      { keys: [{ alg: 'ES256' }, { kid: 'l' }] },
    ],
    ['removes an entry of a list', { member: '/keys/0', do: 'remove' }, { keys: [{ kid: 'l' }] }],
  ])('%s', (_, edit, changed) => {
    const before = structuredClone(document);
    expect(JSON.stringify(json(document, edit))).toBe(
      JSON.stringify({ ...document, ...(changed as object) }),
    );
    expect(document).toEqual(before);
  });

  test.each<Edit>([
    { member: 'absent', do: 'remove' },
    { member: 'absent', do: 'append', text: 'x' },
    { member: 'absent', do: 'add', value: 1 },
    { member: '/keys/7/kid', do: 'set', value: 'x' },
    { member: '/iss/deeper', do: 'set', value: 'x' },
  ])('changes nothing where there is nothing to change: %j', (edit) => {
    expect(json(document, edit)).toEqual(document);
  });

  test('edits are made in their order', () => {
    expect(
      json({ iss: 'a' }, { member: 'iss', do: 'append', text: '/' }, { member: 'iss', do: 'list' }),
    ).toEqual({ iss: ['a/'] });
  });
});

describe('an edit of the parameters of a response', () => {
  const pairs = [
    ['code', 'c'],
    ['state', 's'],
  ] as const;

  test.each<[string, Edit, readonly (readonly [string, string])[]]>([
    ['keeps the order', { member: 'code', do: 'append', text: '-x' }, [['code', 'c-x'], pairs[1]]],
    ['removes a parameter', { member: 'state', do: 'remove' }, [pairs[0]]],
    ['adds a parameter', { member: 'iss', do: 'set', value: 'i' }, [...pairs, ['iss', 'i']]],
    [
      'sends a parameter twice',
      { member: 'state', do: 'add', value: 't' },
      [...pairs, ['state', 't']],
    ],
  ])('%s', (_, edit, expected) => {
    expect(editParameters(pairs, [edit], NOW)).toEqual(expected);
  });

  test('sends no absent parameter a second time', () => {
    expect(editParameters(pairs, [{ member: 'iss', do: 'add', value: 'x' }], NOW)).toEqual(pairs);
  });
});

const problem = (edits: unknown) =>
  editsSchema(1)
    .safeParse(edits)
    .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());

test.each<[unknown, RegExp]>([
  [[], /at least one edit/],
  [Array.from({ length: 17 }, () => ({ member: 'a', do: 'remove' })), /at most 16 entries/],
  [[{ member: 'a', do: 'explode' }], /do is one of set, remove, append/],
  [[{ member: '', do: 'remove' }], /0\.member/],
  [[{ member: '/a/__proto__', do: 'remove' }], /0\.member must not name a prototype/],
  [[{ member: 'a', do: 'set', value: 'x'.repeat(9000) }], /0\.value must be JSON of at most/],
  [[{ member: 'a', do: 'from_now', seconds: 1e9 }], /0\.seconds must be at most/],
])('the record of edits rejects %j', (edits, rule) => {
  expect(problem(edits)?.join('; ')).toMatch(rule);
});
