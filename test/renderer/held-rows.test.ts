// The fields of a held exchange that can be edited, and the edits that follow from them.

import { expect, test } from 'vitest';
import type { HeldDetail } from '../../src/control/schemas.ts';
import { editParameters } from '../../src/core/faults/apply-edits.ts';
import { editsBetween, responseRows } from '../../src/renderer/views/traffic/holding.ts';
import { exchangeOf } from '../support/exchanges.ts';

const held = (response: NonNullable<Parameters<typeof exchangeOf>[0]['response']>): HeldDetail => ({
  number: 1,
  at: 'response',
  method: 'GET',
  path: '/authorize',
  ip: '127.0.0.1',
  grant_type: null,
  client_id: 'web',
  endpoint: 'authorize',
  held_at: '',
  seconds_left: 1,
  client_gone: false,
  forecast: null,
  id_token_claims: null,
  consequence: null,
  exchange: exchangeOf({ response }),
});

test.each([
  ['https://app.test/cb?code=a&state=1', ['code', 'state']],
  ['https://app.test/cb?from=app#code=a&state=1', ['code', 'state']],
  ['https://app.test/cb', []],
])(
  'the response that redirects to %s has the parameters %j, which are texts',
  (location, names) => {
    const { rows, json } = responseRows(held({ headers: [['Location', location]], body: '' }));
    expect(rows.map(({ name }) => name)).toEqual(names);
    const edited = rows.map((row) => (row.name === 'state' ? { ...row, text: '2' } : row));
    expect(editsBetween(rows, edited, json)).toEqual(
      names.length === 0 ? [] : [{ member: 'state', do: 'set', value: '2' }],
    );
  },
);

test('a repeated parameter is no edit, and each of its values can be changed, removed and added', () => {
  const before = ['a', 'b'].map((text) => ({ name: 'resource', text }));
  const edits = (...texts: readonly string[]) =>
    editsBetween(
      before,
      texts.map((text) => ({ name: 'resource', text })),
      false,
    );
  const parameters = (...texts: readonly string[]) =>
    editParameters(
      before.map(({ name, text }) => [name, text] as const),
      edits(...texts),
      0,
    ).map(([, text]) => text);
  expect(edits('a', 'b')).toEqual([]);
  for (const wanted of [['a', 'c'], ['b'], [], ['b', 'c', 'd']]) {
    expect(parameters(...wanted)).toEqual(wanted);
  }
});

test('members of a JSON response are JSON', () => {
  const { rows, json } = responseRows(held({ body: '{"expires_in":60}' }));
  expect(rows).toEqual([{ name: 'expires_in', text: '60' }]);
  expect(editsBetween(rows, [{ name: 'expires_in', text: '5' }], json)).toEqual([
    { member: 'expires_in', do: 'set', value: 5 },
  ]);
});
